internal import CairnPredicate
internal import Foundation

/// Turns Foundation's `Predicate` into the tree that predicate text becomes.
///
/// The variable of a closure on elements becomes that of a sub-query:
///
///     $0.dogs.contains { $0.age > 3 }      SUBQUERY(dogs, $v1, $v1.age > 3).@count > 0
struct PredicateTranslator {
    private(set) var values = PredicateArguments()
    /// What the variables of the closures stand for.
    private var variables: [PredicateExpressions.VariableID: PropertyPath] = [:]
    /// The variables of the sub-queries around, from the outermost on.
    private var scopes: [String] = []

    init(_ variable: PredicateExpressions.VariableID) {
        variables[variable] = PropertyPath([])
    }

    // MARK: Parts

    func part(_ variable: PredicateExpressions.VariableID) throws(RealmError) -> PredicatePart {
        guard let path = variables[variable] else { throw Self.unsupported("a variable of elsewhere") }
        let scope: PropertyPath.Root = scopes.last.map { .variable($0) } ?? .object
        guard path.root == scope else {
            throw Self.unsupported(
                "a property of the object outside, in a closure on the elements of a collection")
        }
        return .path(path)
    }

    /// What an expression comes to.
    ///
    /// - Throws: `misuse` for one that no query can say, with its name.
    mutating func part(_ expression: Any) throws(RealmError) -> PredicatePart {
        guard let expression = expression as? any TranslatableExpression else {
            throw Self.unsupported(Self.name(of: expression))
        }
        return try expression.translated(by: &self)
    }

    mutating func condition(_ expression: Any) throws(RealmError) -> Condition {
        try condition(try part(expression))
    }

    func condition(_ part: PredicatePart) throws(RealmError) -> Condition {
        switch part {
        case .condition(let condition): condition
        case .path(let path): Self.comparison(.path(path), .equal, .literal(.bool(true)))
        case .literal(.bool(let value)): .constant(value)
        case .coalesced: try compare(part, .equal, .literal(.bool(true)))
        case .literal, .conditionOfSome, .range, .filtered:
            throw Self.unsupported("\(part.words) in the place of a condition")
        }
    }

    mutating func path(_ expression: Any) throws(RealmError) -> PropertyPath {
        let part = try part(expression)
        guard case .path(let path) = part else {
            throw Self.unsupported("\(part.words) where a property is needed")
        }
        return path
    }

    mutating func literal(of value: Any) throws(RealmError) -> Literal { try values.literal(of: value) }

    // MARK: Variables

    /// Translates the closure of an optional, whose variable stands for what is in it.
    mutating func withAlias(
        _ variable: PredicateExpressions.VariableID, of path: PropertyPath, _ expression: Any
    ) throws(RealmError) -> PredicatePart {
        variables[variable] = path
        return try part(expression)
    }

    /// Translates a closure on the elements of a collection: to a condition on the variable that is
    /// returned.
    mutating func onElements(
        _ variable: PredicateExpressions.VariableID, _ expression: Any
    ) throws(RealmError) -> (variable: String, condition: Condition) {
        let name = "v\(scopes.count + 1)"
        scopes.append(name)
        defer { scopes.removeLast() }
        variables[variable] = PropertyPath(root: .variable(name), [])
        return (name, try condition(expression))
    }

    // MARK: Words

    /// The name of an expression's type, without the types in it.
    static func name(of expression: Any) -> String {
        let name = String(describing: type(of: expression))
        return String(name.prefix { $0 != "<" })
    }

    static func unsupported(_ words: String) -> RealmError {
        RealmError(
            .misuse,
            """
            This #Predicate cannot be used as a query, because of \(words). Say it in another way, or filter in \
            Swift what the query gives.
            """)
    }
}

// MARK: - Comparisons

extension PredicateTranslator {
    static func comparison(
        _ left: Operand, _ relation: Comparison.Relation, _ right: Operand,
        _ quantifier: Comparison.Quantifier? = nil, _ options: Comparison.Options = []
    ) -> Condition {
        .comparison(Comparison(left, relation, right, options: options, quantifier: quantifier))
    }

    static func isNull(_ path: PropertyPath) -> Condition { comparison(.path(path), .equal, .literal(.null)) }
    static func isNotNull(_ path: PropertyPath) -> Condition {
        comparison(.path(path), .notEqual, .literal(.null))
    }

