internal import CairnStorage

/// Somebody being told of changes: as long as the token is kept, and not invalidated.
///
/// Any thread may invalidate it or let it go, also in the middle of its own block. It keeps its Realm.
public final class NotificationToken: Sendable {
    private let life: ObservationLife
    /// nil where it never was one, and before it was registered elsewhere. Under a lock for the latter.
    private let session: Guarded<RealmSession?>

    init(_ life: ObservationLife, _ session: RealmSession?) {
        self.life = life
        self.session = Guarded(session)
    }

    /// It has been registered elsewhere.
    func attach(_ session: RealmSession) { self.session.withLock { $0 = session } }

    /// A token of nothing: registering was refused.
    init() {
        life = ObservationLife()
        _ = life.end()
        session = Guarded(nil)
    }

    deinit {
        invalidate()
    }

    /// Ends the calls. Where the Realm belongs, none begins after this returns; called elsewhere, one that has
    /// begun may still be running.
    ///
    /// - Returns: whether there were to be any.
    @discardableResult
    public func invalidate() -> Bool {
        guard life.end() else { return false }
        session.withLock { $0 }?.sweepListeners()
        return true
    }

    /// For a write that is not to be told to its listener. A token of another Realm is misuse.
    func life(in session: RealmSession) -> ObservationLife? {
        guard self.session.withLock({ $0 }) === session else {
            if life.isLive {
                Misuse.report(
                    RealmError(
                        .misuse,
                        "Incorrect Realm: 'withoutNotifying' takes tokens of listeners of the Realm that is written to."
                    ), session)
            }
            return nil
        }
        return life
    }
}
