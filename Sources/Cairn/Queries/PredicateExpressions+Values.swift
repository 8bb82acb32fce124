internal import CairnPredicate
internal import Foundation

// Values, properties, logic and comparisons of Foundation's predicates.

extension PredicateExpressions.Variable: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        try translator.part(key)
    }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        try translator.property(keyPath, of: root)
    }
}

extension PredicateExpressions.Value: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        if let range = value as? any RangeWithBounds {
            let bounds = range.bounds
            return .range(
                lower: try bounds.lower.map { value throws(RealmError) in
                    .literal(try translator.literal(of: value))
                },
                upper: try bounds.upper.map { value throws(RealmError) in
                    .literal(try translator.literal(of: value))
                },
                isClosed: bounds.isClosed)
        }
        return .literal(try translator.literal(of: value))
    }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        .literal(.null)
    }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let left = try translator.part(lhs)
        return .condition(try translator.compare(left, .equal, try translator.part(rhs)))
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let left = try translator.part(lhs)
        return .condition(try translator.compare(left, .notEqual, try translator.part(rhs)))
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let relation: CairnPredicate.Comparison.Relation =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw PredicateTranslator.unsupported("an unknown comparison")
            }
        let left = try translator.part(lhs)
        return .condition(try translator.compare(left, relation, try translator.part(rhs)))
    }
}

// MARK: - Logic

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let left = try translator.condition(lhs)
        return .condition(.chain(left, try translator.condition(rhs), isAnd: true))
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let left = try translator.condition(lhs)
        return .condition(.chain(left, try translator.condition(rhs), isAnd: false))
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        .condition(try translator.condition(wrapped).opposite)
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let test = try translator.condition(self.test)
        let first = try translator.condition(trueBranch)
        let second = try translator.condition(falseBranch)
        return .condition(
            .chain(
                .chain(test, first, isAnd: true), .chain(test.opposite, second, isAnd: true), isAnd: false))
    }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let path = try translator.path(wrapped)
        switch try translator.withAlias(variable.key, of: path, transform) {
        case .condition(let condition): return .conditionOfSome(path, condition)
        case .conditionOfSome(let inner, let condition): return .conditionOfSome(inner, condition)
        case .path(let inner): return .path(inner)
        case let part: throw PredicateTranslator.unsupported("\(part.words) made of an optional")
        }
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    /// nil is not met with a trap: what is said of it is false.
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        .path(try translator.path(inner))
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let left = try translator.part(lhs)
        switch (left, try translator.part(rhs)) {
        case (.path(let path), .literal(let literal)): return .coalesced(path, literal)
        case (.conditionOfSome(let path, let condition), let other):
            let otherwise = try translator.condition(other)
            switch otherwise {
            case .constant(false):
                return .condition(.chain(PredicateTranslator.isNotNull(path), condition, isAnd: true))
            case .constant(true):
                return .condition(.chain(PredicateTranslator.isNull(path), condition, isAnd: false))
            default:
                let some = Condition.chain(PredicateTranslator.isNotNull(path), condition, isAnd: true)
                let none = Condition.chain(PredicateTranslator.isNull(path), otherwise, isAnd: true)
                return .condition(.chain(some, none, isAnd: false))
            }
        case (let left, let right):
            throw PredicateTranslator.unsupported("?? between \(left.words) and \(right.words)")
        }
    }
}

/// A range whose bounds are known at run time only.
private protocol RangeWithBounds {
    var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { get }
}

extension Range: RangeWithBounds {
    fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: RangeWithBounds {
    fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: RangeWithBounds {
    fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (lowerBound, nil, true) }
}

extension PartialRangeUpTo: RangeWithBounds {
    fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, false) }
}

extension PartialRangeThrough: RangeWithBounds {
    fileprivate var bounds: (lower: Any?, upper: Any?, isClosed: Bool) { (nil, upperBound, true) }
}
