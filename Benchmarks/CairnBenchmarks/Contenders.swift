/// Who takes part, in the order of the table's columns.
enum Contenders {
    static var all: [any Contender.Type] { [SQLiteContender.self, LMDBContender.self] }
}
