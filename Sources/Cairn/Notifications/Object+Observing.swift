internal import CairnStorage
public import Dispatch

extension ThreadConfined where Self: ObjectBase {
    /// Has a block called whenever properties of the object were set, and when it was deleted.
    ///
    /// Calls come where the object belongs, when its Realm has moved: for its own writes soon afterwards, for
    /// others' when it moves to them. Several commits may be one call. After `.deleted` there is none.
    ///
    /// Of unmanaged, frozen, read-only and deleted objects, in a write that has changed something, and where
    /// nothing can be delivered, this is misuse.
    ///
    /// - Parameters:
    ///   - keyPaths: the properties that matter, by their names, also of objects linked to
    ///     (`"bestFriend.name"`): then the first property of the path is told of. Without any, all of the object
    ///     itself.
    ///   - queue: a serial queue to call the block on, with an object of a Realm of the queue's own. Then
    ///     registering happens there, later.
    /// - Returns: a token that has to be kept: with it the calls end.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        guard let queue else {
            let life = ObservationLife()
            guard let session = register(keyPaths, life, block) else { return NotificationToken() }
            return NotificationToken(life, session)
        }
        return RemoteRegistration.register(self, on: queue) { object, life in
            _ = object.register(keyPaths, life, block)
        }
    }

    /// The same with the names that key paths stand for.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: RealmSession.texts(of: keyPaths), on: queue, block)
    }

    /// The same on an actor, with an object of a Realm of the actor's own.
    public func observe<Place: Actor>(
        keyPaths: [String]? = nil, on actor: Place, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated Place, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await RemoteRegistration.register(self, on: actor) { object, life in
            // Blocks are called where the Realm belongs: on the actor.
            _ = object.register(keyPaths, life) { change in
                let change = RemoteRegistration.HandedOver(content: change)
                actor.assumeIsolated { block($0, change.content) }
            }
        }
    }

    private func register(
        _ keyPaths: [String]?, _ life: ObservationLife, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> RealmSession? {
        guard let (observation, session) = makeObservation(keyPaths, life, block) else { return nil }
        session.register(observation, isKnown: true)
        return session
    }

    /// - Returns: nil where there can be none, which was reported.
    func makeObservation(
        _ keyPaths: [String]?, _ life: ObservationLife, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> (Observation, RealmSession)? {
        guard let session, let access else {
            RemoteRegistration.reportUnmanaged(Self.self)
            return nil
        }
        guard session.canRegister("An object of class '\(Self.className())'") else { return nil }
        guard isValid else {
            Misuse.report(deletedError(nil), session)
            return nil
        }
        let ordinal = access.pointee.ordinal
        let paths = session.observedPaths(keyPaths, from: ordinal)
        return (ObjectObservation(self, ordinal, paths, life, block), session)
    }
}
