internal import CairnStorage

// How a session is told of commits that others have made.
extension RealmSession {
    /// Whether listeners may be shown what the session shows: a version, and not the middle of a write.
    var mayShowListeners: Bool {
        guard let engine = tables.engine else { return false }
        return !engine.isWriting || (isBeginning && !engine.hasChanges)
    }

    /// Calls the listeners that do not know the session's version.
    func deliver() {
        guard mayShowListeners else { return }
        observers.deliver(self)
    }

    /// Has the session told of commits of others, as soon as something can be delivered where it is.
    func startListening() {
        if confinement.scheduler.identity == .main {
            MainQueueProbe.ask(self)
        } else if confinement.scheduler.listensAtOnce {
            listen()
        }
    }

    /// The same for a thread, which may have a run loop by now.
    func listenIfPossible() {
        guard !isFrozen, confinement.isHere, confinement.scheduler.canDeliver else { return }
        listen()
    }

    /// Has the session told of commits of others from now on.
    func listen() {
        // A file that is only read here may be written elsewhere.
        guard listener == nil else { return }
        let listener = CommitFeed.Listener(self)
        self.listener = listener
        StoreServices.of(store).commits.add(listener, number: number, store)
    }

    /// Called by `deinit`.
    func stopListening() {
        if confinement.scheduler.identity == .main { MainQueueProbe.forget(number) }
        if listener != nil { StoreServices.of(store).commits.remove(number: number, store) }
    }

    /// Somebody else has committed, perhaps.
    func noteNews() {
        guard confinement.isHere, tables.engine != nil, !isWriting else { return }
        if autorefresh {
            _ = refresh()
        } else if let newest = try? store.newestSnapshot().version, let version, newest > version {
            observers.send(.refreshRequired)
        }
    }

    /// Lets go of listeners that have ended, wherever the calling code runs.
    func sweepListeners() {
        if confinement.isHere { return observers.sweep() }
        // Where nothing runs any more, nobody else can be using them.
        if !confinement.scheduler.perform({ self.observers.sweep() }) { observers.sweep() }
    }
}

/// The sessions of the main thread that listen once somebody is known to run the main queue: a program
/// without a run loop is not to pay for being told what it never hears.
enum MainQueueProbe {
    private struct State {
        var isAsked = false
        var isAlive = false
        var waiting: [UInt64: FaintReference<RealmSession>] = [:]
    }

    private static let state = Guarded(State())

    /// Has a session listen, at once or when the queue is first seen to run.
    static func ask(_ session: RealmSession) {
        let faint = FaintReference(session)
        let (isAlive, mustAsk) = state.withLock { state in
            if state.isAlive { return (true, false) }
            state.waiting[session.number] = faint
            defer { state.isAsked = true }
            return (false, !state.isAsked)
        }
        if isAlive { session.listen() }
        if mustAsk { MainScheduler().perform { answer() } }
    }

    static func forget(_ number: UInt64) {
        _ = state.withLock { $0.waiting.removeValue(forKey: number) }
    }

    private static func answer() {
        let waiting = state.withLock { state in
            state.isAlive = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for faint in waiting {
            guard let session = faint.object else { continue }
            session.listen()
            // What was committed while nobody listened.
            session.noteNews()
        }
    }
}
