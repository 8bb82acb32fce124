/// What is true or false of an object: the tree that predicate text, and every other way to state a
/// query, comes down to.
///
///     age > 3 AND (ANY dogs.name == 'Rex' OR NOT flag == TRUE)
///
///     and ── comparison  age > 3
///         └─ or ── comparison  ANY dogs.name == 'Rex'
///               └─ not ── comparison  flag == TRUE
///
/// A chain of AND or OR is one node with all its parts, so twenty thousand terms are not twenty
/// thousand levels. What the parser makes is at most ``PredicateLimits/height`` levels high, so a
/// recursive walk over it fits any thread.
///
/// `NONE x` is `.not` of `ANY x`, and SOME is ANY: the tree has no node for them.
package indirect enum Condition: Hashable, Sendable {
    /// TRUEPREDICATE or FALSEPREDICATE.
    case constant(Bool)
    case comparison(Comparison)
    case not(Condition)
    /// True when all parts are. Two parts or more: ``allOf(_:)`` makes them.
    case and([Condition])
    /// True when a part is. Two parts or more: ``anyOf(_:)`` makes them.
    case or([Condition])

    /// The conjunction of any number of parts: of none it is true, of one that one.
    package static func allOf(_ parts: [Condition]) -> Condition {
        switch parts.count {
        case 0: .constant(true)
        case 1: parts[0]
        default: .and(parts)
        }
    }

    /// The disjunction of any number of parts: of none it is false, of one that one.
    package static func anyOf(_ parts: [Condition]) -> Condition {
        switch parts.count {
        case 0: .constant(false)
        case 1: parts[0]
        default: .or(parts)
        }
    }
}
