internal import CairnQuery
internal import CairnStorage

extension RealmCollection {
    /// The place in this collection of the first element for which a predicate holds; nil for none.
    ///
    /// - Complexity: that of filtering, and of finding a row in the collection.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        firstIndex(
            of: results { () throws(RealmError) in
                try StatedPredicate(parsing: predicateFormat, arguments: args)
            })
    }

    /// The first place of an element that is in some results of this collection.
    func firstIndex(of found: Results<Element>) -> Int? {
        guard let source = found.source as? ObjectResults else {
            // Values: the first that is among them.
            guard !found.isEmpty else { return nil }
            let values = Set(found)
            return firstIndex { values.contains($0) }
        }
        guard case .objects(let session, let ordinal, let description) = _query.kind else { return nil }
        // The results' order is another one where this collection is sorted after it was filtered.
        if description.steps.isEmpty { return found.first.flatMap { index(of: $0) } }
        let rows = Set(source.allRows())
        guard !rows.isEmpty else { return nil }
        return ObjectResults(description, ordinal, session).allRows().firstIndex { rows.contains($0) }
    }
}
