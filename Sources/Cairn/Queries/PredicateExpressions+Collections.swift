internal import CairnPredicate
internal import Foundation

// Collections, ranges and texts of Foundation's predicates.

extension PredicateExpressions.SequenceContains: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let container = try translator.part(sequence)
        switch (container, try translator.part(element)) {
        case (.literal(.array(let values)), .path(let path)):
            return .condition(PredicateTranslator.comparison(.path(path), .isIn, .literal(.array(values))))
        case (.path(let path), .literal(let literal)):
            return .condition(PredicateTranslator.comparison(.path(path), .equal, .literal(literal), .any))
        case (let container, let element):
            throw PredicateTranslator.unsupported("contains of \(container.words) with \(element.words)")
        }
    }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let elements = try translator.elements(sequence)
        if case .all(let path) = elements, !(LHS.Output.Element.self is ObjectBase.Type) {
            return .condition(try translator.values(of: path, variable.key, test, all: false))
        }
        return .condition(PredicateTranslator.exists(try translator.filtered(elements, variable.key, test)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
    /// No element for which it does not hold.
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let elements = try translator.elements(sequence)
        if case .all(let path) = elements, !(LHS.Output.Element.self is ObjectBase.Type) {
            return .condition(try translator.values(of: path, variable.key, test, all: true))
        }
        let others = try translator.filtered(elements, variable.key, test, isNegated: true)
        return .condition(PredicateTranslator.exists(others, false))
    }
}

extension PredicateExpressions.Filter: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let elements = try translator.elements(sequence)
        guard LHS.Output.Element.self is ObjectBase.Type else {
            throw PredicateTranslator.unsupported("a filtered list of values")
        }
        return .filtered(try translator.filtered(elements, variable.key, filter))
    }
}

extension PredicateExpressions.SequenceMaximum: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        var path = try translator.path(elements)
        path.steps.append(.collection(.max))
        return .path(path)
    }
}

extension PredicateExpressions.SequenceMinimum: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        var path = try translator.path(elements)
        path.steps.append(.collection(.min))
        return .path(path)
    }
}

// MARK: - Ranges

extension PredicateExpressions.Range: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let first = try translator.part(lower).operand
        return .range(lower: first, upper: try translator.part(upper).operand, isClosed: false)
    }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let first = try translator.part(lower).operand
        return .range(lower: first, upper: try translator.part(upper).operand, isClosed: true)
    }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        let bounds = try translator.part(range)
        let element = try translator.part(element)
        guard case .range(let lower, let upper, let isClosed) = bounds else {
            throw PredicateTranslator.unsupported("\(bounds.words) in the place of a range")
        }
        if isClosed, case .path(let path) = element, let lower = lower?.literal, let upper = upper?.literal {
            return .condition(
                PredicateTranslator.comparison(.path(path), .between, .literal(.array([lower, upper]))))
        }
        var parts: [Condition] = []
        if let lower { parts.append(try translator.compare(element, .greaterOrEqual, PredicatePart(lower))) }
        if let upper {
            parts.append(
                try translator.compare(element, isClosed ? .lessOrEqual : .less, PredicatePart(upper)))
        }
        return .condition(.allOf(parts))
    }
}

extension PredicatePart {
    /// The part that an operand is.
    fileprivate init(_ operand: Operand) throws(RealmError) {
        switch operand {
        case .path(let path): self = .path(path)
        case .literal(let literal): self = .literal(literal)
        case .aggregate, .negation, .arithmetic: throw PredicateTranslator.unsupported("arithmetic")
        }
    }
}

// MARK: - Texts

extension PredicateTranslator {
    /// A property that holds text compared with a constant, or with another.
    mutating func text(
        _ base: Any, _ relation: Comparison.Relation, _ other: Any, _ options: Comparison.Options = []
    ) throws(RealmError) -> PredicatePart {
        let path = try path(base)
        switch try part(other) {
        // Every text begins with and contains an empty one, in Swift: not so in predicate text.
        case .literal(.string("")), .literal(.array([])): return .condition(.constant(true))
        case .literal(let literal):
            return .condition(Self.comparison(.path(path), relation, .literal(literal), nil, options))
        case .path(let column):
            return .condition(Self.comparison(.path(path), relation, .path(column), nil, options))
        case let part: throw Self.unsupported("text compared with \(part.words)")
        }
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        guard Base.Output.self is String.Type || Base.Output.self is Data.Type else {
            throw PredicateTranslator.unsupported("starts(with:) of a '\(Base.Output.self)'")
        }
        return try translator.text(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart {
        guard Base.Output.self is String.Type || Base.Output.self is Data.Type else {
            throw PredicateTranslator.unsupported("contains of a '\(Base.Output.self)' with a collection")
        }
        return try translator.text(base, .contains, other)
    }
}
