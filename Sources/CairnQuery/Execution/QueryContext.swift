package import CairnStorage

/// What the evaluation of a query works with: the session, and what was found out on the way.
///
/// Used by one thread, that of the session.
package final class QueryContext {
    package let session: Session
    let folded: FoldedChunks
    /// The first damage met.
    private var failure: StorageError?

    package init(_ session: Session, _ folded: FoldedChunks) {
        self.session = session
        self.folded = folded
    }

    func note(_ error: StorageError) {
        if failure == nil { failure = error }
    }

    /// Throws what was noted, and what the session has noted meanwhile: reading a column cannot throw, and
    /// what is damaged reads as the default.
    func throwFailure() throws(StorageError) {
        try session.throwDamage()
        guard let failure else { return }
        self.failure = nil
        throw failure
    }

    func position(of column: ColumnID, in table: SessionTable) throws(StorageError) -> Int {
        guard let position = table.definition.position(of: column) else {
            throw StorageError(
                .notFound, "A query uses a property of \(table.definition.name) that the file no longer has.")
        }
        return position
    }

    /// A condition on rows of another table, for whoever comes by links.
    func matcher(_ condition: BoundCondition, _ space: SpaceID) throws(StorageError) -> TargetMatcher {
        let table = try session.table(space)
        return TargetMatcher(table, try node(condition, table))
    }
}
