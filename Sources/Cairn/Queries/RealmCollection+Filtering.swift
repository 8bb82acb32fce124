internal import CairnPredicate
internal import CairnQuery
internal import CairnStorage

extension RealmCollection {
    /// The elements for which a predicate holds.
    ///
    /// ```swift
    /// let adults = realm.objects(Person.self).filter("age >= %d AND ANY dogs.name BEGINSWITH[c] %@", 18, "r")
    /// ```
    ///
    /// The grammar, and what nil does, is in `docs/queries.md`. Text that a person typed is for
    /// ``filtered(_:_:)``, which throws: here a predicate that cannot be read, a property that is not there
    /// and a value of the wrong type are misuse, as in Realm. As there, what is filtered after it was sorted
    /// or told apart is filtered first.
    ///
    /// - Parameters:
    ///   - predicateFormat: The predicate. Never put values into its text: name them `%@`, so that quotes in
    ///     them mean nothing.
    ///   - args: One for each placeholder: values, optionals, enums, objects, and collections for IN.
    /// - Complexity: O(length of the text). It is carried out when the results are first used.
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
        results { () throws(RealmError) in try StatedPredicate(parsing: predicateFormat, arguments: args) }
    }

    /// The elements for which a predicate holds, of text that may be wrong: typed by a person, or read from
    /// somewhere.
    ///
    /// - Throws: `invalidInput` for text that cannot be read, a property that is not there, or a value of the
    ///   wrong type: with the text, a mark under the place, and the property that was probably meant.
    ///   `invalidValue` for an argument that no query can take.
    public func filtered(_ predicateFormat: String, _ args: Any...) throws -> Results<Element> {
        try results(where: StatedPredicate(parsing: predicateFormat, arguments: args))
    }

    /// How the query is carried out, in words, a line for each step: what is scanned, which index is used,
    /// and in which order conditions are asked. For people; the words may change.
    ///
    /// ```swift
    /// print(realm.objects(Dog.self).filter("age > 3 AND name == 'Rex'").explain())
    /// // find rows of Dog by the index of Dog.name: name == "Rex"
    /// //   where age > 3
    /// ```
    public func explain() -> String {
        guard case .objects(let session, _, let description) = _query.kind else {
            return "go through the values of the list one by one"
        }
        guard let tables = session.readable("A collection"), let engine = tables.engine else {
            return "nothing can be read"
        }
        return session.noting { () throws(StorageError) in
            try QueryEvaluation(description, QueryContext(engine, tables.foldedChunks)).explain()
        } ?? "the plan could not be made, because the file is damaged"
    }
}

// MARK: - Binding

extension RealmCollection {
    /// The results of a predicate that a front door states. Its mistakes are misuse.
    func results(_ state: () throws(RealmError) -> StatedPredicate) -> Results<Element> {
        do throws(RealmError) {
            return try results(where: try state())
        } catch {
            Misuse.report(error, _query.session)
            return Results(ResultsSource(_query.session))
        }
    }

    /// The results of a predicate that a front door states.
    ///
    /// - Throws: `invalidInput` for one that cannot be asked of the elements; `misuse` for a collection that is
    ///   in no Realm.
    func results(where stated: StatedPredicate) throws(RealmError) -> Results<Element> {
        switch _query.kind {
        case .objects(let session, let ordinal, let description):
            guard let condition = try Self.bound(stated, session, description.table) else {
                return Results(ResultsSource(session))
            }
            return Results(ObjectResults(description.filtered(by: condition), ordinal, session))
        case .values(let owner, let property, let description):
            guard let condition = try Self.bound(stated, to: property, of: owner) else {
                return Results(ResultsSource(owner.session))
            }
            return Results(ValueResults(description.filtered(by: condition), of: owner, property))
        case .nothing: return Results(ResultsSource(nil))
        case .unmanaged(let what):
            throw RealmError(
                .misuse, "\(what), and only what is in a Realm can be asked. Add its object to one first.")
        }
    }

    /// nil where there is nothing to be read, which was reported.
    static func bound(
        _ stated: StatedPredicate, _ session: RealmSession, _ table: SpaceID
    ) throws(RealmError) -> BoundCondition? {
        guard let tables = session.readable("A query"), let engine = tables.engine else { return nil }
        do throws(QueryError) {
            let names = RealmNames(session, tables, objects: stated.objects)
            return try ConditionBinder(engine.schema, names).bind(stated.condition, to: table)
        } catch {
            throw RealmError(error, in: stated.text)
        }
    }

    /// What is stated, bound to the values of a list; nil where nothing can be read, which was reported.
    static func bound(
        _ stated: StatedPredicate, to property: Int, of owner: ObjectBase
    ) throws(RealmError) -> ElementCondition? {
        guard let kind = owner.valueKind(of: property) else { return nil }
        do throws(QueryError) {
            return try ElementCondition.bind(stated.condition, kind: kind, list: owner.name(of: property))
        } catch {
            throw RealmError(error, in: stated.text)
        }
    }
}

extension ObjectBase {
    /// The kind of the values of a list; nil where it cannot be read, which was reported.
    final func valueKind(of property: Int) -> ValueKind? {
        guard let access = readableAccess(property) else { return nil }
        return access.table.definition.columns[access.position(property)].kind
    }
}
