package import CairnStorage

/// What is asked: of which rows, on what condition, in what order.
///
/// A value: it can be kept, changed by adding to it, and asked of any session of the file.
package struct QueryDescription: Hashable, Sendable {
    /// The class of the rows.
    package let table: SpaceID
    package let base: QueryBase
    /// What the rows must fit; `.constant(true)` for all of them. Asked before the steps.
    package private(set) var condition: BoundCondition
    package private(set) var steps: [ResultStep]

    package init(
        _ table: SpaceID, base: QueryBase = .table, condition: BoundCondition = .constant(true),
        steps: [ResultStep] = []
    ) {
        self.table = table
        self.base = base
        self.condition = condition
        self.steps = steps
    }

    /// Whether it is all rows of a class, as they lie.
    package var isWholeTable: Bool { base == .table && condition == .constant(true) && steps.isEmpty }

    /// The same with one more condition. As in Realm it is asked of the rows before they are sorted and told
    /// apart; but of a limited collection, of those that the limit has left.
    package func filtered(by more: BoundCondition) -> QueryDescription {
        let isLimited = steps.contains { if case .limit = $0 { true } else { false } }
        guard !isLimited else { return selecting(more) }
        var result = self
        result.condition = .allOf([condition, more])
        return result
    }

    /// Those of its rows that fit one more condition: asked after all steps.
    package func selecting(_ more: BoundCondition) -> QueryDescription {
        let isSorted = steps.allSatisfy { if case .sort = $0 { true } else { false } }
        guard isSorted else { return QueryDescription(table, base: .query(QueryBox(self)), condition: more) }
        var result = self
        result.condition = .allOf([condition, more])
        return result
    }

    /// The same with one more step.
    package func adding(_ step: ResultStep) -> QueryDescription {
        var result = self
        switch step {
        case .sort(let keys) where keys.isEmpty: return self
        case .distinct(let paths) where paths.isEmpty: return self
        // The later sort counts first, and the earlier one among what it leaves equal: one sort by both.
        case .sort(let keys):
            if case .sort(let earlier)? = steps.last {
                result.steps[steps.count - 1] = .sort(keys + earlier)
                return result
            }
        // Of a limited collection a part: one limit.
        case .limit(let offset, let count):
            if case .limit(let earlierOffset, let earlierCount)? = steps.last {
                result.steps[steps.count - 1] = .limit(
                    offset: earlierOffset.addingClamped(offset),
                    count: min(count, max(0, earlierCount - offset)))
                return result
            }
        default: break
        }
        result.steps.append(step)
        return result
    }

    /// The tables whose changes change its rows.
    package var tables: [SpaceID] {
        var tables = TableSet()
        tables.insert(table)
        condition.collectTables(into: &tables)
        for step in steps {
            switch step {
            case .sort(let keys):
                for link in keys.flatMap(\.path.links) { tables.insert(link.target) }
            case .distinct(let paths):
                for link in paths.flatMap(\.links) { tables.insert(link.target) }
            case .limit: break
            }
        }
        switch base {
        case .table: break
        case .elements(let owner, _, _): tables.insert(owner)
        case .query(let inner): for table in inner.query.tables { tables.insert(table) }
        }
        return tables.spaces
    }
}

/// The rows that a query begins with.
package enum QueryBase: Hashable, Sendable {
    /// All rows of the class, in the order of their keys.
    case table
    /// The objects of a list, or those that link to a row, in their order.
    case elements(owner: SpaceID, row: RowKey, column: ColumnID)
    /// What another query gives.
    case query(QueryBox)
}

/// A query within a query.
package final class QueryBox: Hashable, Sendable {
    package let query: QueryDescription

    package init(_ query: QueryDescription) { self.query = query }

    package static func == (left: QueryBox, right: QueryBox) -> Bool { left.query == right.query }

    package func hash(into hasher: inout Hasher) { hasher.combine(query) }
}
