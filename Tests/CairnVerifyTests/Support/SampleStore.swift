import CairnStorage

/// A database with every kind of content: all kinds of columns, lists short and long, large values, hash and
/// ordered indexes, links in every form, deleted rows, dropped columns and indexes, several versions.
struct SampleStore {
    let folder: TestFolder
    let options: StoreOptions
    /// The definitions of the last version.
    private(set) var things = TableDefinition(space: SpaceID(1), name: "Thing")
    private(set) var places = TableDefinition(space: SpaceID(1), name: "Place")

    static let rowCount = 600
    /// So many things are at one place, which puts its backlinks into the ordered entries.
    static let crowdCount = 200

    init(limits: EngineLimits, rowCount: Int = rowCount) throws {
        folder = try TestFolder()
        options = StoreOptions.testing(folder.file, limits: limits)
        let store = try Store.open(options)
        let session = try store.makeSession()
        try store.write(session) { try Self.makeTables(session) }
        for part in 0..<3 {
            try store.write(session) {
                let first = rowCount * part / 3
                try Self.fill(session, first..<(rowCount * (part + 1) / 3))
            }
        }
        try store.write(session) { try Self.change(session) }
        try store.write(session) { try Self.changeSchema(session) }
        guard let things = session.schema["Thing"], let places = session.schema["Place"] else {
            throw StorageError(.notFound, "The sample has lost its tables.")
        }
        self.things = things
        self.places = places
    }

    func column(_ name: String) -> ColumnDefinition {
        guard let position = things.position(named: name) else { preconditionFailure("no column \(name)") }
        return things.columns[position]
    }

    /// The hidden column of the target that mirrors a link.
    func mirror(_ name: String) -> ColumnDefinition {
        let link = column(name)
        let table = link.target == places.space ? places : things
        guard let mirror = link.backlinkColumn, let position = table.position(of: mirror) else {
            preconditionFailure("no mirror of \(name)")
        }
        return table.columns[position]
    }

    /// The key of a column's chunk.
    func chunk(_ name: String, block: UInt32 = 0) -> ChunkKey {
        ChunkKey(things.space, block, column(name).id)
    }

    /// The index that begins with a column.
    func index(_ name: String) -> IndexDefinition {
        guard let index = things.indexes.first(where: { $0.columns.first == column(name).id }) else {
            preconditionFailure("no index on \(name)")
        }
        return index
    }

    // MARK: Making it

    private typealias New = Session.NewColumn

    private static func makeTables(_ session: Session) throws {
        let places = try session.createTable("Place").definition.space
        try session.addColumn(New("title", .string), to: places)
        let things = try session.createTable("Thing").definition.space
        let columns: [New] = [
            New("id", .int), New("flag", .bool), New("number", .int, isNullable: true), New("ratio", .float),
            New("weight", .double, isNullable: true), New("when", .date), New("name", .string),
            New("note", .string, isNullable: true), New("data", .binary), New("oid", .objectId),
            New("uuid", .uuid), New("money", .decimal), New("plain", .int),
            New("tag", .string, defaultValue: .bytes(Array("nothing to be said".utf8))),
            New("numbers", .int, collection: .list, isNullable: true),
            New("words", .string, collection: .list),
            New("flags", .bool, collection: .list, isNullable: true),
            New("boss", .link, target: "Thing"), New("place", .link, target: "Place"),
            New("friends", .link, collection: .list, target: "Thing"), New("dropped", .string),
        ]
        for column in columns { try session.addColumn(column, to: things) }
        try addIndexes(session, things)
    }

    private static func addIndexes(_ session: Session, _ things: SpaceID) throws {
        guard let definition = session.schema[things] else { return }
        func id(_ name: String) -> ColumnID { definition.columns[definition.position(named: name) ?? 0].id }
        try session.addIndex(.hash, on: [id("id")], of: things, isUnique: true, isPrimaryKey: true)
        try session.addIndex(.hash, on: [id("name"), id("flag"), id("number")], of: things)
        for name in ["number", "weight", "note", "oid", "dropped", "when"] {
            try session.addIndex(.ordered, on: [id(name)], of: things)
        }
    }

    private static func fill(_ session: Session, _ numbers: Range<Int>) throws {
        let writer = try SampleRows(session)
        for number in numbers { try writer.add(number) }
    }

    private static func change(_ session: Session) throws {
        let rows = try SampleRows(session)
        var doomed: [RowKey] = []
        rows.things.forEachRow {
            if $0.value % 7 == 3 || (100..<130).contains($0.value) { doomed.append($0) }
        }
        try session.delete(doomed, from: rows.things)
        try rows.things.forEachRow { row in
            guard row.value % 11 == 0 else { return }
            try rows.things.setText(row, rows.position("name"), "changed \(row.value)")
            try rows.things.setNull(row, rows.position("number"))
        }
    }

    private static func changeSchema(_ session: Session) throws {
        let rows = try SampleRows(session)
        let things = rows.things.definition.space
        try session.removeColumn(rows.things.definition.columns[rows.position("dropped")].id, from: things)
        let when = rows.things.definition.columns[rows.position("when")].id
        if let index = rows.things.definition.indexes.first(where: { $0.columns == [when] }) {
            try session.removeIndex(index.space, from: things)
        }
        try session.addColumn(New("late", .string, isNullable: true, defaultValue: .null), to: things)
        let late = rows.things.definition.columns[rows.position("late")].id
        try session.addIndex(.hash, on: [late], of: things)
        try session.addIndex(.ordered, on: [late], of: things)
        let gone = try session.createTable("Gone")
        try session.addColumn(New("thing", .link, target: "Thing"), to: gone.definition.space)
        try session.removeTable(gone.definition.space)
    }
}
