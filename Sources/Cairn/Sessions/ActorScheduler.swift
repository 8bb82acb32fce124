internal import CRuntime

/// An actor. Does not keep it alive: the actor mostly keeps the Realm.
final class ActorScheduler: Scheduler {
    private weak let actor: (any Actor)?
    let identity: SchedulerIdentity
    let name: String
    /// The words of the actor's executor, which lives as long as the actor.
    private let executor: (UInt, UInt)

    init(_ actor: any Actor) {
        self.actor = actor
        identity = .actor(ObjectIdentifier(actor))
        name = "the actor '\(type(of: actor))'"
        executor = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    }

    /// The scheduler of an actor; the main actor's is the main thread's.
    static func of(_ actor: any Actor) -> any Scheduler {
        actor === MainActor.shared ? MainScheduler() : ActorScheduler(actor)
    }

    /// Whether both are of one actor, which is alive: an address may be used again.
    func isSame(as other: ActorScheduler) -> Bool {
        guard let actor else { return false }
        return actor === other.actor
    }

    var token: UInt64 { 0 }
    // Code of an actor that has gone runs nowhere, so its executor is not looked into then.
    var isHere: Bool { actor != nil && cairn_is_current_executor(executor.0, executor.1) }
    var canDeliver: Bool { true }
    var listensAtOnce: Bool { true }

    @discardableResult
    func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard let actor else { return false }
        Task { await actor.run(work) }
        return true
    }
}

extension Actor {
    fileprivate func run(_ work: @Sendable () -> Void) { work() }
}
