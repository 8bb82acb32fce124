internal import CairnLMDB

extension WriteContext {
    /// Changes the pending entries of the database `ordered`.
    func changeOrdered(_ body: (OrderedDelta, inout OrderedKeyBuffer) -> Void) {
        body(ordered, &orderedKey)
    }
}

extension Session {
    /// Runs a body with a cursor over the entries of the database `ordered` as the session sees them.
    func withOrderedCursor<Result>(
        within bounds: OrderedBounds, _ order: ScanOrder,
        _ body: (inout OrderedCursor<LMDBOrderedSource>) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let delta = writer.flatMap { $0.ordered.isEmpty ? nil : $0.ordered }
        return try snapshot.withTransaction { transaction throws(StorageError) in
            let committed: Cursor
            do throws(LMDBError) {
                committed = try transaction.cursor(self.snapshot.contents.ordered)
            } catch {
                throw self.snapshot.contents.failure(error, .reading)
            }
            var cursor = OrderedCursor(LMDBOrderedSource(committed), delta, within: bounds, order)
            return try body(&cursor)
        }
    }
}
