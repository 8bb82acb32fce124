extension Realm {
    /// What a Realm tells its listeners.
    public enum Notification: String, Sendable {
        /// It has moved to another version: by a write of its own, by a refresh, or by itself.
        case didChange = "RLMRealmDidChangeNotification"
        /// There is a newer version, and `autorefresh` is off.
        case refreshRequired = "RLMRealmRefreshRequiredNotification"
    }

    /// A block that is told when a Realm moves.
    public typealias NotificationBlock = (_ notification: Notification, _ realm: Realm) -> Void

    /// Has a block called whenever the Realm moves to another version, or could.
    ///
    /// It is called where the Realm belongs: for a write of this Realm before `write` returns, for others' when
    /// the Realm moves. Blocks of objects and collections have been called by then, but for the Realm's own
    /// writes, which those are told of later. What a block does to this Realm is not told again while blocks
    /// are running.
    ///
    /// Where nothing can be delivered (a thread without a run loop that runs), and in a read-only or frozen
    /// Realm, this is misuse.
    ///
    /// - Returns: a token that has to be kept: with it the calls end.
    public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
        guard session.canBeObserved("A Realm") else { return NotificationToken() }
        let observation = RealmObservation { [unowned session] event in
            block(event == .didChange ? .didChange : .refreshRequired, Realm(session))
        }
        session.observers.add(observation)
        return NotificationToken(observation.life, session)
    }
}

extension RealmSession {
    /// Whether listeners may be registered now, which has the session told of commits of others.
    func canBeObserved(_ what: String) -> Bool {
        if isFrozen {
            Misuse.reportFatal(
                RealmError(
                    .misuse, "Frozen Realms do not change and do not have change notifications: \(what)."))
            return false
        }
        guard confinement.isHere else {
            Misuse.reportFatal(RealmError(.incorrectThread, confinement.violation(what)))
            return false
        }
        if isReadOnly {
            Misuse.reportFatal(
                RealmError(
                    .misuse, "Read-only Realms do not change and do not have change notifications: \(what)."))
            return false
        }
        guard confinement.scheduler.canDeliver else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    """
                    Can only add notification blocks where they can be called: \(what) belongs to \
                    \(confinement.scheduler.name), whose run loop does not run. Use the main thread, a Realm that \
                    was opened for a queue or an actor, or name a queue with 'on:'.
                    """))
            return false
        }
        listen()
        return true
    }
}
