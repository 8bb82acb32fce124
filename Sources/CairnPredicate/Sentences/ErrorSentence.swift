/// What a parsing error says to a person: a sentence, and the text with a mark under the place.
///
///     A value is expected, not “)”.
///         name == ) AND age > 3
///                 ^
package struct ErrorSentence: CustomStringConvertible, Sendable {
    /// The sentence alone, for a place that has one line.
    package let sentence: String
    /// The line of the text with a mark under the place.
    package let excerpt: Excerpt

    /// - Parameter text: The text that the error is about.
    package init(_ error: ParsingError, in text: String) {
        sentence = error.sentence(Excerpt.quoted(error.range, of: text))
        excerpt = Excerpt(error.range, of: text)
    }

    package var description: String { "\(sentence)\n\(excerpt)" }
}

extension ParsingError {
    /// The sentence about a place that reads like `part`, which is quoted.
    fileprivate func sentence(_ part: String) -> String {
        let expectation = expected?.words ?? "something else"
        switch problem {
        case .unexpected where range.isEmpty:
            return "The predicate ends where \(expectation) is expected."
        case .unexpected:
            return "\(expectation.capitalized) is expected, not \(part)."
        case .reservedWord:
            return "\(expectation.capitalized) is expected, not the keyword \(part). "
                + "A property of that name is written with # before it."
        case .notACondition:
            return "\(part) alone is neither true nor false: compare it with something, as in flag == TRUE."
        case .notAValue:
            return "\(part) is a condition, where a value is expected."
        case .notAPath:
            return "\(part) is not a path to a property."
        case .quantifierWithoutComparison:
            return "\(part) goes before a comparison, as in ANY dogs.age > 3."
        case .unclosed:
            return "\(part) is never closed: \(expectation) is missing."
        case .tooDeep(let limit):
            return "The predicate is nested more than \(limit) levels deep."
        case .unsupportedSubscript:
            return "\(part) in brackets is not supported: give \(expectation)."
        case .unknownOption:
            return "\(part) is not an option of a comparison: there are c and d."
        case .missingArgument, .unusedArguments, .wrongArgument, .malformedPath:
            return argumentSentence(part, expectation)
        case .unknownCharacter, .unterminatedString, .unknownEscape, .malformedNumber, .numberTooLarge,
            .missingName, .unknownPlaceholder, .unknownCollectionOperator:
            return tokenSentence(part, expectation)
        }
    }

    private func tokenSentence(_ part: String, _ expectation: String) -> String {
        switch problem {
        case .unknownCharacter: "The character \(part) means nothing here."
        case .unterminatedString: "The string \(part) has no closing quote."
        case .unknownEscape: "\(part) in a string means nothing: after a backslash goes \(expectation)."
        case .malformedNumber: "\(part) is not a number."
        case .numberTooLarge: "The number \(part) is too large."
        case .missingName: "A name is missing after \(part)."
        case .unknownPlaceholder: "\(part) is not a placeholder: there are \(expectation)."
        case .unknownCollectionOperator: "There is no operator \(part): there are \(expectation)."
        default: ""
        }
    }

    private func argumentSentence(_ part: String, _ expectation: String) -> String {
        switch problem {
        case .missingArgument(let number):
            "\(part) asks for argument \(number), which was not given."
        case .unusedArguments(let given, let used):
            "\(given) \(given == 1 ? "argument was" : "arguments were") given, and the predicate asks for \(used)."
        case .wrongArgument(let number, let kind):
            "Argument \(number) is \(kind.words), where \(part) asks for \(expectation)."
        case .malformedPath(let number) where expected == .collectionOperator:
            "Argument \(number) is not a path: the only operators are \(expectation)."
        case .malformedPath(let number):
            "Argument \(number) is not a path: it is empty, or a name before or after a dot is missing."
        default: ""
        }
    }
}

extension String {
    /// With a capital at its beginning, if that is a letter of ASCII.
    fileprivate var capitalized: String {
        guard let first, first.isASCII else { return self }
        return first.uppercased() + dropFirst()
    }
}
