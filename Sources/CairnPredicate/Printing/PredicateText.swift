/// A condition as text, with the values that text cannot hold beside it.
///
/// Parsing the text with the arguments gives the same tree, if the tree is canonical as the parser's are:
/// chains have two parts or more, what can be a literal is one, and property names hold no dot.
/// Nothing in it is text that a person typed: the words are capitals, the operators in one spelling.
package struct PredicateText: Hashable, Sendable {
    package let text: String
    /// The values of the text's placeholders: what has no literal in the grammar, and names that are no
    /// identifiers.
    package let arguments: [Literal]

    /// - Parameter isTemplate: Whether every value is an argument, and parentheses are around every part:
    ///   `((age > %@) && (name == %@))`.
    package init(_ condition: Condition, isTemplate: Bool = false) {
        var printer = PredicatePrinter(style: isTemplate ? .templated : .parsable)
        printer.print(condition)
        text = printer.text
        arguments = printer.arguments
    }
}

extension Condition: CustomStringConvertible {
    /// The condition for people: all values stand in the text, so it is not always text that parses.
    package var description: String {
        var printer = PredicatePrinter(style: .readable)
        printer.print(self)
        return printer.text
    }
}
