public import Foundation

extension NSPredicate {
    /// A predicate of text and arguments, for `filter(_:)` and its like. Foundation has none on Linux.
    ///
    /// ```swift
    /// let predicate = NSPredicate(format: "age > %d AND name BEGINSWITH[c] %@", 3, "r")
    /// realm.objects(Dog.self).filter(predicate)
    /// ```
    ///
    /// A text that cannot be read, or an argument that no query can take, is a mistake of the program and
    /// traps, with the place. For text that comes from people there is `filtered(_:_:)`, which throws.
    ///
    /// - Parameters:
    ///   - format: The grammar is in `docs/queries.md`.
    ///   - args: One for each placeholder, in order.
    /// - Note: Foundation's `predicateFormat` and `description` do not know the text.
    public convenience init(format: String, _ args: Any?...) {
        self.init(riding: FormatRider(format, args.map { $0 as Any }))
    }

    /// A predicate of text and an array of arguments: see ``init(format:_:)``.
    public convenience init(format: String, argumentArray: [Any]?) {
        self.init(riding: FormatRider(format, argumentArray ?? []))
    }

    private convenience init(riding rider: FormatRider) {
        self.init { object, _ in rider.answer(object) }
    }

    /// The tree that rides in this predicate; nil for a block of the program's own.
    ///
    /// - Throws: what was wrong with the text, where the trap about it was taken back.
    func stated() throws(RealmError) -> StatedPredicate? {
        let probe = PredicateProbe()
        _ = evaluate(with: probe)
        return try probe.answer?.get()
    }
}

/// What is handed to a predicate to learn what rides in it. A block of the program's own that expects an
/// object of its classes without asking meets this: such predicates cannot be translated.
private final class PredicateProbe {
    var answer: Result<StatedPredicate, RealmError>?
}

/// What a predicate of text carries: Foundation's class has no room but its block.
private final class FormatRider: @unchecked Sendable {
    // @unchecked: nothing changes after `init`. The objects among the arguments are for the thread that they
    // belong to, which whoever uses the predicate has to see to.
    private let content: Result<StatedPredicate, RealmError>

    /// Traps for a text that cannot be read.
    init(_ format: String, _ arguments: [Any]) {
        do throws(RealmError) {
            content = .success(try StatedPredicate(parsing: format, arguments: arguments))
        } catch {
            content = .failure(error)
            Misuse.reportFatal(error)
        }
    }

    /// Whether the predicate holds for an object, in Foundation's `evaluate(with:)`.
    func answer(_ object: Any?) -> Bool {
        if let probe = object as? PredicateProbe {
            probe.answer = content
            return false
        }
        Misuse.reportFatal(
            RealmError(
                .misuse,
                """
                evaluate(with:) is not supported for a predicate of text: filter a collection with it, or ask for \
                index(matching:).
                """))
        return false
    }
}
