/// Reads predicate text.
///
/// An operator-precedence parser with two stacks on the heap, so no input can overflow the thread's:
///
///     NOT a == 1 AND b > 2                  after the 2:
///
///     pending   and(1), comparison >        what waits for an operand
///     terms     NOT a == 1,  b,  2          what is complete
///
/// It goes back and forth between two states. `readOperand()` reads prefixes and opening brackets up
/// to an operand; `readOperators()` closes brackets up to an operator or the end. Whether a term is
/// an operand or a condition is asked only where one of them is needed, so `(` needs no looking ahead.
///
/// - Complexity: O(bytes of the text + arguments).
package struct PredicateParser {
    private var reader: TokenReader
    var token: Token
    /// Where the token before ends.
    var lastEnd = 0
    var arguments: ArgumentReader
    var terms: [Term] = []
    var pending: [Pending] = []
    private var nestingCount = 0

    /// The condition that the text states.
    ///
    /// - Parameters:
    ///   - text: The grammar is in `docs/queries.md`.
    ///   - arguments: One for each placeholder, in order. They are values: nothing in them is parsed,
    ///     but for the dots of the path that `%K` asks for.
    package static func parse(
        _ text: String, _ arguments: [Literal] = []
    ) throws(ParsingError) -> Condition {
        var parser = try PredicateParser(text, arguments)
        return try parser.condition()
    }

    private init(_ text: String, _ arguments: [Literal]) throws(ParsingError) {
        reader = TokenReader(text)
        self.arguments = ArgumentReader(arguments)
        token = try reader.next()
    }

    private mutating func condition() throws(ParsingError) -> Condition {
        repeat { try readOperand() } while try readOperators()
        let condition = try terms.removeLast().condition()
        try arguments.requireAllUsed(at: token.range.upperBound)
        return condition
    }
}

// MARK: - The stacks

extension PredicateParser {
    mutating func advance() throws(ParsingError) {
        lastEnd = token.range.upperBound
        token = try reader.next()
    }

    /// Takes a sign that must come next.
    mutating func take(
        _ symbol: Symbol, expected: ParsingError.Expectation
    ) throws(ParsingError) {
        guard token.kind == .symbol(symbol) else {
            throw ParsingError(.unexpected, token.range, expected: expected)
        }
        try advance()
    }

    mutating func push(_ content: Pending.Content, _ range: Range<Int>) throws(ParsingError) {
        let item = Pending(content, range)
        if item.isNesting {
            nestingCount += 1
            guard nestingCount <= PredicateLimits.height else { throw tooDeep(range) }
        }
        pending.append(item)
    }

    @discardableResult
    mutating func popPending() -> Pending {
        let item = pending.removeLast()
        if item.isNesting { nestingCount -= 1 }
        return item
    }

    mutating func push(_ term: Term) throws(ParsingError) {
        guard term.height <= PredicateLimits.height else { throw tooDeep(term.range) }
        terms.append(term)
    }

    private func tooDeep(_ range: Range<Int>) -> ParsingError {
        ParsingError(.tooDeep(limit: PredicateLimits.height), range)
    }
}
