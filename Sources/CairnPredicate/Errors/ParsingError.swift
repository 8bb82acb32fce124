/// Why predicate text could not be read: what is wrong, where, and what was expected instead.
///
/// It holds no words. ``ErrorSentence`` makes the message.
package struct ParsingError: Error, Hashable, Sendable {
    package let problem: Problem
    /// Bytes of the text's UTF-8. Empty at the end of the text; never outside of it.
    package let range: Range<Int>
    /// What could have stood there, when one thing could.
    package let expected: Expectation?

    package init(_ problem: Problem, _ range: Range<Int>, expected: Expectation? = nil) {
        self.problem = problem
        self.range = range
        self.expected = expected
    }

    /// What is wrong with the part of the text that the range covers.
    package enum Problem: Hashable, Sendable {
        // Found while the text is cut into words and signs.

        /// A character that begins nothing.
        case unknownCharacter
        /// A string without its closing quote.
        case unterminatedString
        /// A backslash before a character that it does not go with.
        case unknownEscape
        /// Digits that go on as something else: `3abc`, `0x`.
        case malformedNumber
        /// A whole number beyond 64 bits, or a decimal one beyond Double.
        case numberTooLarge
        /// `#`, `$` or `@` without a name after it.
        case missingName
        /// `%` with letters that ask for no argument.
        case unknownPlaceholder
        /// `@name` that is no collection operator.
        case unknownCollectionOperator

        // Found while words and signs are put together.

        /// Something else belongs here.
        case unexpected
        /// A keyword where a name or value belongs.
        case reservedWord
        /// An operand where a condition belongs, such as a property alone.
        case notACondition
        /// A condition where an operand belongs.
        case notAValue
        /// A value where a path belongs: before a step, or in the first place of a SUBQUERY.
        case notAPath
        /// ANY, SOME, NONE or ALL before something other than a comparison.
        case quantifierWithoutComparison
        /// A letter in the brackets after an operator that is no option.
        case unknownOption
        /// FIRST, LAST or SIZE in brackets.
        case unsupportedSubscript
        /// An opening bracket without its closing one.
        case unclosed
        /// More levels than ``PredicateLimits/height``.
        case tooDeep(limit: Int)

        // Found where an argument is taken. The first argument has number 1.

        /// A placeholder for which no argument is left.
        case missingArgument(number: Int)
        /// Arguments for which there is no placeholder.
        case unusedArguments(given: Int, used: Int)
        /// An argument of a kind that does not go with its placeholder.
        case wrongArgument(number: Int, kind: Literal.Kind)
        /// An argument of `%K` that is no path: it or a step of it is empty, or an operator is unknown.
        case malformedPath(number: Int)
    }

    /// What belongs at a place.
    package enum Expectation: String, Hashable, Sendable, CaseIterable {
        case value, condition, comparisonOperator, connective, comma, commaOrClosingBrace
        case commaOrClosingParenthesis, closingParenthesis, closingBracket, openingParenthesis
        case path, variable, name, subscriptKey, index, key, number, listedEscape, placeholder
        case collectionOperator, option
    }
}
