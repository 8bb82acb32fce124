internal import CairnStorage

/// The one funnel for mistakes of the program (DESIGN, section 7).
///
/// Inside a write a mistake dooms the write: the offending call does nothing, what follows is carried
/// out as usual, and at the end everything is undone and the first mistake thrown. Everywhere else it
/// traps, with the same sentence.
enum Misuse {
    /// So many mistakes in one write are a program that does not notice.
    static let limit = 1_000

    /// For test code: called with each mistake before anything is done about it. Returning true takes
    /// it back: the call that made it does nothing.
    // One lock, because tests on several threads may set it.
    private static let hook = Guarded<(@Sendable (RealmError) -> Bool)?>(nil)

    static func setHook(_ new: (@Sendable (RealmError) -> Bool)?) {
        hook.withLock { $0 = new }
    }

    /// A mistake that a write can survive, if there is one.
    static func report(_ error: RealmError, _ session: RealmSession?) {
        if isTakenBack(error) { return }
        guard let session = session?.role?.mistakeTaker ?? session, session.confinement.isHere,
            session.isWriting
        else { trap(error) }
        session.doom(error)
    }

    /// A mistake that always traps: use on another thread, changing what is frozen, a write where
    /// there can be none.
    ///
    /// Returns only where the hook takes it back.
    static func reportFatal(_ error: RealmError) {
        if isTakenBack(error) { return }
        trap(error)
    }

    private static func isTakenBack(_ error: RealmError) -> Bool {
        // Called without the lock: it may report something itself.
        hook.withLock { $0 }?(error) ?? false
    }

    static func trap(_ error: RealmError) -> Never {
        Logger.shared.log(.fatal, error.message)
        preconditionFailure(error.message)
    }
}

/// For test code: the one hook into the funnel that every misuse goes through.
public enum MisuseHook {
    /// Sets what is called with each mistake before it is recorded or traps; nil for nothing.
    ///
    /// Returning true takes the mistake back: the offending call has no effect and the write goes on as
    /// if it had not been made. For tests of code that makes mistakes on purpose; a program should not
    /// rely on it.
    ///
    /// - Parameter hook: called on the thread that made the mistake; it must not use that Realm.
    public static func set(_ hook: (@Sendable (RealmError) -> Bool)?) {
        Misuse.setHook(hook)
    }
}
