internal import CairnStorage

/// The live sessions of the process, so that a file is opened once a set of classes in each place where
/// Realms belong.
enum SessionRegistry {
    struct Key: Hashable {
        let store: ObjectIdentifier
        let place: SchedulerIdentity
        let models: ObjectIdentifier
    }

    private struct State {
        var entries: [Key: FaintReference<RealmSession>] = [:]
        /// How many there were after the last sweep.
        var sweepLimit = 64
    }

    private static let state = Guarded(State())

    /// - Parameter scheduler: where the session has to belong, if the key alone could be mistaken.
    static func session(_ key: Key, _ scheduler: (any Scheduler)?) -> RealmSession? {
        guard let known = state.withLock({ $0.entries[key]?.object }) else { return nil }
        // Another actor may have the address of one that has gone.
        guard let actor = scheduler as? ActorScheduler,
            let other = known.confinement.scheduler as? ActorScheduler
        else { return known }
        return actor.isSame(as: other) ? known : nil
    }

    static func insert(_ session: RealmSession, _ key: Key) {
        state.withLock { state in
            state.entries[key] = FaintReference(session)
            guard state.entries.count > state.sweepLimit else { return }
            state.entries = state.entries.filter { $0.value.object != nil }
            state.sweepLimit = max(64, state.entries.count * 2)
        }
    }
}
