public import Foundation

// The doors beside text: `Query`, `NSPredicate`, and Foundation's `Predicate`. All lead to one engine.

extension RealmCollection {
    /// The elements for which a query in Swift holds.
    ///
    /// ```swift
    /// let adults = realm.objects(Person.self).where { $0.age >= 18 && $0.dogs.name == "Rex" }
    /// ```
    ///
    /// What no query can say is misuse: see ``Query``.
    ///
    /// - Parameter isIncluded: called at once, with a query to begin at.
    /// - Complexity: O(size of the query). It is carried out when the results are first used.
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        results { () throws(RealmError) in try StatedPredicate(where: isIncluded) }
    }

    /// The elements for which a predicate holds that was made of text (`NSPredicate(format:)`), or is a
    /// compound of such.
    ///
    /// A predicate with a block is misuse, and so is what ``filter(_:_:)`` has as misuse.
    public func filter(_ predicate: NSPredicate) -> Results<Element> {
        results { () throws(RealmError) in try StatedPredicate(predicate) }
    }

    /// The elements for which a predicate holds that may be wrong.
    ///
    /// - Throws: `invalidInput` for what cannot be asked of the elements, `misuse` for a predicate with a
    ///   block.
    public func filtered(_ predicate: NSPredicate) throws -> Results<Element> {
        try results(where: StatedPredicate(predicate))
    }

    /// The elements for which a predicate of Foundation's macro holds.
    ///
    /// ```swift
    /// let named = realm.objects(Person.self).filter(#Predicate { $0.bestFriend?.name == "Rex" })
    /// ```
    ///
    /// An expression that no query can say is misuse, and named: it is never evaluated object by object.
    /// Texts are compared by their bytes, as in every query.
    public func filter(_ predicate: Predicate<Element>) -> Results<Element> {
        results { () throws(RealmError) in try StatedPredicate(predicate) }
    }

    /// The elements for which a predicate of Foundation's macro holds, where not every expression is known
    /// to be one that a query can say.
    ///
    /// - Throws: `misuse` for an expression that no query can say, with its name; `invalidInput` for what
    ///   cannot be asked of the elements.
    public func filtered(_ predicate: Predicate<Element>) throws -> Results<Element> {
        try results(where: StatedPredicate(predicate))
    }

    /// The place in this collection of the first element for which a query holds; nil for none.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        firstIndex { () throws(RealmError) in try StatedPredicate(where: isIncluded) }
    }

    /// The place in this collection of the first element for which a predicate holds; nil for none.
    public func index(matching predicate: NSPredicate) -> Int? {
        firstIndex { () throws(RealmError) in try StatedPredicate(predicate) }
    }

    /// The place in this collection of the first element for which a predicate holds; nil for none.
    public func index(matching predicate: Predicate<Element>) -> Int? {
        firstIndex { () throws(RealmError) in try StatedPredicate(predicate) }
    }
}
