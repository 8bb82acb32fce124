internal import CairnQuery
internal import CairnStorage
public import Dispatch

extension RealmCollection {
    /// Has a block called with the collection as it is, and then whenever it has changed.
    ///
    /// The first call is always `.initial`, and comes after the calling code, where the collection belongs.
    /// Later ones come when the Realm has moved: for its own writes soon afterwards, for others' when it moves
    /// to them. Several commits may be one call; none is told twice; where nothing changed that is seen, there
    /// is no call. When the object that a list belongs to is deleted, one last call deletes everything.
    ///
    /// ```swift
    /// token = realm.objects(Dog.self).observe { change in
    ///     switch change {
    ///     case .initial: table.reloadData()
    ///     case .update(_, let deletions, let insertions, let modifications): …
    ///     case .error: break
    ///     }
    /// }
    /// ```
    ///
    /// Of unmanaged, frozen and read-only collections, in a write that has changed something, and where
    /// nothing can be delivered, this is misuse.
    ///
    /// - Parameters:
    ///   - keyPaths: the properties that make an object count as modified, by their names, also through links
    ///     in both directions (`"dogs.owners.name"`); `*` is every stored property. Without any, an object
    ///     counts as modified when it or something at most three links away has changed.
    ///   - queue: a serial queue to call the block on, with a collection of a Realm of the queue's own. Then
    ///     registering happens there, later.
    /// - Returns: a token that has to be kept: with it the calls end.
    /// - Complexity: a change of k rows costs O(k log n) for all objects of a class, and for those on a
    ///   condition that looks at nothing but the object itself; for other collections, carrying out their
    ///   query, if a class has changed that it depends on.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        guard let queue else {
            let life = ObservationLife()
            guard let session = register(keyPaths, life, block) else { return NotificationToken() }
            return NotificationToken(life, session)
        }
        return RemoteRegistration.register(self, on: queue) { collection, life in
            _ = collection.register(keyPaths, life, block)
        }
    }

    /// The same with the names that key paths stand for.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken where Element: ObjectBase {
        observe(keyPaths: RealmSession.texts(of: keyPaths), on: queue, block)
    }

    /// The same on an actor, with a collection of a Realm of the actor's own.
    public func observe<Place: Actor>(
        keyPaths: [String]? = nil, on actor: Place, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Place, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await RemoteRegistration.register(self, on: actor) { collection, life in
            // Blocks are called where the Realm belongs: on the actor.
            _ = collection.register(keyPaths, life) { change in
                let change = RemoteRegistration.HandedOver(content: change)
                actor.assumeIsolated { block($0, change.content) }
            }
        }
    }

    /// Registers where the collection belongs.
    ///
    /// - Returns: nil where that is not possible, which was reported.
    private func register(
        _ keyPaths: [String]?, _ life: ObservationLife,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> RealmSession? {
        guard let (observation, session) = makeObservation(keyPaths, life, block) else { return nil }
        session.register(observation, isKnown: false)
        return session
    }

    /// - Returns: nil where there can be none, which was reported.
    func makeObservation(
        _ keyPaths: [String]?, _ life: ObservationLife,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> (Observation, RealmSession)? {
        guard let session = realm?.session else {
            RemoteRegistration.reportUnmanaged(Self.self)
            return nil
        }
        guard session.canRegister("\(Self.self)") else { return nil }
        return observation(session, keyPaths, life, block).map { ($0, session) }
    }

    private func observation(
        _ session: RealmSession, _ keyPaths: [String]?, _ life: ObservationLife,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> Observation? {
        switch _query.kind {
        case .objects(_, let ordinal, let query):
            let paths = session.observedPaths(keyPaths, from: ordinal)
            return ObjectsObservation(self, query, paths, life, block)
        case .values(let owner, let property, _):
            guard let access = owner.access else { return nil }
            let definition = access.table.definition
            let column = definition.columns[access.position(property)].id
            return ValuesObservation(self, (definition.space, RowKey(owner.row), column), life, block)
        case .nothing, .unmanaged: return nil
        }
    }
}
