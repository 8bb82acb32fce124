/// Who takes part, in the order of the table's columns.
enum Contenders {
    static var all: [any Contender.Type] {
        [ObjectsContender.self, CairnContender.self, SQLiteContender.self, LMDBContender.self]
    }
}
