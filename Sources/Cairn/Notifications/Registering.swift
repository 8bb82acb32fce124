internal import CairnQuery
internal import CairnStorage
internal import Dispatch

extension RealmSession {
    /// Whether objects and collections may be observed now.
    func canRegister(_ what: String) -> Bool {
        guard canBeObserved(what) else { return false }
        guard tables.engine?.hasChanges != true else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    "Cannot register notification blocks from within write transactions that have changed something: \(what)."
                ))
            return false
        }
        return true
    }

    /// Has an observation told from now on.
    func register(_ observation: Observation, isKnown: Bool) {
        _ = readable("An observed object")
        if isKnown { observation.knownVersion = version }
        observers.add(observation)
        observers.scheduleIfDue(self)
    }

    /// The paths of some texts; nil for none at all, and after misuse, which was reported.
    func observedPaths(_ texts: [String]?, from ordinal: Int) -> [ObservedPath]? {
        guard let texts, !texts.isEmpty else { return nil }
        do throws(RealmError) {
            var result: [ObservedPath] = []
            let reader = ObservedPathReader(self)
            for text in texts { result += try reader.paths(text, from: ordinal) }
            return result
        } catch {
            Misuse.reportFatal(error)
            return nil
        }
    }

    /// The texts of key paths.
    static func texts(of keyPaths: [AnyKeyPath]) -> [String]? {
        do throws(RealmError) {
            var result: [String] = []
            for keyPath in keyPaths { result.append(try PropertyNames.name(of: keyPath)) }
            return result
        } catch {
            Misuse.reportFatal(error)
            return nil
        }
    }
}

/// Registers elsewhere than where something belongs: it is handed over first.
enum RemoteRegistration {
    /// On a queue.
    ///
    /// - Parameter register: called on the queue.
    static func register<Confined: ThreadConfined>(
        _ confined: Confined, on queue: DispatchQueue,
        _ register: @escaping (Confined, ObservationLife) -> Void
    ) -> NotificationToken {
        guard let session = confined.realm?.session else {
            reportUnmanaged(Confined.self)
            return NotificationToken()
        }
        let life = ObservationLife()
        let token = NotificationToken(life, nil)
        let reference = ThreadSafeReference(to: confined)
        let scheduler: any Scheduler = queue === DispatchQueue.main ? MainScheduler() : QueueScheduler(queue)
        // Handed to the queue once, and used there alone from then on.
        nonisolated(unsafe) let work: () -> Void = { [weak token] in
            guard let token, life.isLive else { return }
            here(reference, session, scheduler, token, life, register)
        }
        queue.async { work() }
        return token
    }

    /// Registers where the calling code runs.
    static func here<Confined: ThreadConfined>(
        _ reference: ThreadSafeReference<Confined>, _ session: RealmSession, _ scheduler: any Scheduler,
        _ token: NotificationToken, _ life: ObservationLife, _ register: (Confined, ObservationLife) -> Void
    ) {
        do throws(RealmError) {
            let local = try SessionThawing.live(like: session, in: scheduler)
            token.attach(local)
            guard let confined = Realm(local).resolve(reference) else { return }
            register(confined, life)
            // The token may have been ended meanwhile.
            if !life.isLive { local.sweepListeners() }
        } catch {
            Logger.shared.log(.error, "What was to be observed cannot be. \(error.message)")
        }
    }

    /// On an actor.
    ///
    /// - Parameter register: called on the actor.
    static func register<Confined: ThreadConfined, Place: Actor>(
        _ confined: Confined, on actor: Place, _isolation: isolated (any Actor)? = #isolation,
        _ register: @escaping (Confined, ObservationLife) -> Void
    ) async -> NotificationToken {
        guard let session = confined.realm?.session else {
            reportUnmanaged(Confined.self)
            return NotificationToken()
        }
        let life = ObservationLife()
        let token = NotificationToken(life, nil)
        let reference = ThreadSafeReference(to: confined)
        let scheduler = ActorScheduler.of(actor)
        let work = HandedOver(content: { here(reference, session, scheduler, token, life, register) })
        await actor.carryOut(work)
        return token
    }

    /// Something that one place hands to another and does not use afterwards.
    struct HandedOver<Content>: @unchecked Sendable {
        // @unchecked: the compiler cannot see that the place which made it lets go of it.
        let content: Content
    }

    static func reportUnmanaged(_ type: Any.Type) {
        Misuse.reportFatal(
            RealmError(
                .misuse,
                "Only objects and collections which are managed by a Realm support change notifications, and not this \(type)."
            ))
    }
}

extension Actor {
    fileprivate func carryOut(_ work: RemoteRegistration.HandedOver<() -> Void>) { work.content() }
}
