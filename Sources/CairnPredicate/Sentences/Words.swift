extension ParsingError.Expectation {
    /// As part of a sentence.
    var words: String {
        switch self {
        case .value: "a value"
        case .condition: "a condition"
        case .comparisonOperator: "an operator such as ==, IN or BEGINSWITH"
        case .connective: "AND, OR or the end"
        case .comma: "a comma"
        case .commaOrClosingBrace: "a comma or “}”"
        case .commaOrClosingParenthesis: "a comma or “)”"
        case .closingParenthesis: "“)”"
        case .closingBracket: "“]”"
        case .openingParenthesis: "“(”"
        case .path: "a path to a property"
        case .variable: "a variable such as $x"
        case .name: "a name"
        case .subscriptKey: "a string, an index from 0 up or #any"
        case .index: "an index from 0 up"
        case .key: "a string"
        case .number: "a number"
        case .listedEscape: "n, r, t, a quote or another backslash"
        case .placeholder: "%@ for a value, %K for a path, %d or %f for a number"
        case .collectionOperator:
            PropertyPath.CollectionOperator.allCases.map { "@\($0.rawValue)" }.joined(separator: " ")
        case .option: "one of c, d and cd"
        }
    }
}

extension Literal.Kind {
    /// As part of a sentence.
    package var words: String {
        switch self {
        case .null: "nil"
        case .bool: "a boolean"
        case .int: "a whole number"
        case .float, .double: "a number"
        case .string: "a string"
        case .bytes: "binary data"
        case .date: "a date"
        case .objectID: "an object id"
        case .uuid: "a UUID"
        case .decimal: "a decimal number"
        case .object: "an object"
        case .array: "an array"
        }
    }
}
