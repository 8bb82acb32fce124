import CairnStorage

/// The contents of a file as plain dictionaries: what the engine must show.
///
/// A value: layers, versions and readers keep copies.
struct Model {
    /// In the order of the schema.
    private(set) var spaces: [SpaceID] = []
    private var tables: [SpaceID: ModelTable] = [:]
    /// The program's own.
    var schemaVersion: UInt64 = 0

    subscript(space: SpaceID) -> ModelTable {
        get {
            guard let table = tables[space] else {
                preconditionFailure("the model has no table with \(space)")
            }
            return table
        }
        _modify {
            guard var table = tables[space] else {
                preconditionFailure("the model has no table with \(space)")
            }
            // Taken out while it is changed, so that its rows are not copied.
            tables[space] = nil
            defer { tables[space] = table }
            yield &table
        }
    }

    func has(_ space: SpaceID) -> Bool { tables[space] != nil }

    mutating func add(_ table: ModelTable) {
        spaces.append(table.space)
        tables[table.space] = table
    }

    mutating func remove(_ space: SpaceID) {
        spaces.removeAll { $0 == space }
        tables[space] = nil
    }

    var rowCount: Int { spaces.reduce(0) { $0 + self[$1].rows.count } }

    /// The link columns that lead to a table, with the table they are in.
    func links(to target: SpaceID) -> [(origin: SpaceID, column: ModelColumn)] {
        spaces.flatMap { space in
            self[space].columns.filter { $0.target == target }.map { (space, $0) }
        }
    }

    /// The rows that link to each row of a table in a column, rising, each as often as it does.
    func backlinks(from origin: SpaceID, _ column: ModelColumn) -> [RowKey: [RowKey]] {
        let table = self[origin]
        var result: [RowKey: [RowKey]] = [:]
        for row in table.keys {
            for target in table.cell(row, column).targets { result[target, default: []].append(row) }
        }
        return result
    }

    /// The rows that go with some rows: what they own in embedded tables, and what that owns.
    func closure(of rows: some Sequence<RowKey>, in space: SpaceID) -> [SpaceID: Set<RowKey>] {
        var result: [SpaceID: Set<RowKey>] = [:]
        var rest = rows.map { (space, $0) }
        while let (space, row) = rest.popLast() {
            guard result[space, default: []].insert(row).inserted else { continue }
            for column in self[space].columns {
                guard let target = column.target, self[target].isEmbedded else { continue }
                rest += self[space].cell(row, column).targets.map { (target, $0) }
            }
        }
        return result
    }

    /// Deletes rows, what they own, and every link to them.
    mutating func delete(_ rows: some Sequence<RowKey>, from space: SpaceID) {
        let gone = closure(of: rows, in: space)
        for (space, rows) in gone {
            for (origin, column) in links(to: space) { self[origin].cutLinks(column, to: rows) }
        }
        for (space, rows) in gone { self[space].remove(rows) }
    }
}

/// A column of a model's table.
struct ModelColumn: Hashable {
    let id: ColumnID
    let name: String
    let kind: ValueKind
    let isList: Bool
    let isNullable: Bool
    /// Links: the table they lead to, and the hidden column there.
    let target: SpaceID?
    let mirror: ColumnID?
    /// What a row has that never set it.
    let fallback: Cell

    init(_ definition: ColumnDefinition) {
        id = definition.id
        name = definition.name
        kind = definition.kind
        isList = definition.collection == .list
        isNullable = definition.isNullable
        target = definition.kind == .link ? definition.target : nil
        mirror = definition.backlinkColumn
        let zero = [UInt8](
            repeating: 0, count: definition.kind == .bool ? 1 : definition.kind.elementByteCount ?? 0)
        fallback =
            if isList {
                definition.kind == .link ? .links([]) : .list([])
            } else if definition.kind == .link {
                .link(nil)
            } else {
                switch definition.defaultValue {
                case .zero: .value(zero)
                case .null: .value(nil)
                case .bytes(let bytes): .value(bytes)
                }
            }
    }

    /// Whether it can be in an index.
    var isValue: Bool { !isList && kind != .link }
    /// Whether it can be in an ordered one.
    var hasOrder: Bool { isValue && kind != .decimal }
}
