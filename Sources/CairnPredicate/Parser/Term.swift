/// What has been read completely: an operand, a condition, or the part of one.
struct Term {
    enum Content {
        case operand(Operand)
        case condition(Condition)
    }

    var content: Content
    /// Bytes of the text, brackets around it included.
    var range: Range<Int>
    /// The levels of its tree.
    var height: Int

    init(_ operand: Operand, _ range: Range<Int>, height: Int = 1) {
        self.content = .operand(operand)
        self.range = range
        self.height = height
    }

    init(_ condition: Condition, _ range: Range<Int>, height: Int = 1) {
        self.content = .condition(condition)
        self.range = range
        self.height = height
    }

    /// The operand; throws when it is a condition.
    func operand() throws(ParsingError) -> Operand {
        guard case .operand(let operand) = content else {
            throw ParsingError(.notAValue, range, expected: .value)
        }
        return operand
    }

    /// The condition; throws when it is an operand.
    func condition() throws(ParsingError) -> Condition {
        guard case .condition(let condition) = content else {
            throw ParsingError(.notACondition, range, expected: .condition)
        }
        return condition
    }

    var isCondition: Bool {
        if case .condition = content { true } else { false }
    }
}
