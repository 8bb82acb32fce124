// Commas, closing brackets and the end.
extension PredicateParser {
    /// The innermost bracket, once everything in it has been put together; nil outside of all.
    private mutating func innermost() throws(ParsingError) -> Pending.Opening? {
        try reduce { _ in true }
        guard case .opening(let opening)? = pending.last?.content else { return nil }
        return opening
    }

    mutating func readComma() throws(ParsingError) {
        switch try innermost()?.kind {
        case .brace, .call:
            _ = try terms[terms.count - 1].operand()
            try advance()
        case .subquery(variable: nil):
            try readVariable()
        case .subquery, .parenthesis:
            throw ParsingError(.unexpected, token.range, expected: .closingParenthesis)
        case nil:
            throw ParsingError(.unexpected, token.range, expected: expectedAfterTerm)
        }
    }

    /// Reads `, $x,` after the collection of a sub-query.
    private mutating func readVariable() throws(ParsingError) {
        let collection = terms[terms.count - 1]
        guard case .operand(.path) = collection.content else {
            throw ParsingError(.notAPath, collection.range, expected: .path)
        }
        try advance()
        guard case .variable(let name) = token.kind else {
            throw ParsingError(.unexpected, token.range, expected: .variable)
        }
        try advance()
        try take(.comma, expected: .comma)
        guard case .opening(var opening)? = pending.last?.content else { return }
        opening.kind = .subquery(variable: name)
        pending[pending.count - 1].content = .opening(opening)
    }

    /// Closes a parenthesis, a call or a sub-query, and reads the steps after it.
    mutating func closeParenthesis() throws(ParsingError) {
        guard let opening = try innermost() else {
            throw ParsingError(.unexpected, token.range, expected: expectedAfterTerm)
        }
        let range = pending[pending.count - 1].range.lowerBound..<token.range.upperBound
        switch opening.kind {
        case .brace:
            throw ParsingError(.unexpected, token.range, expected: .commaOrClosingBrace)
        case .subquery(variable: nil):
            throw ParsingError(.unexpected, token.range, expected: .comma)
        case .parenthesis:
            terms[terms.count - 1].range = range
        case .call(let name):
            let (operands, height) = try popOperands(downTo: opening.base)
            let path = PropertyPath(root: .call(FunctionCall(name, operands)), [])
            try push(Term(.path(path), range, height: height + 1))
        case .subquery(let variable?):
            try closeSubquery(variable, range)
        }
        popPending()
        try advance()
        try readSteps()
    }

    private mutating func closeSubquery(_ variable: String, _ range: Range<Int>) throws(ParsingError) {
        let condition = terms.removeLast()
        let collection = terms.removeLast()
        guard case .operand(.path(let path)) = collection.content else {
            throw ParsingError(.notAPath, collection.range, expected: .path)
        }
        let subquery = Subquery(path, variable, try condition.condition())
        let height = max(collection.height, condition.height) + 1
        try push(Term(.path(PropertyPath(root: .subquery(subquery), [])), range, height: height))
    }

    /// Closes `{…}`. Of literals alone it is a literal.
    mutating func closeBrace() throws(ParsingError) {
        guard let opening = try innermost(), case .brace = opening.kind else {
            throw ParsingError(.unexpected, token.range, expected: expectedAfterTerm)
        }
        let range = pending[pending.count - 1].range.lowerBound..<token.range.upperBound
        let (operands, height) = try popOperands(downTo: opening.base)
        let literals = operands.compactMap(\.literal)
        let isLiteral = literals.count == operands.count
        let aggregate: Operand = isLiteral ? .literal(.array(literals)) : .aggregate(operands)
        popPending()
        try push(Term(aggregate, range, height: height + 1))
        try advance()
        try readSteps()
    }

    /// Puts everything together that is left.
    mutating func finish() throws(ParsingError) {
        guard let opening = try innermost() else { return }
        let expected: ParsingError.Expectation =
            if case .brace = opening.kind { .commaOrClosingBrace } else { .closingParenthesis }
        throw ParsingError(.unclosed, pending[pending.count - 1].range, expected: expected)
    }
}
