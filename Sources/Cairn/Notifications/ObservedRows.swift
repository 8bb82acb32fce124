internal import CairnQuery
internal import CairnStorage

/// The rows of an observed collection, in order, as its listener knows them.
///
/// One kind for each way in which work can follow the change:
///
/// | kind | of | work at a change of k rows |
/// |---|---|---|
/// | `RowsByKey` | all rows of a class; rows on a condition that looks at nothing but the row | O(k log n) and a look at each block |
/// | `RowsInOrder` | lists, links backwards, whatever is sorted, limited, or looks through links | carried out anew, if a class changed that it depends on |
protocol ObservedRows {
    var count: Int { get }

    /// Goes on to where the engine session is.
    ///
    /// - Parameters:
    ///   - changes: all changes since.
    ///   - modified: the rows of the class that count as modified.
    mutating func bringForward(
        _ changes: ChangeSet, modified: RowKeySet, _ context: QueryContext
    ) throws(StorageError) -> RowsChange
}

/// Rows in the order of their keys.
struct RowsByKey: ObservedRows {
    private let query: QueryDescription
    private var rows: RowKeySet

    /// - Precondition: the query takes rows by themselves, in the order of their keys.
    init(_ query: QueryDescription, _ context: QueryContext) throws(StorageError) {
        self.query = query
        rows = RowKeySet()
        if query.isWholeTable {
            try context.session.table(query.table).forEachRow { rows.insert($0) }
        } else {
            for row in try QueryEvaluation(query, context).rows() { rows.insert(row) }
        }
    }

    var count: Int { rows.count }

    mutating func bringForward(
        _ changes: ChangeSet, modified: RowKeySet, _ context: QueryContext
    ) throws(StorageError) -> RowsChange {
        let table = changes.changes(of: query.table)
        let gone: RowKeySet
        let come: RowKeySet
        if query.isWholeTable {
            gone = table.deleted.intersection(rows)
            come = table.inserted
        } else {
            let asked = table.inserted.union(table.modifiedRows)
            let fitting = try QueryEvaluation(query, context).fitting(asked)
            gone = asked.subtracting(fitting).union(table.deleted).intersection(rows)
            come = fitting.subtracting(rows)
        }
        var result = RowsChange()
        let stayed = modified.intersection(rows).subtracting(gone)
        guard !gone.isEmpty || !come.isEmpty || !stayed.isEmpty else { return result }
        let old = RowRanks(rows)
        result.deletions = old.places(of: gone)
        result.modifications = old.places(of: stayed)
        guard !gone.isEmpty || !come.isEmpty else { return result }
        rows.subtract(gone)
        rows.formUnion(come)
        result.insertions = come.isEmpty ? [] : RowRanks(rows).places(of: come)
        return result
    }
}

/// Rows in an order of their own.
struct RowsInOrder: ObservedRows {
    private let query: QueryDescription
    private let tables: Set<SpaceID>
    private var rows: [RowKey]

    init(_ query: QueryDescription, _ context: QueryContext) throws(StorageError) {
        self.query = query
        tables = Set(query.tables)
        rows = try QueryEvaluation(query, context).rows()
    }

    var count: Int { rows.count }

    mutating func bringForward(
        _ changes: ChangeSet, modified: RowKeySet, _ context: QueryContext
    ) throws(StorageError) -> RowsChange {
        var result = RowsChange()
        if tables.contains(where: { !changes.changes(of: $0).isEmpty }) {
            let new = try QueryEvaluation(query, context).rows()
            let difference = ArrangementDifference(from: rows, to: new)
            result.deletions = difference.deletions
            result.insertions = difference.insertions
            defer { rows = new }
            result.modifications = places(of: modified, but: difference.deletions)
        } else {
            result.modifications = places(of: modified, but: [])
        }
        return result
    }

    /// The places of rows that stay.
    private func places(of modified: RowKeySet, but gone: [Int]) -> [Int] {
        guard !modified.isEmpty else { return [] }
        var result: [Int] = []
        var gone = gone[...]
        for (place, row) in rows.enumerated() {
            if gone.first == place {
                gone.removeFirst()
            } else if modified.contains(row) {
                result.append(place)
            }
        }
        return result
    }
}
