internal import CairnQuery
internal import CairnStorage

extension RealmCollection {
    /// The place in this collection of the first element for which a predicate holds; nil for none.
    ///
    /// - Complexity: that of filtering, and of finding a row in the collection.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        firstIndex { () throws(RealmError) in
            try StatedPredicate(parsing: predicateFormat, arguments: args)
        }
    }

    /// The place of the first element for which what is stated holds.
    func firstIndex(_ state: () throws(RealmError) -> StatedPredicate) -> Int? {
        let query = _query
        do throws(RealmError) {
            switch query.kind {
            case .objects(let session, let ordinal, let description):
                guard let condition = try Self.bound(try state(), session, description.table) else {
                    return nil
                }
                // Not `filter`, whose condition comes before `distinct`: then other rows would be left.
                let found = ObjectResults(description.selecting(condition), ordinal, session)
                return Results<Element>(found).first.flatMap { index(of: $0) }
            case .values(let owner, let property, let description):
                guard let condition = try Self.bound(try state(), to: property, of: owner),
                    let found = ValueResults(description, of: owner, property).found()
                else { return nil }
                return found.firstIndex(matching: condition)
            case .nothing: return nil
            case .unmanaged:
                _ = try results(where: try state())
                return nil
            }
        } catch {
            Misuse.report(error, query.session)
            return nil
        }
    }
}
