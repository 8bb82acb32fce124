internal import CairnStorage

/// Who listens to a session, and what they have not been told yet.
///
///     commit, refresh, begin ──▶ note ──▶ ChangeLog ──▶ deliver: each listener from the version that it
///                                                       knows to the one that the session is at
///
/// A listener's block may do everything: write, refresh, register and end listeners. It does not run inside
/// another one's: what a block's write changes is told after the loop that called it, to whom the loop has
/// called already, and within it to the others.
///
/// Used where the session is, like the session.
final class SessionObservers {
    private var observations: [Observation] = []
    private var realmObservations: [RealmObservation] = []
    private var log = ChangeLog()
    private var isScheduled = false
    /// Whether a block is running.
    private(set) var isDelivering = false
    private var isSending = false

    // MARK: Who listens

    func add(_ observation: Observation) { observations.append(observation) }
    func add(_ observation: RealmObservation) { realmObservations.append(observation) }

    /// Lets go of those that have ended.
    func sweep() {
        // Not under a block's feet; the loop that called it sweeps afterwards.
        if !isDelivering { observations.removeAll { !$0.life.isLive } }
        if !isSending { realmObservations.removeAll { !$0.life.isLive } }
    }

    /// Ends everything that depends on rows: they are gone.
    func endAll() {
        for observation in observations {
            _ = observation.life.end()
            // Whoever waits is to see that nothing comes any more.
            if observation.isPulled { observation.announce(Version(0)) }
        }
        log = ChangeLog()
        sweep()
    }

    /// Whether changes have to be noted.
    var wantsChanges: Bool { observations.contains { $0.knownVersion != nil && $0.life.isLive } }

    // MARK: What happens

    /// Notes that the session has moved.
    ///
    /// - Parameter before: the version before, where the changes came from elsewhere.
    func note(_ changes: ChangeSet, before: Snapshot?) {
        log.add(changes, before: before) { version in observations.contains { $0.knownVersion == version } }
    }

    /// Has listeners know what was noted last without being told.
    func skip(_ lives: [ObservationLife], _ changes: ChangeSet, _ session: RealmSession) {
        for observation in observations where lives.contains(where: { $0 === observation.life }) {
            // What it has not been told of before must not get lost.
            guard observation.knownVersion == changes.versionBefore, session.version == changes.version
            else { continue }
            _ = observation.bringForward(Observation.News(changes: changes, others: nil), session)
            observation.knownVersion = changes.version
        }
    }

    // MARK: Telling

    /// Calls everybody who does not know the version that the session is at.
    func deliver(_ session: RealmSession) {
        guard !isDelivering, let version = session.version, isDue(version) else { return }
        isDelivering = true
        // Those that blocks register have their first call later.
        for index in 0..<observations.count {
            guard session.mayShowListeners, let version = session.version else { break }
            let observation = observations[index]
            guard observation.life.isLive, observation.isDue(version) else { continue }
            if observation.isPulled {
                observation.announce(version)
            } else {
                call(observation, version, session)
            }
        }
        isDelivering = false
        sweep()
        forgetKnown()
        if let version = session.version, isDue(version) { schedule(session) }
    }

    private func isDue(_ version: Version) -> Bool {
        observations.contains { $0.life.isLive && $0.isDue(version) }
    }

    /// Tells one that asks itself what it does not know.
    func pull(_ observation: Observation, _ session: RealmSession) {
        guard session.mayShowListeners, let version = session.version, observation.life.isLive,
            observation.knownVersion != version
        else { return }
        call(observation, version, session)
        forgetKnown()
        sweep()
    }

    private func forgetKnown() { log.forget(before: observations.compactMap(\.knownVersion).min()) }

    private func call(_ observation: Observation, _ version: Version, _ session: RealmSession) {
        var news: Observation.News?
        if let known = observation.knownVersion {
            news = log.news(since: known)
            guard news != nil else {
                observation.knownVersion = version
                return
            }
        }
        let call = observation.bringForward(news, session)
        observation.knownVersion = version
        call?()
    }

    /// Tells the Realm's own listeners. One that is told something while a block of them runs is told nothing
    /// more.
    func send(_ event: RealmObservation.Event) {
        guard !isSending, !realmObservations.isEmpty else { return }
        isSending = true
        for observation in realmObservations where observation.life.isLive { observation.block(event) }
        isSending = false
        sweep()
    }

    /// Delivers after the calling code, where the session is.
    func schedule(_ session: RealmSession) {
        guard !isScheduled else { return }
        isScheduled = true
        let faint = FaintReference(session)
        session.confinement.scheduler.perform {
            guard let session = faint.object else { return }
            session.observers.isScheduled = false
            session.deliver()
        }
    }

    /// Delivers later what is due.
    func scheduleIfDue(_ session: RealmSession) {
        guard let version = session.version, isDue(version) else { return }
        schedule(session)
    }
}
