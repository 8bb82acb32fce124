/// What stands on a side of a comparison.
///
/// The forms are canonical: what can be a literal is one. `{1, 2}` is `.literal(.array)`, `-5` is
/// `.literal(.int(-5))`.
package indirect enum Operand: Hashable, Sendable {
    /// A value, written out or given as an argument.
    case literal(Literal)
    /// Something that is read from the object, or calculated from what is.
    case path(PropertyPath)
    /// `{…}` of which at least one element is no literal.
    case aggregate([Operand])
    /// `-x` of something that is no number literal.
    case negation(Operand)
    /// Arithmetic. No query can carry it out: it is in the tree so that it can be refused by name.
    case arithmetic(Operand, ArithmeticOperator, Operand)

    /// The literal that it is.
    package var literal: Literal? {
        if case .literal(let literal) = self { literal } else { nil }
    }

    /// An operator of arithmetic. The raw value is how it is written.
    package enum ArithmeticOperator: String, Hashable, Sendable, CaseIterable {
        case power = "**"
        case multiply = "*"
        case divide = "/"
        case add = "+"
        case subtract = "-"
        case assign = ":="
    }
}
