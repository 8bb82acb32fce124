internal import CairnStorage
internal import Synchronization

/// Tells the sessions of a store of commits that others have made, on other threads and in other processes.
///
/// One a store. Other processes are watched only while a session listens.
final class CommitFeed: Sendable {
    private struct State {
        /// By the number of the session.
        var listeners: [UInt64: Listener] = [:]
        var watch: Store.Token?
    }

    /// A session and where it is to be told.
    final class Listener: Sendable {
        fileprivate let session: FaintReference<RealmSession>
        fileprivate let scheduler: any Scheduler
        /// Whether it will look anyway.
        private let isScheduled = Atomic<Bool>(false)
        /// Whether it is committing itself, and what it was told meanwhile: its own commit, at least.
        private let isMuted = Atomic<Bool>(false)
        private let missed = Atomic<Int>(0)

        init(_ session: RealmSession) {
            self.session = FaintReference(session)
            scheduler = session.confinement.scheduler
        }

        /// Its own commit is no news to a session.
        func mute() { isMuted.store(true, ordering: .sequentiallyConsistent) }

        func unmute() {
            isMuted.store(false, ordering: .sequentiallyConsistent)
            if missed.exchange(0, ordering: .sequentiallyConsistent) > 1 { tell() }
        }

        fileprivate func tell() {
            if isMuted.load(ordering: .sequentiallyConsistent) {
                missed.add(1, ordering: .sequentiallyConsistent)
                if isMuted.load(ordering: .sequentiallyConsistent) { return }
            }
            guard !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
            scheduler.perform {
                // First, so that a commit from here on is told again.
                self.isScheduled.store(false, ordering: .releasing)
                self.session.object?.noteNews()
            }
        }
    }

    // Under a lock: sessions come and go on every thread.
    private let state = Guarded(State())

    /// Has a session told from now on.
    func add(_ listener: Listener, number: UInt64, _ store: Store) {
        let isFirst = state.withLock { state in
            state.listeners[number] = listener
            return state.listeners.count == 1
        }
        guard isFirst else { return }
        store.setCommitListener { [weak self] in self?.tell() }
        // Outside of the lock: the watcher asks the store.
        let watch = store.watch { [weak self] _ in self?.tell() }
        let unused = state.withLock { state in
            guard !state.listeners.isEmpty, state.watch == nil else { return true }
            state.watch = watch
            return false
        }
        if unused { watch.cancel() }
    }

    /// Tells a session no more.
    func remove(number: UInt64, _ store: Store) {
        let watch = state.withLock { state -> Store.Token? in
            guard state.listeners.removeValue(forKey: number) != nil, state.listeners.isEmpty else {
                return nil
            }
            defer { state.watch = nil }
            return state.watch
        }
        watch?.cancel()
    }

    private func tell() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.tell() }
    }
}
