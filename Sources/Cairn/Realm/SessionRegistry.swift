internal import CairnStorage

/// The live sessions of the process, so that a file is opened once a thread and set of classes.
enum SessionRegistry {
    struct Key: Hashable {
        let store: ObjectIdentifier
        let thread: UInt64
        let models: ObjectIdentifier
    }

    private struct State {
        var entries: [Key: FaintReference<RealmSession>] = [:]
        /// How many there were after the last sweep.
        var sweepLimit = 64
    }

    private static let state = Guarded(State())

    static func session(_ key: Key) -> RealmSession? {
        state.withLock { $0.entries[key]?.object }
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
