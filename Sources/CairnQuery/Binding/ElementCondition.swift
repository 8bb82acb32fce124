package import CairnPredicate
package import CairnStorage

/// A condition on the values of a list of values, which are `SELF` in it.
package indirect enum ElementCondition: Hashable, Sendable {
    case constant(Bool)
    case not(ElementCondition)
    case and([ElementCondition])
    case or([ElementCondition])
    case test(BoundTest)

    /// Binds a predicate to the values of a list.
    ///
    /// - Parameter list: the list's name, for messages.
    /// - Throws: what `ConditionBinder` throws; `unsupported` for paths other than `SELF`.
    package static func bind(
        _ condition: Condition, kind: ValueKind, list: String
    ) throws(QueryError) -> ElementCondition {
        switch condition {
        case .constant(let value): return .constant(value)
        case .not(let inner): return .not(try bind(inner, kind: kind, list: list))
        case .and(let parts):
            var bound: [ElementCondition] = []
            for part in parts { bound.append(try bind(part, kind: kind, list: list)) }
            return .and(bound)
        case .or(let parts):
            var bound: [ElementCondition] = []
            for part in parts { bound.append(try bind(part, kind: kind, list: list)) }
            return .or(bound)
        case .comparison(let comparison): return try bind(comparison, kind, list)
        }
    }

    private static func bind(
        _ comparison: Comparison, _ kind: ValueKind, _ list: String
    ) throws(QueryError) -> ElementCondition {
        let relation: Comparison.Relation
        let literal: Literal
        switch (comparison.left, comparison.right) {
        case (.path(let path), .literal(let right)) where path.root == .object && path.steps.isEmpty:
            (relation, literal) = (comparison.relation, right)
        case (.literal(let left), .path(let path)) where path.root == .object && path.steps.isEmpty:
            guard let turned = turned(comparison.relation) else {
                throw QueryError(
                    .unsupportedOperator, "\(comparison.relation.rawValue) wants SELF on its left.",
                    comparison.place)
            }
            (relation, literal) = (turned, left)
        default:
            throw QueryError(
                .unsupported,
                "The elements of \(list) are values: compare SELF with a constant, as in SELF > 3.",
                comparison.place)
        }
        if let quantifier = comparison.quantifier {
            throw QueryError(
                .quantifier, "\(quantifier.rawValue) needs a path that crosses a collection.",
                comparison.place)
        }
        let maker = ValueTestMaker(kind: kind, subject: { "SELF" }, place: comparison.place) { _ in nil }
        let asked = AskedTest(
            relation: relation, literal: literal, options: comparison.options, quantifier: nil,
            place: comparison.place)
        let test = try maker.make(relation, literal, comparison.options)
        return .test(BoundTest(test, asked))
    }

    /// The operator that says the same with its sides exchanged.
    static func turned(_ relation: Comparison.Relation) -> Comparison.Relation? {
        switch relation {
        case .equal, .notEqual: relation
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: nil
        }
    }
}

/// An `ElementCondition` made ready for many values.
indirect enum ElementMatcher {
    case constant(Bool)
    case not(ElementMatcher)
    case and([ElementMatcher])
    case or([ElementMatcher])
    case test(ValueMatcher)

    init(_ condition: ElementCondition) {
        switch condition {
        case .constant(let value): self = .constant(value)
        case .not(let inner): self = .not(ElementMatcher(inner))
        case .and(let parts): self = .and(parts.map { ElementMatcher($0) })
        case .or(let parts): self = .or(parts.map { ElementMatcher($0) })
        case .test(let bound): self = .test(ValueMatcher(bound.test))
        }
    }

    func matches(_ value: UnsafeRawBufferPointer?) -> Bool {
        switch self {
        case .constant(let result): result
        case .not(let inner): !inner.matches(value)
        case .and(let parts): parts.allSatisfy { $0.matches(value) }
        case .or(let parts): parts.contains { $0.matches(value) }
        case .test(let matcher): matcher.matches(value)
        }
    }
}
