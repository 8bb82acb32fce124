// From what is pending and the terms around it to one term.
extension PredicateParser {
    /// Puts together what is pending, from the last on, as long as it binds so tightly; never further
    /// than the innermost open bracket.
    mutating func reduce(while bindsSoTightly: (Pending.Precedence) -> Bool) throws(ParsingError) {
        while let precedence = pending.last?.precedence, bindsSoTightly(precedence) {
            try reduceLast()
        }
    }

    private mutating func reduceLast() throws(ParsingError) {
        let item = popPending()
        switch item.content {
        case .opening:
            preconditionFailure("An open bracket has no precedence.")
        case .not:
            let term = terms.removeLast()
            let range = item.range.lowerBound..<term.range.upperBound
            try push(Term(.not(try term.condition()), range, height: term.height + 1))
        case .negation:
            try reduceNegation(item)
        case .quantifier:
            throw ParsingError(.quantifierWithoutComparison, item.range)
        case .comparison(let relation, let options):
            try reduceComparison(relation, options)
        case .arithmetic(let symbol):
            let right = terms.removeLast()
            let left = terms.removeLast()
            let operand = Operand.arithmetic(try left.operand(), symbol, try right.operand())
            let range = left.range.lowerBound..<right.range.upperBound
            try push(Term(operand, range, height: max(left.height, right.height) + 1))
        case .and(let count):
            try reduceChain(count + 1) { .and($0) }
        case .or(let count):
            try reduceChain(count + 1) { .or($0) }
        }
    }

    /// The negative of a number literal is a literal, of anything else an operation.
    private mutating func reduceNegation(_ item: Pending) throws(ParsingError) {
        let term = terms.removeLast()
        let operand = try term.operand()
        let range = item.range.lowerBound..<term.range.upperBound
        if let negative = operand.literal?.negative {
            try push(Term(.literal(negative), range))
        } else {
            try push(Term(.negation(operand), range, height: term.height + 1))
        }
    }

    /// A comparison takes the quantifier before it along.
    private mutating func reduceComparison(
        _ relation: Comparison.Relation, _ options: Comparison.Options
    ) throws(ParsingError) {
        let right = terms.removeLast()
        let left = terms.removeLast()
        var range = left.range.lowerBound..<right.range.upperBound
        var height = max(left.height, right.height) + 1
        var word: Keyword?
        if case .quantifier(let keyword)? = pending.last?.content {
            word = keyword
            range = popPending().range.lowerBound..<range.upperBound
        }
        let quantifier: Comparison.Quantifier? = word.map { $0 == .all ? .all : .any }
        let comparison = Comparison(
            try left.operand(), relation, try right.operand(), options: options, quantifier: quantifier,
            place: Place(range))
        var condition = Condition.comparison(comparison)
        if word == .some(.none) {
            condition = .not(condition)
            height += 1
        }
        try push(Term(condition, range, height: height))
    }

    private mutating func reduceChain(
        _ count: Int, _ join: ([Condition]) -> Condition
    ) throws(ParsingError) {
        let first = terms.count - count
        let range = terms[first].range.lowerBound..<terms[terms.count - 1].range.upperBound
        var parts: [Condition] = []
        parts.reserveCapacity(count)
        var height = 0
        for term in terms[first...] {
            parts.append(try term.condition())
            height = max(height, term.height)
        }
        terms.removeLast(count)
        try push(Term(join(parts), range, height: height + 1))
    }

    /// Takes the terms from a place on, which must be operands, and their greatest height.
    mutating func popOperands(downTo base: Int) throws(ParsingError) -> ([Operand], height: Int) {
        var operands: [Operand] = []
        operands.reserveCapacity(terms.count - base)
        var height = 0
        for term in terms[base...] {
            operands.append(try term.operand())
            height = max(height, term.height)
        }
        terms.removeLast(terms.count - base)
        return (operands, height)
    }
}

extension Literal {
    /// The number with the other sign; nil when it is no number or its negative does not fit.
    fileprivate var negative: Literal? {
        switch self {
        case .int(let value) where value != .min: .int(-value)
        case .float(let value): .float(-value)
        case .double(let value): .double(-value)
        default: nil
        }
    }
}
