package import CairnStorage

/// One group of the rows of a query.
package struct RowGroup: Sendable {
    /// A row of the group, the first: its values are those of the group.
    package let firstRow: RowKey
    package let count: Int
    /// One a calculation that was asked for.
    package let results: [Calculation.Result]
}

extension QueryEvaluation {
    /// The rows in groups of equal values, in the order in which the groups appear, with a calculation over each.
    /// Equal is what a program's dictionary of the values finds equal.
    ///
    /// - Complexity: O(rows × calculations).
    package func groups(
        by paths: [ColumnPath], calculating wanted: [(Operation, ColumnPath)]
    ) throws(StorageError) -> [RowGroup] {
        var grouper = try RowGrouper(paths, table, context, joinsEqualTexts: true)
        var readers: [ColumnReader] = []
        for (_, path) in wanted { readers.append(try ColumnReader(path, table, context)) }
        var firstRows: [RowKey] = []
        var counts: [Int] = []
        var calculations: [Calculation] = []
        for row in try rows() {
            let (number, isNew) = grouper.group(of: row)
            if isNew {
                firstRows.append(row)
                counts.append(0)
                for (place, (operation, _)) in wanted.enumerated() {
                    calculations.append(Calculation(operation.bound, readers[place].kind))
                }
            }
            counts[number] += 1
            for (place, reader) in readers.enumerated() {
                guard case .value(let bytes) = reader.find(row) else { continue }
                calculations[number * readers.count + place].add(ScalarValue(bytes, reader.kind))
            }
        }
        try context.throwFailure()
        return firstRows.indices.map { number in
            let first = number * readers.count
            return RowGroup(
                firstRow: firstRows[number], count: counts[number],
                results: calculations[first..<(first + readers.count)].map(\.result))
        }
    }
}
