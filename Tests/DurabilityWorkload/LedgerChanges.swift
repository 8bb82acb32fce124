package import CairnStorage

/// Compares what the store says has changed between two versions with the two versions themselves.
package struct LedgerChanges {
    private let old: Session
    private let new: Session

    package init(from old: Session, to new: Session) {
        self.old = old
        self.new = new
    }

    package func check(_ store: Store) throws {
        let changes = try store.changes(from: old.snapshot, to: new.snapshot)
        guard let changes else {
            guard old.version == new.version else { throw LedgerFailure("no changes between two versions") }
            return
        }
        guard changes.versionBefore == old.version, changes.version == new.version else {
            throw LedgerFailure(
                "changes of \(changes.versionBefore) to \(changes.version), not \(old.version) to \(new.version)"
            )
        }
        guard !changes.isTooLarge else { return }
        for name in ["Counter", "Entry", "Book", "Bulk"] { try compare(name, changes) }
    }

    private func compare(_ name: String, _ changes: ChangeSet) throws {
        guard let before = try old.table(named: name), let after = try new.table(named: name) else {
            throw LedgerFailure("the table \(name) is gone")
        }
        let told = changes.changes(of: after.definition.space)
        guard !told.isRewritten else { return }
        let (oldRows, newRows) = (before.rowSet, after.rowSet)
        let both = oldRows.intersection(newRows)
        try expect(Set(told.inserted), newRows.subtracting(oldRows), "inserted rows of \(name)")
        try expect(Set(told.deleted), oldRows.subtracting(newRows), "deleted rows of \(name)")
        let modified = Set(told.modifiedRows)
        guard modified.isSubset(of: both) else {
            throw LedgerFailure(
                "\(span): rows \(modified.subtracting(both)) of \(name) were modified and are not in both")
        }
        for row in both where !modified.contains(row) {
            let (was, has) = (try contents(name, before, row), try contents(name, after, row))
            guard was == has else {
                throw LedgerFailure(
                    "\(span): the row \(row) of \(name) became \(has) from \(was), which was not told")
            }
        }
    }

    private func contents(_ name: String, _ table: SessionTable, _ row: RowKey) throws -> [String] {
        switch name {
        case "Counter":
            return ["\(table.value(row, 0, as: Int64.self)) \(table.value(row, 1, as: Int64.self))"]
        case "Entry":
            let owner = table.link(row, 3).map { "\($0)" } ?? "nobody"
            return ["\(table.value(row, 1, as: Int64.self))", table.string(row, 2), owner]
        case "Book":
            let (numbers, entries) = (try table.listCount(row, 1), try table.listCount(row, 2))
            let last = numbers > 0 ? try table.listElement(row, 1, at: numbers - 1) : nil
            let lastEntry = entries > 0 ? "\(try table.listLink(row, 2, at: entries - 1))" : ""
            return [table.string(row, 0), "\(numbers) \(last ?? [])", "\(entries) \(lastEntry)"]
        default: return ["\(table.value(row, 0, as: Int64.self))", table.string(row, 1)]
        }
    }

    private var span: String { "from \(old.version) to \(new.version)" }

    private func expect(_ found: Set<RowKey>, _ wanted: Set<RowKey>, _ what: String) throws {
        guard found != wanted else { return }
        let (more, fewer) = (found.subtracting(wanted), wanted.subtracting(found))
        throw LedgerFailure("\(span), \(what): told for nothing \(more), not told \(fewer)")
    }
}

extension SessionTable {
    fileprivate var rowSet: Set<RowKey> {
        var rows: Set<RowKey> = []
        forEachRow { rows.insert($0) }
        return rows
    }
}
