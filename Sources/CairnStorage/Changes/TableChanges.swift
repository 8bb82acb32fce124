/// What happened to the rows of one table between two versions.
///
/// Two forms: **rewritten**, which says that any row may have come, gone or changed, and holds no set;
/// or three kinds of sets. Then a row is inserted, deleted or modified, never two of them:
///
/// | what happened to the row | where it is |
/// |---|---|
/// | inserted, then modified | inserted |
/// | modified, then deleted | deleted |
/// | inserted, then deleted | nowhere |
package struct TableChanges: Equatable, Sendable {
    /// Rows that are there after and were not before.
    package private(set) var inserted = RowKeySet()
    /// Rows that were there before and are not after.
    package private(set) var deleted = RowKeySet()
    /// Rows that are there before and after, by the column in which they may differ. No set is empty.
    package private(set) var modified: [ColumnID: RowKeySet] = [:]
    /// Whether any row may have changed in any way.
    package private(set) var isRewritten = false

    /// No change.
    package init() {}

    /// A table of which any row may have changed.
    package static let rewritten: TableChanges = {
        var changes = TableChanges()
        changes.noteRewritten()
        return changes
    }()

    /// The changes, or nil when a row is in two of the sets. Empty sets of modified rows are left
    /// out.
    package init?(inserted: RowKeySet, deleted: RowKeySet, modified: [ColumnID: RowKeySet]) {
        guard inserted.isDisjoint(with: deleted) else { return nil }
        for rows in modified.values {
            guard rows.isDisjoint(with: inserted), rows.isDisjoint(with: deleted) else { return nil }
        }
        self.inserted = inserted
        self.deleted = deleted
        self.modified = modified.filter { !$0.value.isEmpty }
    }

    /// Whether nothing happened.
    package var isEmpty: Bool {
        !isRewritten && inserted.isEmpty && deleted.isEmpty && modified.isEmpty
    }

    /// The rows that were modified in at least one column.
    package var modifiedRows: RowKeySet {
        modified.values.reduce(into: RowKeySet()) { $0.formUnion($1) }
    }
}

// MARK: - Recording

extension TableChanges {
    /// Notes a new row. Its key was never used before, so no earlier note can concern it.
    package mutating func noteInserted(_ row: RowKey) {
        guard !isRewritten else { return }
        inserted.insert(row)
    }

    /// Notes a range of new rows.
    package mutating func noteInserted(_ rows: Range<RowKey>) {
        guard !isRewritten else { return }
        inserted.insert(rows)
    }

    /// Notes that a value of a row was written. Has no effect for a row that is new itself.
    package mutating func noteModified(_ row: RowKey, _ column: ColumnID) {
        guard !isRewritten, !inserted.contains(row) else { return }
        assert(!deleted.contains(row), "\(row) is deleted and cannot be modified.")
        modified[column, default: RowKeySet()].insert(row)
    }

    /// Notes that a row was deleted. A row that is new itself is then in no set.
    package mutating func noteDeleted(_ row: RowKey) {
        guard !isRewritten, !inserted.remove(row) else { return }
        deleted.insert(row)
        for column in modified.keys where modified[column]!.remove(row) {
            if modified[column]!.isEmpty { modified[column] = nil }
        }
    }

    /// Notes that any row may have changed: the sets are dropped, and later notes have no effect.
    package mutating func noteRewritten() {
        inserted = []
        deleted = []
        modified = [:]
        isRewritten = true
    }
}

// MARK: - Composition

extension TableChanges {
    /// This and then the next as one change.
    ///
    ///     inserted = (this.inserted − next.deleted) ∪ next.inserted
    ///     deleted  = this.deleted ∪ (next.deleted − this.inserted)
    ///     modified = (this.modified − next.deleted) ∪ (next.modified − this.inserted)
    ///
    /// What is rewritten in either is rewritten.
    package func followed(by next: TableChanges) -> TableChanges {
        var result = self
        result.append(next)
        return result
    }

    /// The same in place: cheap when the next is small and this is large.
    package mutating func append(_ next: TableChanges) {
        guard !isRewritten, !next.isRewritten else { return noteRewritten() }
        for (column, rows) in next.modified {
            let older = rows.subtracting(inserted)
            if !older.isEmpty { modified[column, default: RowKeySet()].formUnion(older) }
        }
        if !next.deleted.isEmpty {
            for column in modified.keys {
                modified[column]!.subtract(next.deleted)
                if modified[column]!.isEmpty { modified[column] = nil }
            }
        }
        deleted.formUnion(next.deleted.subtracting(inserted))
        inserted.subtract(next.deleted)
        inserted.formUnion(next.inserted)
    }
}
