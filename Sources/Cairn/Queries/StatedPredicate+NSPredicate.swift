internal import CairnPredicate
package import Foundation

extension StatedPredicate {
    /// What a predicate of Foundation states: one of text, a constant, or a compound of such.
    ///
    /// A compound of nothing is true for AND and false for OR.
    ///
    /// - Throws: `misuse` for a block predicate, `invalidInput` for one nested too deep.
    package init(_ predicate: NSPredicate) throws(RealmError) {
        self = try Self.stated(predicate, level: 1)
    }

    private static func stated(_ predicate: NSPredicate, level: Int) throws(RealmError) -> StatedPredicate {
        guard level <= PredicateLimits.height else {
            throw RealmError(
                .invalidInput,
                "The compound predicate is nested more than \(PredicateLimits.height) levels deep.")
        }
        if let compound = predicate as? NSCompoundPredicate { return try stated(compound, level) }
        if NSPredicate(value: true).isEqual(predicate) {
            return StatedPredicate(condition: .constant(true), text: "TRUEPREDICATE")
        }
        if NSPredicate(value: false).isEqual(predicate) {
            return StatedPredicate(condition: .constant(false), text: "FALSEPREDICATE")
        }
        if let stated = try predicate.stated() { return stated }
        throw RealmError(
            .misuse,
            """
            A predicate with a block cannot be used in a query: make it with NSPredicate(format:), or filter in \
            Swift what the query gives.
            """)
    }

    private static func stated(
        _ compound: NSCompoundPredicate, _ level: Int
    ) throws(RealmError) -> StatedPredicate {
        switch compound.compoundPredicateType {
        case .and:
            let parts = try parts(of: compound, level)
            return combined(parts, " AND ", empty: "TRUEPREDICATE") { .allOf($0) }
        case .or:
            let parts = try parts(of: compound, level)
            return combined(parts, " OR ", empty: "FALSEPREDICATE") { .anyOf($0) }
        case .not:
            let parts = compound.subpredicates
            guard let part = parts.first, parts.count == 1 else {
                throw RealmError(.misuse, "A NOT predicate takes one predicate, not \(parts.count).")
            }
            return try stated(part, level: level + 1).negated()
        @unknown default:
            throw RealmError(.misuse, "A compound predicate is AND, OR or NOT.")
        }
    }

    /// The parts of an AND or OR. Those of a like compound in it are its own, so that one that was built
    /// step by step does not become deep.
    private static func parts(
        of compound: NSCompoundPredicate, _ level: Int
    ) throws(RealmError) -> [StatedPredicate] {
        var parts: [StatedPredicate] = []
        // The last one is next.
        var waiting: [NSPredicate] = [compound]
        while let next = waiting.popLast() {
            if let inner = next as? NSCompoundPredicate,
                inner.compoundPredicateType == compound.compoundPredicateType
            {
                waiting += inner.subpredicates.reversed()
            } else {
                parts.append(try stated(next, level: level + 1))
            }
        }
        return parts
    }
}
