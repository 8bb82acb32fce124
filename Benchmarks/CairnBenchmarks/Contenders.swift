/// Who takes part, in the order of the table's columns.
enum Contenders {
    static var all: [any Contender.Type] {
        [CairnContender.self, EngineContender.self, SQLiteContender.self, LMDBContender.self]
    }
}
