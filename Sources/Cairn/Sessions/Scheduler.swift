/// Where a Realm is used and what it has to tell is delivered: a thread, the main queue, a serial queue,
/// an actor.
///
/// A live Realm belongs to one. Any thread may call every function.
package protocol Scheduler: Sendable {
    /// What tells it from all others.
    var identity: SchedulerIdentity { get }
    /// The confinement token of the one thread that is always the right one; 0 where there is none, so that
    /// `isHere` decides.
    var token: UInt64 { get }
    /// Whether the calling code runs there.
    var isHere: Bool { get }
    /// Whether something can be delivered there. Asked where `isHere`.
    var canDeliver: Bool { get }
    /// Whether a Realm opened there listens for commits of others before somebody asks it to.
    var listensAtOnce: Bool { get }
    /// What it is called in sentences: `the queue 'sync'`.
    var name: String { get }

    /// Runs something there, after the calling code.
    ///
    /// - Returns: false where nothing runs there any more, because it has ended: then the work is dropped, and
    ///   whatever belonged there belongs to nobody.
    @discardableResult
    func perform(_ work: @escaping @Sendable () -> Void) -> Bool
}

/// Tells schedulers apart, and finds the Realm that is open in one.
package enum SchedulerIdentity: Hashable, Sendable {
    /// By the token of the thread.
    case thread(UInt64)
    case main
    /// By a number that no other queue has had.
    case queue(UInt64)
    /// By its address, which another actor may have later; `ActorScheduler` looks twice.
    case actor(ObjectIdentifier)
    /// By a number of the test's own.
    case manual(UInt64)
}

extension Scheduler {
    /// Who begins a write there, for the gate that refuses a second one: the thread, where code always runs
    /// on one; elsewhere nobody else may be taken for it, since its threads serve others too.
    var writerToken: UInt64? {
        switch identity {
        case .thread, .main, .manual: nil
        case .queue(let number): 1 << 63 | number
        case .actor(let object): 1 << 62 | UInt64(UInt(bitPattern: object))
        }
    }
}
