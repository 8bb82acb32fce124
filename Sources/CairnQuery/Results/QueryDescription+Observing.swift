package import CairnStorage

// What observing a query needs to know of it.
extension QueryDescription {
    /// Whether each row of the class is in it or not by itself, whatever other rows are, and the rows are in the
    /// order of their keys: then a change concerns the rows that were changed alone.
    package var takesRowsByThemselves: Bool { base == .table && steps.isEmpty && condition.looksAtRowAlone }

    /// Whether it is all of what it begins with.
    package var isWholeBase: Bool { condition == .constant(true) && steps.isEmpty }
}

extension QueryEvaluation {
    /// Of some rows of the class, those that are there and fit the condition.
    ///
    /// - Complexity: O(rows), but a whole block where many of its rows are asked for.
    package func fitting(_ rows: RowKeySet) throws(StorageError) -> RowKeySet {
        let matcher = try context.matcher(query.condition, query.table)
        var result = RowKeySet()
        for row in rows where table.contains(row) && matcher.matches(row) { result.insert(row) }
        try context.throwFailure()
        return result
    }
}

extension BoundCondition {
    /// Whether its answer for a row depends on that row's own columns alone.
    var looksAtRowAlone: Bool {
        switch self {
        case .constant, .value, .anyValue, .rows: true
        case .not(let inner): inner.looksAtRowAlone
        case .and(let parts), .or(let parts): parts.allSatisfy(\.looksAtRowAlone)
        case .link: false
        case .anyElement(let elements, _): elements.target == nil
        case .count(let elements, let inner, _): inner == nil || elements.target == nil
        case .aggregate(let aggregate, _): aggregate.elements.target == nil
        case .comparison(let left, _, let right, _): left.looksAtRowAlone && right.looksAtRowAlone
        }
    }
}

extension ScalarPath {
    fileprivate var looksAtRowAlone: Bool {
        guard links.isEmpty else { return false }
        switch leaf {
        case .column, .row: return true
        case .count(let elements, let inner): return inner == nil || elements.target == nil
        case .aggregate(let aggregate): return aggregate.elements.target == nil
        }
    }
}
