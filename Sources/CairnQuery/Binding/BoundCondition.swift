package import CairnStorage

/// A condition in the terms of the file: tables, columns and constants of their kinds. What the planner
/// plans and the executor carries out.
///
/// Columns are those of the table that the condition is asked of. Their positions are looked up when it is
/// carried out, so that a bound condition outlives changes of the schema.
package indirect enum BoundCondition: Hashable, Sendable {
    case constant(Bool)
    case not(BoundCondition)
    case and([BoundCondition])
    case or([BoundCondition])
    /// A value of the row itself.
    case value(ColumnID, BoundTest)
    /// A condition on the row that a to-one link leads to.
    case link(ColumnID, target: SpaceID, BoundCondition, whenNil: Bool)
    /// Some object of a list, or some object linking here, fits.
    case anyElement(BoundElements, BoundCondition)
    /// Some value of a list fits.
    case anyValue(ColumnID, BoundTest)
    /// The number of elements, or of those that fit.
    case count(BoundElements, matching: BoundCondition?, BoundTest)
    /// A calculation over the elements.
    case aggregate(BoundAggregate, BoundTest)
    /// Two properties.
    case comparison(ScalarPath, ScalarRelation, ScalarPath, TextFolding)
    /// The row is one of these, rising.
    case rows([RowKey])
}

/// The elements of a collection of objects, or of values.
package struct BoundElements: Hashable, Sendable {
    /// A list, or a hidden column that mirrors links.
    let column: ColumnID
    /// The class of the objects; nil for values.
    let target: SpaceID?
}

/// `@min @max @sum @avg` over a collection.
package struct BoundAggregate: Hashable, Sendable {
    enum Operation: String, Hashable, Sendable {
        case min, max, sum, avg
    }

    let operation: Operation
    let elements: BoundElements
    /// The property of the objects; nil where the elements are values.
    let column: ColumnID?
}

/// A value that is read by way of to-one links: a side of a comparison of two properties.
package struct ScalarPath: Hashable, Sendable {
    enum Leaf: Hashable, Sendable {
        case column(ColumnID)
        case count(BoundElements, matching: BoundCondition?)
        case aggregate(BoundAggregate)
        /// The row that the links lead to.
        case row
    }

    /// Each with the table that it leads to.
    let links: [BoundLink]
    let leaf: Leaf
}

/// A to-one link to follow.
package struct BoundLink: Hashable, Sendable {
    let column: ColumnID
    let target: SpaceID
}

/// How two values are compared.
package enum ScalarRelation: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
}

extension BoundCondition {
    /// The conjunction: without what is always true, and flat.
    static func allOf(_ parts: [BoundCondition]) -> BoundCondition {
        var flat: [BoundCondition] = []
        for part in parts {
            switch part {
            case .constant(true): continue
            case .constant(false): return part
            case .and(let inner): flat += inner
            default: flat.append(part)
            }
        }
        switch flat.count {
        case 0: return .constant(true)
        case 1: return flat[0]
        default: return .and(flat)
        }
    }

    /// The disjunction: without what is never true, flat, and with all equalities of one column as one
    /// membership test.
    static func anyOf(_ parts: [BoundCondition]) -> BoundCondition {
        var flat: [BoundCondition] = []
        for part in parts {
            switch part {
            case .constant(false): continue
            case .constant(true): return part
            case .or(let inner): flat += inner
            default: flat.append(part)
            }
        }
        flat = EqualityMerger.merge(flat)
        switch flat.count {
        case 0: return .constant(false)
        case 1: return flat[0]
        default: return .or(flat)
        }
    }

    /// What holds wherever this does not.
    static func negation(of condition: BoundCondition) -> BoundCondition {
        switch condition {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        case .value(let column, let bound):
            .value(column, bound.inverted)
        default: .not(condition)
        }
    }

    /// The tables that it looks at besides its own.
    func collectTables(into tables: inout TableSet) {
        switch self {
        case .constant, .value, .anyValue, .rows: break
        case .not(let inner): inner.collectTables(into: &tables)
        case .and(let parts), .or(let parts): for part in parts { part.collectTables(into: &tables) }
        case .link(_, let target, let inner, _):
            tables.insert(target)
            inner.collectTables(into: &tables)
        case .anyElement(let elements, let inner):
            if let target = elements.target { tables.insert(target) }
            inner.collectTables(into: &tables)
        case .count(let elements, let inner, _):
            if inner != nil, let target = elements.target { tables.insert(target) }
            inner?.collectTables(into: &tables)
        case .aggregate(let aggregate, _):
            if let target = aggregate.elements.target { tables.insert(target) }
        case .comparison(let left, _, let right, _):
            left.collectTables(into: &tables)
            right.collectTables(into: &tables)
        }
    }
}

extension ScalarPath {
    func collectTables(into tables: inout TableSet) {
        for link in links { tables.insert(link.target) }
        switch leaf {
        case .column, .row: break
        case .count(let elements, let inner):
            if inner != nil, let target = elements.target { tables.insert(target) }
            inner?.collectTables(into: &tables)
        case .aggregate(let aggregate):
            if let target = aggregate.elements.target { tables.insert(target) }
        }
    }
}
