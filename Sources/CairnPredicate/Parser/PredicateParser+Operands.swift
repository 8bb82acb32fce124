// Where an operand is expected.
extension PredicateParser {
    /// Reads prefixes and opening brackets, and the operand after them.
    mutating func readOperand() throws(ParsingError) {
        while try !readsOperandNow() {}
    }

    /// Reads one prefix, opening bracket or operand; true when an operand is complete.
    private mutating func readsOperandNow() throws(ParsingError) -> Bool {
        let range = token.range
        switch token.kind {
        case .symbol(let symbol):
            return try reads(symbol)
        case .keyword(let keyword, _):
            return try reads(keyword)
        case .name(let name):
            try advance()
            if token.kind == .symbol(.openingParenthesis) { return try readsCall(of: name, at: range) }
            try push(Term(.path(PropertyPath([.property(name)])), range))
        case .escapedName(let name):
            try pushPath(PropertyPath([.property(name)]))
        case .variable(let name):
            try pushPath(PropertyPath(root: .variable(name), []))
        case .collectionOperator(let found):
            try pushPath(PropertyPath([.collection(found)]))
        case .placeholder(.path):
            try pushPath(PropertyPath(try arguments.steps(isRoot: true, at: range)))
        case .placeholder(.percentSign), .end:
            throw unexpectedInsteadOfOperand()
        case .placeholder(let placeholder):
            try pushLiteral(try arguments.value(for: placeholder, at: range))
        case .string(let text):
            try pushLiteral(.string(text))
        case .integer(let magnitude):
            try pushInteger(magnitude)
        case .decimal(let value):
            try pushLiteral(.double(value))
        }
        try readSteps()
        return true
    }

    private mutating func reads(_ symbol: Symbol) throws(ParsingError) -> Bool {
        let range = token.range
        switch symbol {
        case .not:
            try push(.not, range)
        case .minus:
            try push(.negation, range)
        case .openingParenthesis:
            try push(.opening(Pending.Opening(kind: .parenthesis, base: terms.count)), range)
        case .openingBrace:
            try advance()
            try push(.opening(Pending.Opening(kind: .brace, base: terms.count)), range)
            guard token.kind == .symbol(.closingBrace) else { return false }
            try closeBrace()
            return true
        default:
            throw unexpectedInsteadOfOperand()
        }
        try advance()
        return false
    }

    private mutating func reads(_ keyword: Keyword) throws(ParsingError) -> Bool {
        let range = token.range
        if let literal = keyword.literal {
            try pushLiteral(literal)
            try readSteps()
            return true
        }
        switch keyword {
        case .not:
            try push(.not, range)
        case .any, .some, .none, .all:
            try push(.quantifier(keyword), range)
        case .itself:
            try pushPath(PropertyPath([]))
            try readSteps()
            return true
        case .truePredicate, .falsePredicate:
            try push(Term(.constant(keyword == .truePredicate), range))
            try advance()
            return true
        case .subquery:
            try advance()
            try take(.openingParenthesis, expected: .openingParenthesis)
            let opening = Pending.Opening(kind: .subquery(variable: nil), base: terms.count)
            try push(.opening(opening), range)
            return false
        default:
            throw ParsingError(.reservedWord, range, expected: expectedOperand)
        }
        try advance()
        return false
    }

    /// Reads the parenthesis after a function's name; true when it has no arguments.
    private mutating func readsCall(of name: String, at range: Range<Int>) throws(ParsingError) -> Bool {
        try push(.opening(Pending.Opening(kind: .call(name: name), base: terms.count)), range)
        try advance()
        guard token.kind == .symbol(.closingParenthesis) else { return false }
        try closeParenthesis()
        return true
    }

    private mutating func pushPath(_ path: PropertyPath) throws(ParsingError) {
        try push(Term(.path(path), token.range))
        try advance()
    }

    private mutating func pushLiteral(_ literal: Literal) throws(ParsingError) {
        let height = literal.height(upTo: PredicateLimits.height)
        try push(Term(.literal(literal), token.range, height: height))
        try advance()
    }

    /// Pushes a whole number. The lowest one of 64 bits has a magnitude that fits only with its sign.
    private mutating func pushInteger(_ magnitude: UInt64) throws(ParsingError) {
        if let value = Int64(exactly: magnitude) { return try pushLiteral(.int(value)) }
        guard magnitude == Int64.min.magnitude, let last = pending.last, case .negation = last.content else {
            throw ParsingError(.numberTooLarge, token.range)
        }
        popPending()
        try push(Term(.literal(.int(.min)), last.range.lowerBound..<token.range.upperBound))
        try advance()
    }

    private func unexpectedInsteadOfOperand() -> ParsingError {
        ParsingError(.unexpected, token.range, expected: expectedOperand)
    }

    /// A condition where one can begin, else a value.
    private var expectedOperand: ParsingError.Expectation {
        switch pending.last?.content {
        case nil, .not, .and, .or: .condition
        case .negation, .quantifier, .comparison, .arithmetic: .value
        case .opening(let opening):
            switch opening.kind {
            case .parenthesis: .condition
            case .brace, .call: .value
            case .subquery(let variable): variable == nil ? .path : .condition
            }
        }
    }
}
