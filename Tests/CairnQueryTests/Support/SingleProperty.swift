import CairnQuery
import CairnStorage

/// Tables that have one value in every place where it may be: a property without an index, with one of
/// either kind, of an object that another links to, and a list of just this value.
enum SingleProperty {
    static func make(_ kind: ValueKind, _ value: ModelValue, in session: Session) throws {
        try makeTable("Plain", kind, nil, value, in: session)
        for (name, index) in indexes(of: kind) { try makeTable(name, kind, index, value, in: session) }
        for name in ["Linked", "Unlinked"] {
            let space = try session.createTable(name).definition.space
            let link = try session.addColumn(Session.NewColumn("link", .link, target: "Plain"), to: space)
            let table = try session.table(space)
            let row = try table.insert()
            if name == "Linked" { try table.setLink(row, link, RowKey(0)) }
        }
        let space = try session.createTable("Listed").definition.space
        let list = try session.addColumn(
            Session.NewColumn("list", kind, collection: .list, isNullable: true), to: space)
        let table = try session.table(space)
        try table.setCells(try table.insert(), list, [value])
    }

    private static func indexes(of kind: ValueKind) -> [(String, IndexDefinition.Kind)] {
        kind == .decimal ? [("Hashed", .hash)] : [("Hashed", .hash), ("Ordered", .ordered)]
    }

    private static func makeTable(
        _ name: String, _ kind: ValueKind, _ index: IndexDefinition.Kind?, _ value: ModelValue,
        in session: Session
    ) throws {
        let space = try session.createTable(name).definition.space
        let position = try session.addColumn(Session.NewColumn("a", kind, isNullable: true), to: space)
        let table = try session.table(space)
        if let index { try session.addIndex(index, on: [table.definition.columns[position].id], of: space) }
        try table.setCell(try table.insert(), position, value)
    }

    /// The tables that have the value as `a`.
    static func tables(of kind: ValueKind, in session: Session) throws -> [String] {
        ["Plain"] + indexes(of: kind).map(\.0)
    }
}
