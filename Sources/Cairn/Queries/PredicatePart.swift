internal import CairnPredicate

/// What a part of Foundation's `Predicate` comes to.
enum PredicatePart {
    /// A property, a link, a collection, or the number of one.
    case path(PropertyPath)
    case literal(Literal)
    case condition(Condition)
    /// A condition on what a link or an optional property holds: nil where that is nil.
    case conditionOfSome(PropertyPath, Condition)
    /// A property with the value that takes the place of nil: `$0.age ?? 0`.
    case coalesced(PropertyPath, Literal)
    /// A range with bounds that may be missing.
    case range(lower: Operand?, upper: Operand?, isClosed: Bool)
    /// The elements of a collection for which a condition on the variable holds.
    case filtered(Subquery)

    /// The operand that it can be in a comparison.
    var operand: Operand? {
        switch self {
        case .path(let path): .path(path)
        case .literal(let literal): .literal(literal)
        case .condition, .conditionOfSome, .coalesced, .range, .filtered: nil
        }
    }

    /// In a sentence.
    var words: String {
        switch self {
        case .path: "a property"
        case .literal(let literal): literal.kind.words
        case .condition, .conditionOfSome: "a condition"
        case .coalesced: "a value with ??"
        case .range: "a range"
        case .filtered: "a filtered collection"
        }
    }
}

/// A type of Foundation's predicates that a query can say.
protocol TranslatableExpression {
    func translated(by translator: inout PredicateTranslator) throws(RealmError) -> PredicatePart
}
