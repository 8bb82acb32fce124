package import CairnStorage

/// Carries a query out when it is asked for something, and keeps what it has found while nothing changes that
/// it depends on.
///
/// Used by one thread at a time.
package final class QueryCache {
    package let query: QueryDescription
    private let spaces: [SpaceID]
    private var stamp: SessionStamp?
    private var session: ObjectIdentifier?
    private var foundRows: [RowKey]?
    private var foundCount: Int?
    private var places: [RowKey: Int]?
    private var calculations: [CalculationKey: Calculation.Result] = [:]

    private struct CalculationKey: Hashable {
        let operation: QueryEvaluation.Operation
        let path: ColumnPath
    }

    /// Whether all sessions that it is asked with show one version, which none of them changes.
    private let isFrozen: Bool

    package init(_ query: QueryDescription, isFrozen: Bool = false) {
        self.query = query
        self.isFrozen = isFrozen
        spaces = query.tables
    }

    /// Forgets what was found for another state of the session.
    private func settle(_ session: Session) throws(StorageError) {
        if isFrozen { return }
        var tables: [SessionTable] = []
        tables.reserveCapacity(spaces.count)
        for space in spaces { tables.append(try session.table(space)) }
        let now = SessionStamp(session, tables)
        guard now != stamp || ObjectIdentifier(session) != self.session else { return }
        stamp = now
        self.session = ObjectIdentifier(session)
        foundRows = nil
        foundCount = nil
        places = nil
        calculations = [:]
    }

    package func rows(_ context: QueryContext) throws(StorageError) -> [RowKey] {
        try settle(context.session)
        if let foundRows { return foundRows }
        let rows = try QueryEvaluation(query, context).rows()
        foundRows = rows
        return rows
    }

    package func count(_ context: QueryContext) throws(StorageError) -> Int {
        try settle(context.session)
        if let foundRows { return foundRows.count }
        if let foundCount { return foundCount }
        let count = try QueryEvaluation(query, context).count()
        foundCount = count
        return count
    }

    package func first(_ context: QueryContext) throws(StorageError) -> RowKey? {
        try settle(context.session)
        if let foundRows { return foundRows.first }
        return try QueryEvaluation(query, context).first()
    }

    /// What a property comes to.
    package func calculate(
        _ operation: QueryEvaluation.Operation, _ path: ColumnPath, _ context: QueryContext
    ) throws(StorageError) -> Calculation.Result {
        try settle(context.session)
        let key = CalculationKey(operation: operation, path: path)
        if let known = calculations[key] { return known }
        let result = try QueryEvaluation(query, context).calculate(operation, path)
        calculations[key] = result
        return result
    }

    /// The first place of a row.
    ///
    /// - Complexity: While the rows are unchanged, O(1) but for the first call.
    package func place(of row: RowKey, _ context: QueryContext) throws(StorageError) -> Int? {
        let rows = try rows(context)
        if places == nil {
            places = Dictionary(rows.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        }
        return places?[row]
    }
}
