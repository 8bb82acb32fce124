// What is frozen and thawed, collection by collection.

extension Realm {
    /// An object as it is now, for every thread.
    public func freeze<T: Object>(_ object: T) -> T { object.freeze() }

    /// The live object on the calling thread; nil where it was deleted.
    public func thaw<T: Object>(_ object: T) -> T? { object.thaw() }

    /// A collection as it is now, for every thread.
    public func freeze<C: RealmCollection>(_ collection: C) -> C { collection.freeze() }

    /// The live collection on the calling thread; nil where its owner was deleted.
    public func thaw<C: RealmCollection>(_ collection: C) -> C? { collection.thaw() }
}

extension Results {
    public var realm: Realm? { source.session.map { Realm($0) } }

    /// The collection as it is now, for every thread. Inside a write, as it was before the write.
    public func freeze() -> Results { Results(source.frozen()) }

    /// The live collection on the calling thread; nil where the object that it began from was deleted.
    public func thaw() -> Results? {
        guard let session = source.session, session.isFrozen else { return self }
        return source.thawed(in: Realm(session).thaw().session).map { Results($0) }
    }
}

extension List {
    public var realm: Realm? { session.map { Realm($0) } }

    /// The list as it is now, for every thread. An unmanaged one cannot be frozen.
    public func freeze() -> List {
        guard case .managed(let owner, let property) = storage, let frozen = owner.frozenCounterpart() else {
            refuseUnmanaged("frozen")
            return self
        }
        return frozen === owner ? self : List(of: frozen, property)
    }

    /// The live list on the calling thread; nil where its object was deleted.
    public func thaw() -> List? {
        guard case .managed(let owner, let property) = storage else {
            refuseUnmanaged("thawed")
            return nil
        }
        return owner.liveCounterpart().map { $0 === owner ? self : List(of: $0, property) }
    }

    private func refuseUnmanaged(_ verb: String) {
        guard case .unmanaged = storage else { return }
        Misuse.reportFatal(RealmError(.misuse, "Unmanaged Lists cannot be \(verb)."))
    }
}

extension LinkingObjects {
    public var realm: Realm? { session.map { Realm($0) } }

    /// The collection as it is now, for every thread. That of an unmanaged object stays what it is.
    public func freeze() -> LinkingObjects {
        guard let owner, let frozen = owner.frozenCounterpart() else {
            return self
        }
        return LinkingObjects(of: frozen, property)
    }

    /// The live collection on the calling thread; nil where its object was deleted.
    public func thaw() -> LinkingObjects? {
        guard let owner else { return self }
        return owner.liveCounterpart().map { LinkingObjects(of: $0, property) }
    }
}
