internal import CairnStorage

extension Realm {
    /// All objects of a class, in the order in which they were added.
    ///
    /// A class that is not in the schema is misuse.
    ///
    /// - Complexity: O(1).
    public func objects<Element: RealmFetchable>(_ type: Element.Type) -> Results<Element> {
        guard let model = type as? ObjectBase.Type, let ordinal = session.ordinal(of: model) else {
            let name = (type as? ObjectBase.Type)?.className() ?? "\(type)"
            Misuse.reportFatal(Self.unknownClass(name))
            preconditionFailure("objects of a class that is not in the schema were asked for: \(name)")
        }
        _ = session.readable("A Realm")
        return Results(ResultsSource(allOf: ordinal, session))
    }

    /// Deletes all objects of a collection.
    ///
    /// - Complexity: O(objects and links to them).
    public func delete<Element: Object>(_ objects: Results<Element>) {
        guard requireWrite("delete"), isOwn(objects.source.session, "Results") else { return }
        guard let access = objects.source.readable() else { return }
        deleteAll(of: access)
    }

    /// Deletes all objects of a list, which is empty afterwards.
    ///
    /// - Complexity: O(objects and links to them).
    public func delete<Element: Object>(_ objects: List<Element>) {
        guard requireWrite("delete") else { return }
        guard isOwn(objects.session, "List"), let place = objects.reading(), let target = place.target else {
            return
        }
        // One that is in the list twice is deleted once.
        let rows = Set(objects.rows(place)).sorted()
        delete(rows.map { RowKey($0) }, of: target)
    }

    private func isOwn(_ owner: RealmSession?, _ what: String) -> Bool {
        guard owner !== session else { return true }
        Misuse.report(
            RealmError(.misuse, "Can only delete a \(what) of objects from the Realm it belongs to."), session
        )
        return false
    }
}
