/// A word, sign or value of predicate text.
package struct Token: Hashable, Sendable {
    package let kind: Kind
    /// Bytes of the text's UTF-8. Empty for ``Kind/end``.
    package let range: Range<Int>

    package init(_ kind: Kind, _ range: Range<Int>) {
        self.kind = kind
        self.range = range
    }

    package enum Kind: Hashable, Sendable {
        /// After the last one; asked again, it comes again.
        case end
        /// An identifier that is no keyword.
        case name(String)
        /// A reserved word, and its spelling, which is a name in some places.
        case keyword(Keyword, String)
        /// `#name`
        case escapedName(String)
        /// `$name`
        case variable(String)
        /// `@count` and its like
        case collectionOperator(PropertyPath.CollectionOperator)
        case string(String)
        case integer(UInt64)
        case decimal(Double)
        case placeholder(Placeholder)
        case symbol(Symbol)
    }

    /// What an argument is asked for with.
    package enum Placeholder: Hashable, Sendable {
        /// `%@`: a value of any kind.
        case value
        /// `%K`: a string that is a path.
        case path
        /// `%d`, `%lld`, `%f` and their like: a number of any kind.
        case number
        /// `%%`: none. It is a percent sign, for which the grammar has no use.
        case percentSign
    }
}
