/// Every table of the file at one version.
///
/// A value: a write session changes a copy and publishes it by its commit. Tables keep their place
/// in `tables` while they are there.
package struct Schema: Sendable, Equatable {
    /// Two schemas with one identity are equal: the common case, told without looking at the tables.
    private final class Identity: Sendable {}

    private var identity = Identity()
    package private(set) var tables: [TableDefinition] = []
    private var placeBySpace: [SpaceID: Int] = [:]
    private var placeByName: [String: Int] = [:]

    package init() {}

    init(_ tables: [TableDefinition]) {
        self.tables = tables
        rebuild()
    }

    private mutating func rebuild() {
        identity = Identity()
        placeBySpace = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.space, $0) })
        placeByName = Dictionary(
            tables.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package static func == (left: Schema, right: Schema) -> Bool {
        left.identity === right.identity || left.tables == right.tables
    }

    /// The table's place in `tables`.
    package func place(of space: SpaceID) -> Int? { placeBySpace[space] }

    /// The place of the table of that name.
    package func place(named name: String) -> Int? { placeByName[name] }

    package subscript(space: SpaceID) -> TableDefinition? {
        placeBySpace[space].map { tables[$0] }
    }

    package subscript(name: String) -> TableDefinition? {
        placeByName[name].map { tables[$0] }
    }

    mutating func append(_ table: TableDefinition) {
        tables.append(table)
        rebuild()
    }

    mutating func replace(_ table: TableDefinition) {
        guard let place = placeBySpace[table.space] else {
            preconditionFailure("the table \(table.name) is not part of the schema")
        }
        tables[place] = table
        rebuild()
    }

    mutating func remove(_ space: SpaceID) {
        tables.removeAll { $0.space == space }
        rebuild()
    }

    /// What does not fit together between the tables, or nil: links and their mirrors, names,
    /// numbers used twice.
    package func fault() -> String? {
        if placeByName.count != tables.count { return "two tables have one name" }
        var spaces = Set<SpaceID>()
        for table in tables {
            let owned = [table.space] + table.indexes.map(\.space) + table.columns.compactMap(\.overflowSpace)
            for space in owned where !spaces.insert(space).inserted { return "\(space) is used twice" }
            for column in table.columns {
                if let fault = linkFault(of: column, in: table) { return "the table \(table.name) \(fault)" }
            }
        }
        return nil
    }

    private func linkFault(of column: ColumnDefinition, in table: TableDefinition) -> String? {
        guard let target = column.target else { return nil }
        guard let other = self[target] else { return "links to a table that is not there" }
        let mirror = column.kind == .link ? column.backlinkColumn : column.originColumn
        guard let mirror, let position = other.position(of: mirror) else {
            return "has a link without a mirror"
        }
        let counterpart = other.columns[position]
        let leadsBack = counterpart.kind == .link ? counterpart.backlinkColumn : counterpart.originColumn
        guard counterpart.target == table.space, leadsBack == column.id,
            (counterpart.kind == .link) != (column.kind == .link)
        else { return "has a link whose mirror belongs to another" }
        return nil
    }
}
