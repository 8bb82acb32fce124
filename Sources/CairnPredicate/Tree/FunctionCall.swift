/// `name(arguments)`. No query can carry one out: it is in the tree so that it can be refused by name.
package struct FunctionCall: Hashable, Sendable {
    /// An identifier that is no keyword.
    package var name: String
    package var arguments: [Operand]

    package init(_ name: String, _ arguments: [Operand]) {
        self.name = name
        self.arguments = arguments
    }
}
