/// Two operands and an operator between them: `ANY dogs.name BEGINSWITH[c] 'r'`.
package struct Comparison: Hashable, Sendable {
    /// For which elements it must hold where a path crosses a collection; nil when nothing is said.
    package var quantifier: Quantifier?
    package var left: Operand
    package var relation: Relation
    /// What strings are told apart by.
    package var options: Options
    package var right: Operand
    /// Where it stands in the text.
    package var place: Place

    package init(
        _ left: Operand, _ relation: Relation, _ right: Operand, options: Options = [],
        quantifier: Quantifier? = nil, place: Place = .unknown
    ) {
        self.left = left
        self.relation = relation
        self.right = right
        self.options = options
        self.quantifier = quantifier
        self.place = place
    }

    /// The word before a comparison.
    package enum Quantifier: String, Hashable, Sendable, CaseIterable {
        /// ANY or SOME.
        case any = "ANY"
        case all = "ALL"
    }

    /// The operator. The raw value is how it is printed; ``Symbol`` and ``Keyword`` have all spellings.
    package enum Relation: String, Hashable, Sendable, CaseIterable {
        case equal = "=="
        case notEqual = "!="
        case greater = ">"
        case greaterOrEqual = ">="
        case less = "<"
        case lessOrEqual = "<="
        case between = "BETWEEN"
        case isIn = "IN"
        case contains = "CONTAINS"
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case like = "LIKE"
        case matches = "MATCHES"
    }

    /// The letters in brackets after the operator.
    package struct Options: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `[c]`: capitals and small letters are the same.
        package static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: letters with and without diacritical marks are the same.
        package static let diacriticInsensitive = Options(rawValue: 2)
    }
}
