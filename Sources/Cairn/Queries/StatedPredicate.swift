internal import CairnPredicate

/// A predicate as one of the front doors states it (text, `where`, `#Predicate`), not bound to a class yet.
struct StatedPredicate {
    var condition: Condition
    /// What the numbers of `Literal.object` stand for, by place.
    var objects: [ObjectBase] = []
    /// The text that the places of the condition are places in; nil where it was not read from text.
    var text: String?
}
