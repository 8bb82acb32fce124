/// The reserved words. Each is read in any mixture of capitals and small letters; a property of such a
/// name is written `#name`.
package enum Keyword: String, Hashable, Sendable, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case any = "ANY"
    case some = "SOME"
    case none = "NONE"
    case all = "ALL"
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case `true` = "TRUE"
    case yes = "YES"
    case `false` = "FALSE"
    case no = "NO"
    case null = "NULL"
    case `nil` = "NIL"
    case itself = "SELF"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case subquery = "SUBQUERY"

    /// The keyword that a word is, if it is one.
    package init?(word: some Sequence<UInt8>) {
        guard let spelling = Spelling(word), let keyword = Self.bySpelling[spelling] else { return nil }
        self = keyword
    }

    private static let bySpelling = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { keyword in
            Spelling(keyword.rawValue.utf8).map { ($0, keyword) }
        })

    /// The letters of a word of up to 16 bytes, in capitals: looked up without making a string.
    private struct Spelling: Hashable {
        var high: UInt64 = 0
        var low: UInt64 = 0

        /// Nil for a word that is longer than any keyword, or holds something other than letters.
        init?(_ word: some Sequence<UInt8>) {
            for byte in word {
                let capital = byte & 0xDF
                guard (0x41...0x5A).contains(capital), high >> 56 == 0 else { return nil }
                high = high << 8 | low >> 56
                low = low << 8 | UInt64(capital)
            }
        }
    }

    /// The literal that the word stands for.
    package var literal: Literal? {
        switch self {
        case .true, .yes: .bool(true)
        case .false, .no: .bool(false)
        case .null, .nil: .null
        default: nil
        }
    }

    /// The operator that the word is.
    package var relation: Comparison.Relation? {
        Comparison.Relation(rawValue: rawValue)
    }
}
