internal import CairnQuery
internal import CairnStorage

/// What a collection was made by, for asking more of it. Not for programs to use.
public struct _CollectionQuery {
    let kind: Kind
    /// Of results: what keeps what was found.
    let results: ObjectResults?

    enum Kind {
        /// Objects of the class with that ordinal.
        case objects(RealmSession, Int, QueryDescription)
        /// Values of a list: the property of an object.
        case values(ObjectBase, Int, ElementQuery)
        /// Nothing, whatever is asked: what links to an object that is in no Realm.
        case nothing
        /// A collection that is in no Realm and can be asked nothing, with what it is called.
        case unmanaged(String)
    }

    init(_ kind: Kind, results: ObjectResults? = nil) {
        self.kind = kind
        self.results = results
    }

    var session: RealmSession? {
        switch kind {
        case .objects(let session, _, _): session
        case .values(let owner, _, _): owner.session
        case .nothing, .unmanaged: nil
        }
    }

    /// The results of it.
    func source() -> ResultsSource {
        switch kind {
        case .objects(let session, let ordinal, let description): ObjectResults(description, ordinal, session)
        case .values(let owner, let property, let description): ValueResults(description, of: owner, property)
        case .nothing, .unmanaged: ResultsSource(nil)
        }
    }
}

extension List {
    public var _query: _CollectionQuery {
        guard case .managed(let owner, let property) = storage else {
            return _CollectionQuery(.unmanaged("This List is in no Realm"))
        }
        guard let place = reading() else { return _CollectionQuery(.nothing) }
        guard let target = place.target else {
            return _CollectionQuery(.values(owner, property, ElementQuery()))
        }
        return _CollectionQuery(
            ofElements: place.access, place.row, place.position, target, place.session)
    }
}

extension LinkingObjects {
    public var _query: _CollectionQuery {
        guard let owner, let access = owner.readableAccess(property),
            let origin = access.pointee.targets[property]
        else { return _CollectionQuery(.nothing) }
        return _CollectionQuery(
            ofElements: access, RowKey(owner.row), access.position(property), origin, access.session)
    }
}

extension _CollectionQuery {
    /// The objects of a list, or those that link to an object.
    fileprivate init(
        ofElements access: UnsafeMutablePointer<ClassAccess>, _ row: RowKey, _ position: Int,
        _ target: UnsafeMutablePointer<ClassAccess>, _ session: RealmSession
    ) {
        let owner = access.table.definition
        self.init(
            .objects(
                session, target.pointee.ordinal,
                QueryDescription(
                    target.table.definition.space,
                    base: .elements(owner: owner.space, row: row, column: owner.columns[position].id))))
    }
}
