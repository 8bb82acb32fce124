import CairnStorage

/// Checks a change set against the models of both its versions.
struct ChangeComparison {
    let old: Model
    let new: Model

    init(from old: Model, to new: Model) {
        self.old = old
        self.new = new
    }

    /// Inserted and deleted rows exactly, and every changed row among the modified.
    func check(_ changes: ChangeSet) throws {
        for space in changes.tables.keys {
            try require(new.has(space), "changes of \(space), which is no table of the new version")
        }
        for space in new.spaces { try check(space, changes.changes(of: space)) }
        let isCatalogueOther = old.spaces != new.spaces || new.spaces.contains { isSchemaOther($0) }
        try require(!isCatalogueOther || changes.catalogueChanged, "the schema changed, and nothing says so")
    }

    /// Nothing may differ where a commit said that nothing did.
    func checkNothing() throws {
        try require(old.spaces == new.spaces, "tables came or went without a change set")
        try require(old.schemaVersion == new.schemaVersion, "another schema version without a change set")
        for space in new.spaces {
            try require(!isSchemaOther(space), "\(new[space].name) got another schema without a change set")
            try check(space, TableChanges())
        }
    }

    private func isSchemaOther(_ space: SpaceID) -> Bool {
        guard old.has(space) else { return true }
        return old[space].columns != new[space].columns || old[space].indexes != new[space].indexes
    }

    private func check(_ space: SpaceID, _ changes: TableChanges) throws {
        guard !changes.isRewritten else { return }
        let after = new[space]
        let before = Set(old.has(space) ? old[space].keys : [])
        let now = Set(after.keys)
        try require(
            Set(changes.inserted) == now.subtracting(before),
            "\(after.name): inserted \(Array(changes.inserted)), wanted \(now.subtracting(before).sorted())")
        try require(
            Set(changes.deleted) == before.subtracting(now),
            "\(after.name): deleted \(Array(changes.deleted)), wanted \(before.subtracting(now).sorted())")
        let both = now.intersection(before)
        for (column, rows) in changes.modified {
            try require(
                Set(rows).isSubset(of: both), "\(after.name) \(column): rows were modified that came or went")
        }
        guard !both.isEmpty else { return }
        for column in after.columns { try checkColumn(column, space, both, changes) }
        for (origin, column) in new.links(to: space) { try checkMirror(origin, column, space, both, changes) }
    }

    private func checkColumn(
        _ column: ModelColumn, _ space: SpaceID, _ both: Set<RowKey>, _ changes: TableChanges
    ) throws {
        let listed = changes.modified[column.id] ?? RowKeySet()
        // A row whose cell of a new column is at the default has not changed.
        // Under its id: it may have another name or default by now.
        let known = old[space].columns.first { $0.id == column.id }
        for row in both {
            let before = known.map { old[space].cell(row, $0) } ?? column.fallback
            guard before != new[space].cell(row, column) else { continue }
            try require(
                listed.contains(row), "\(new[space].name) \(row).\(column.name) changed and is not listed")
        }
    }

    private func checkMirror(
        _ origin: SpaceID, _ column: ModelColumn, _ space: SpaceID, _ both: Set<RowKey>,
        _ changes: TableChanges
    ) throws {
        guard let mirror = column.mirror else { return }
        let listed = changes.modified[mirror] ?? RowKeySet()
        let isKnown = old.has(origin) && old[origin].columns.contains { $0.id == column.id }
        let before = isKnown ? old.backlinks(from: origin, column) : [:]
        let after = new.backlinks(from: origin, column)
        for row in both where before[row] != after[row] {
            try require(
                listed.contains(row),
                "\(new[space].name) \(row): its links by \(column.name) changed unlisted")
        }
    }
}
