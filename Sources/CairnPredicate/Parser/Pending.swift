/// What has been read and waits for the operand after it, or for its closing bracket.
struct Pending {
    enum Content {
        case opening(Opening)
        case not
        case negation
        case quantifier(Keyword)
        case comparison(Comparison.Relation, Comparison.Options)
        case arithmetic(Operand.ArithmeticOperator)
        /// The number of ANDs: the terms before them lie on the stack of terms.
        case and(Int)
        /// The number of ORs.
        case or(Int)
    }

    var content: Content
    /// Bytes of the word or sign.
    var range: Range<Int>

    init(_ content: Content, _ range: Range<Int>) {
        self.content = content
        self.range = range
    }

    /// A bracket that is not closed yet.
    struct Opening {
        enum Kind {
            case parenthesis
            case brace
            /// `name(`
            case call(name: String)
            /// `SUBQUERY(`, and the variable's name once it is read.
            case subquery(variable: String?)
        }

        var kind: Kind
        /// The number of terms below its own.
        var base: Int
    }

    /// How tightly it binds; nil for a bracket, which binds nothing.
    var precedence: Precedence? {
        switch content {
        case .opening: nil
        case .not: .not
        case .negation: .negation
        case .quantifier: .quantifier
        case .comparison: .comparison
        case .arithmetic(let symbol): Precedence(symbol)
        case .and: .and
        case .or: .or
        }
    }

    /// Whether it may stand any number of times at one place, so that the parser must count it.
    var isNesting: Bool {
        switch content {
        case .opening, .not, .negation, .quantifier: true
        case .comparison, .arithmetic, .and, .or: false
        }
    }

    /// From loose to tight. Operators of one kind group from the left; comparisons do not group.
    enum Precedence: Int, Comparable {
        case or, and, not, quantifier, comparison, assignment, addition, multiplication, negation, power

        init(_ symbol: Operand.ArithmeticOperator) {
            switch symbol {
            case .assign: self = .assignment
            case .add, .subtract: self = .addition
            case .multiply, .divide: self = .multiplication
            case .power: self = .power
            }
        }

        static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
    }
}
