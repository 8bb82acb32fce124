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
        guard let tables = session.readable("A Realm") else { return Results(ResultsSource(session)) }
        let space = (tables.accesses + ordinal).table.definition.space
        return Results(ObjectResults(allOf: ordinal, session, space))
    }

    /// Deletes all objects of a collection.
    ///
    /// - Complexity: O(objects and links to them).
    public func delete<Element: Object>(_ objects: Results<Element>) {
        guard requireWrite("delete"), isOwn(objects.source.session, "Results") else { return }
        guard let source = objects.source as? ObjectResults else { return }
        // One that is there twice, in the query of a list, is deleted once.
        delete(Set(source.allRows()).sorted(), of: session.handle(source.ordinal))
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
        delete(Set(objects.rows(place)).sorted(), of: target)
    }

    private func isOwn(_ owner: RealmSession?, _ what: String) -> Bool {
        guard owner !== session else { return true }
        Misuse.report(
            RealmError(.misuse, "Can only delete a \(what) of objects from the Realm it belongs to."), session
        )
        return false
    }
}
