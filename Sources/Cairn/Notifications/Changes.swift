internal import CairnStorage

extension RealmCollection {
    /// The changes of the collection, one after the other, for a loop where the collection belongs: the main
    /// actor, or an actor that the Realm was opened for.
    ///
    /// ```swift
    /// for await change in realm.objects(Dog.self).changes { … }
    /// ```
    ///
    /// The first is `.initial`. Registering is misuse where it is for `observe`.
    public var changes: ChangeSequence<RealmCollectionChange<Self>> { changes(keyPaths: nil) }

    /// The same for some properties, as for `observe`.
    public func changes(keyPaths: [String]?) -> ChangeSequence<RealmCollectionChange<Self>> {
        ChangeSequence(isKnown: false) { life, put in self.makeObservation(keyPaths, life, put) }
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// The changes of the object, one after the other, for a loop where the object belongs. Ends after
    /// `.deleted`. Registering is misuse where it is for `observe`.
    public var changes: ChangeSequence<ObjectChange<Self>> { changes(keyPaths: nil) }

    /// The same for some properties, as for `observe`.
    public func changes(keyPaths: [String]?) -> ChangeSequence<ObjectChange<Self>> {
        ChangeSequence(isKnown: true) { life, put in self.makeObservation(keyPaths, life, put) }
    }
}

extension ChangeSequence {
    /// - Parameters:
    ///   - isKnown: whether its listener knows what is observed, and wants no `.initial`.
    ///   - observe: an observation that puts changes where it is told to; nil after misuse, which was reported.
    fileprivate init(
        isKnown: Bool,
        _ observe: @escaping (ObservationLife, @escaping (Element) -> Void) -> (Observation, RealmSession)?
    ) {
        self.init(begin: { pull in
            let life = ObservationLife()
            guard let (observation, session) = observe(life, { [weak pull] in pull?.put($0) }) else {
                return NotificationToken()
            }
            let pulled = PulledObservation(observation, pull.turn)
            pull.attach(pulled, session)
            session.register(pulled, isKnown: isKnown)
            return NotificationToken(life, session)
        })
    }
}
