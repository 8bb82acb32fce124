package import CairnPredicate

/// A predicate as one of the front doors states it (text, `where`, `#Predicate`), not bound to a class yet.
package struct StatedPredicate {
    package var condition: Condition
    /// What the numbers of `Literal.object` stand for, by place.
    package var objects: [ObjectBase] = []
    /// The text that the places of the condition are places in; nil where it was not read from text.
    package var text: String?
}

extension StatedPredicate {
    /// What predicate text with its arguments states. The grammar is in `docs/queries.md`.
    ///
    /// - Parameter arguments: One for each placeholder, in order: see `PredicateArguments`.
    /// - Throws: `invalidInput` for a text that cannot be read, with the text and a mark under the place, and
    ///   for too few or too many arguments; `invalidValue` for an argument that no query can take.
    /// - Complexity: O(bytes of the text + arguments and their elements).
    package init(parsing text: String, arguments: [Any]) throws(RealmError) {
        var values = PredicateArguments()
        let literals = try values.literals(of: arguments)
        do throws(ParsingError) {
            condition = try PredicateParser.parse(text, literals)
        } catch {
            throw RealmError(.invalidInput, ErrorSentence(error, in: text).description)
        }
        objects = values.objects
        self.text = text
    }
}