    /// Two parts compared: `==`, `!=`, or by size.
    func compare(
        _ left: PredicatePart, _ relation: Comparison.Relation, _ right: PredicatePart
    ) throws(RealmError) -> Condition {
        switch (left, right) {
        case (.path, .path), (.path, .literal), (.literal, .path):
            guard let first = left.operand, let second = right.operand else { break }
            // The property first, as everywhere.
            if case .literal = first { return Self.comparison(second, relation.turned, first) }
            return Self.comparison(first, relation, second)
        case (.coalesced(let path, let other), .literal(let literal)):
            return try coalesced(path, other, relation, literal)
        case (.literal(let literal), .coalesced(let path, let other)):
            return try coalesced(path, other, relation.turned, literal)
        case (.condition(let condition), .literal(.bool(let value))),
            (.literal(.bool(let value)), .condition(let condition)):
            guard relation == .equal || relation == .notEqual else { break }
            return value == (relation == .equal) ? condition : condition.opposite
        case (.conditionOfSome(let path, let condition), .literal(let literal)),
            (.literal(let literal), .conditionOfSome(let path, let condition)):
            guard relation == .equal || relation == .notEqual else { break }
            let isEqual = try conditionOfSome(path, condition, is: literal)
            return relation == .equal ? isEqual : isEqual.opposite
        default: break
        }
        throw Self.unsupported("\(left.words) compared with \(right.words)")
    }

    private func conditionOfSome(
        _ path: PropertyPath, _ condition: Condition, is literal: Literal
    ) throws(RealmError) -> Condition {
        switch literal {
        case .bool(true): Condition.chain(Self.isNotNull(path), condition, isAnd: true)
        case .bool(false): Condition.chain(Self.isNotNull(path), condition.opposite, isAnd: true)
        case .null: Self.isNull(path)
        default: throw Self.unsupported("a condition compared with \(literal.kind.words)")
        }
    }

    /// `(path ?? other) relation literal`: for nil the answer is known now.
    private func coalesced(
        _ path: PropertyPath, _ other: Literal, _ relation: Comparison.Relation, _ literal: Literal
    ) throws(RealmError) -> Condition {
        guard let ofNull = other.compares(relation, literal) else {
            throw Self.unsupported("\(other.kind.words) after ?? compared with \(literal.kind.words)")
        }
        let comparison = Self.comparison(.path(path), relation, .literal(literal))
        return ofNull
            ? Condition.chain(Self.isNull(path), comparison, isAnd: false)
            : Condition.chain(Self.isNotNull(path), comparison, isAnd: true)
    }
}

extension Comparison.Relation {
    /// With the sides exchanged.
    fileprivate var turned: Comparison.Relation {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}

extension Condition {
    /// NOT; of NOT what is in it.
    var opposite: Condition {
        if case .not(let condition) = self { condition } else { .not(self) }
    }

    /// AND or OR of two, with those that are such chains already in one.
    static func chain(_ first: Condition, _ second: Condition, isAnd: Bool) -> Condition {
        let parts = first.parts(isAnd) + second.parts(isAnd)
        return isAnd ? .and(parts) : .or(parts)
    }

    private func parts(_ isAnd: Bool) -> [Condition] {
        switch self {
        case .and(let parts) where isAnd: parts
        case .or(let parts) where !isAnd: parts
        default: [self]
        }
    }
}

extension Literal {
    /// The answer of a comparison of two values of one kind; nil where it is not known here.
    fileprivate func compares(_ relation: Comparison.Relation, _ other: Literal) -> Bool? {
        switch (self, other) {
        case (.int(let left), .int(let right)): Self.compare(left, relation, right)
        case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
            Self.compare(left, relation, right)
        case (.float(let left), .float(let right)): Self.compare(left, relation, right)
        case (.string(let left), .string(let right)):
            Self.compare(TextBytes(left), relation, TextBytes(right))
        case _ where kind == other.kind && relation == .equal: self == other
        case _ where kind == other.kind && relation == .notEqual: self != other
        default: nil
        }
    }

    private static func compare<Value: Comparable>(
        _ left: Value, _ relation: Comparison.Relation, _ right: Value
    ) -> Bool? {
        switch relation {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        default: nil
        }
    }

    /// Text in the order of a query: by bytes.
    private struct TextBytes: Comparable {
        let text: String

        init(_ text: String) { self.text = text }

        static func == (left: TextBytes, right: TextBytes) -> Bool {
            left.text.utf8.elementsEqual(right.text.utf8)
        }

        static func < (left: TextBytes, right: TextBytes) -> Bool {
            left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
        }
    }
}
