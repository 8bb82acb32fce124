/// The signs: brackets, operators, comma and dot.
package enum Symbol: String, Hashable, Sendable, CaseIterable {
    case openingParenthesis = "("
    case closingParenthesis = ")"
    case openingBrace = "{"
    case closingBrace = "}"
    case openingBracket = "["
    case closingBracket = "]"
    case comma = ","
    case dot = "."
    case not = "!"
    case and = "&&"
    case or = "||"
    case equal = "="
    case doubleEqual = "=="
    case notEqual = "!="
    case lessGreater = "<>"
    case greater = ">"
    case greaterEqual = ">="
    case equalGreater = "=>"
    case less = "<"
    case lessEqual = "<="
    case equalLess = "=<"
    case plus = "+"
    case minus = "-"
    case star = "*"
    case slash = "/"
    case power = "**"
    case assign = ":="

    private static let byBytes = Dictionary(
        uniqueKeysWithValues: allCases.map { symbol in
            let bytes = Array(symbol.rawValue.utf8)
            return (key(bytes[0], bytes.count > 1 ? bytes[1] : 0), symbol)
        })

    private static func key(_ first: UInt8, _ second: UInt8) -> UInt16 {
        UInt16(first) << 8 | UInt16(second)
    }

    /// The longest sign that two bytes begin with.
    package init?(_ first: UInt8, _ second: UInt8) {
        let found = Self.byBytes[Self.key(first, second)] ?? Self.byBytes[Self.key(first, 0)]
        guard let found else { return nil }
        self = found
    }

    /// The operator of a comparison that the sign is.
    package var relation: Comparison.Relation? {
        switch self {
        case .equal, .doubleEqual: .equal
        case .notEqual, .lessGreater: .notEqual
        case .greater: .greater
        case .greaterEqual, .equalGreater: .greaterOrEqual
        case .less: .less
        case .lessEqual, .equalLess: .lessOrEqual
        default: nil
        }
    }

    /// The operator of arithmetic that the sign is between two operands.
    package var arithmetic: Operand.ArithmeticOperator? {
        Operand.ArithmeticOperator(rawValue: rawValue)
    }
}
