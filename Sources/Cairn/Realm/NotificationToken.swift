/// Somebody being told of changes: as long as the token is kept, and not invalidated.
///
/// Any thread may invalidate it or let it go, also in the middle of its own block. It keeps its Realm.
public final class NotificationToken: Sendable {
    private let life: ObservationLife
    /// nil where it never was one.
    private let session: RealmSession?
    /// Ends what was registered elsewhere for it.
    private let onEnd: (@Sendable () -> Void)?

    init(_ life: ObservationLife, _ session: RealmSession?, onEnd: (@Sendable () -> Void)? = nil) {
        self.life = life
        self.session = session
        self.onEnd = onEnd
    }

    /// A token of nothing: registering was refused.
    init() {
        life = ObservationLife()
        _ = life.end()
        session = nil
        onEnd = nil
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
        onEnd?()
        session?.sweepListeners()
        return true
    }

    /// For a write that is not to be told to its listener. A token of another Realm is misuse.
    func life(in session: RealmSession) -> ObservationLife? {
        guard self.session === session else {
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
