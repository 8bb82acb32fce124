// Where an operand has been read.
extension PredicateParser {
    /// Reads closing brackets, and the operator or comma after them; false at the end of the text.
    mutating func readOperators() throws(ParsingError) -> Bool {
        while true {
            switch token.kind {
            case .end:
                try finish()
                return false
            case .symbol(.closingParenthesis):
                try closeParenthesis()
            case .symbol(.closingBrace):
                try closeBrace()
            case .symbol(.comma):
                try readComma()
                return true
            case .symbol(.and), .keyword(.and, _):
                try readConnective(.and)
                return true
            case .symbol(.or), .keyword(.or, _):
                try readConnective(.or)
                return true
            default:
                try readOperator()
                return true
            }
        }
    }

    /// Reads AND or OR. One more of a chain is counted, so that a long chain stays one level.
    private mutating func readConnective(_ precedence: Pending.Precedence) throws(ParsingError) {
        try reduce { $0 > precedence }
        _ = try terms[terms.count - 1].condition()
        let last = pending.count - 1
        switch (pending.last?.content, precedence) {
        case (.and(let count), .and): pending[last].content = .and(count + 1)
        case (.or(let count), .or): pending[last].content = .or(count + 1)
        case (_, .and): try push(.and(1), token.range)
        default: try push(.or(1), token.range)
        }
        try advance()
    }

    /// Reads the operator of a comparison or of arithmetic.
    private mutating func readOperator() throws(ParsingError) {
        let range = token.range
        if let relation = token.kind.relation {
            try reduce { $0 >= .comparison }
            _ = try terms[terms.count - 1].operand()
            try advance()
            try push(.comparison(relation, try readOptions()), range)
        } else if case .symbol(let symbol) = token.kind, let arithmetic = symbol.arithmetic {
            try reduce { $0 >= Pending.Precedence(arithmetic) }
            _ = try terms[terms.count - 1].operand()
            try advance()
            try push(.arithmetic(arithmetic), range)
        } else {
            throw ParsingError(.unexpected, token.range, expected: expectedAfterTerm)
        }
    }

    /// Reads `[c]`, `[d]` or `[cd]`, if one of them follows.
    private mutating func readOptions() throws(ParsingError) -> Comparison.Options {
        guard token.kind == .symbol(.openingBracket) else { return [] }
        try advance()
        guard case .name(let letters) = token.kind else {
            throw ParsingError(.unexpected, token.range, expected: .option)
        }
        var options: Comparison.Options = []
        for letter in letters.utf8 {
            switch letter | 0x20 {
            case UInt8(ascii: "c"): options.insert(.caseInsensitive)
            case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
            default: throw ParsingError(.unknownOption, token.range, expected: .option)
            }
        }
        try advance()
        try take(.closingBracket, expected: .closingBracket)
        return options
    }

    /// What could have followed the last term, for the message that something else does.
    var expectedAfterTerm: ParsingError.Expectation {
        if terms[terms.count - 1].isCondition { return .connective }
        for item in pending.reversed() {
            switch item.content {
            case .comparison: return .connective
            case .opening(let opening): return opening.kind.expectedAfterOperand
            default: continue
            }
        }
        return .comparisonOperator
    }
}

extension Pending.Opening.Kind {
    /// What may follow a complete operand in these brackets, other than an operator.
    var expectedAfterOperand: ParsingError.Expectation {
        switch self {
        case .brace: .commaOrClosingBrace
        case .call: .commaOrClosingParenthesis
        case .subquery(variable: nil): .comma
        case .parenthesis, .subquery: .comparisonOperator
        }
    }
}

extension Token.Kind {
    /// The operator of a comparison that it is.
    fileprivate var relation: Comparison.Relation? {
        switch self {
        case .symbol(let symbol): symbol.relation
        case .keyword(let keyword, _): keyword.relation
        default: nil
        }
    }
}
