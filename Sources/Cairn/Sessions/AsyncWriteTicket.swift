internal import CRuntime
internal import CairnStorage
internal import Dispatch

/// One asynchronous write: its place in the queue of its store, from the request to the end of its block.
///
///     waiting ──▶ offered ──▶ claimed ──▶ ended        the block has run
///        ▲           │
///        └── revoked ┘                                 who was to run the block did not come in time
///     waiting, offered, revoked ──▶ cancelled          the block never runs
///
/// While it is claimed, the engine session of the group belongs to the place that has claimed it; before and
/// afterwards to the thread that drives the queue.
final class AsyncWriteTicket: Sendable {
    enum State {
        case waiting
        case offered
        case claimed(thread: UInt64)
        case revoked
        case cancelled
        /// Whether its changes are in the group.
        case ended(isMerged: Bool)
    }

    // Under a lock: the driver, the place of the session, and whoever cancels.
    private let state = Guarded(State.waiting)
    private let moved = DispatchSemaphore(value: 0)
    private let outcome = Guarded<Result<Snapshot, StorageError>?>(nil)
    private let isOver = DispatchSemaphore(value: 0)
    let scheduler: any Scheduler
    let durability: StoreOptions.Durability
    /// Has `claim` called where the session belongs. Called for each offer.
    private let onTurn: @Sendable () -> Void
    /// Called once the group with its changes is committed, with where that led, or was lost, or could not
    /// begin; on the driver's thread.
    private let onCommit: @Sendable (AsyncWriteTicket, Result<Snapshot, StorageError>) -> Void

    init(
        _ session: RealmSession, onTurn: @escaping @Sendable () -> Void,
        onCommit: @escaping @Sendable (AsyncWriteTicket, Result<Snapshot, StorageError>) -> Void
    ) {
        scheduler = session.confinement.scheduler
        durability = session.settings.durability
        self.onTurn = onTurn
        self.onCommit = onCommit
    }

    // MARK: For the driver

    /// Offers the write to the ticket, and waits until its block has run or will not.
    ///
    /// - Parameter patience: how long an offer stands that nobody takes.
    /// - Returns: whether changes were merged; nil where the offer was not taken.
    func offer(patience: DispatchTimeInterval) -> Bool? {
        let isOffered = state.withLock { state in
            guard case .waiting = state else { return false }
            state = .offered
            return true
        }
        guard isOffered else { return false }
        onTurn()
        if moved.wait(timeout: .now() + patience) == .timedOut {
            if revoke() { _ = moved.wait(timeout: .now()) } else { moved.wait() }
        }
        return state.withLock { state in
            switch state {
            case .ended(let isMerged): isMerged
            case .cancelled: false
            default: nil
            }
        }
    }

    /// Takes an offer back that nobody has taken yet.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    func revoke() -> Bool {
        let isRevoked = state.withLock { state in
            guard case .offered = state else { return false }
            state = .revoked
            return true
        }
        if isRevoked { moved.signal() }
        return isRevoked
    }

    /// Tells that the group is committed or lost.
    func finish(_ result: Result<Snapshot, StorageError>) {
        outcome.withLock { $0 = result }
        isOver.signal()
        onCommit(self, result)
    }

    // MARK: For the place of the session

    enum Claim {
        /// The block is to run now, and `end` to be called.
        case granted
        /// The offer was taken back meanwhile: the ticket is to be queued again, first.
        case tooLate
        case cancelled
        /// Nothing was offered: another call has taken it.
        case nothing
    }

    /// Takes the offer.
    func claim() -> Claim {
        state.withLock { state in
            switch state {
            case .offered:
                state = .claimed(thread: cairn_thread_token())
                return .granted
            case .revoked:
                state = .waiting
                return .tooLate
            case .cancelled: return .cancelled
            case .waiting, .claimed, .ended: return .nothing
            }
        }
    }

    /// Gives the group's session back.
    func end(isMerged: Bool) {
        state.withLock { $0 = .ended(isMerged: isMerged) }
        moved.signal()
    }

    /// Waits until the group is committed or lost. Only for one whose changes are in it.
    func waitForCommit() -> Result<Snapshot, StorageError> {
        isOver.wait()
        // For whoever else waits.
        isOver.signal()
        guard let result = outcome.withLock({ $0 }) else {
            preconditionFailure("a write was over without an outcome")
        }
        return result
    }

    /// Whether its block runs on the calling thread.
    var isClaimedHere: Bool {
        state.withLock { state in
            if case .claimed(let thread) = state { return thread == cairn_thread_token() }
            return false
        }
    }

    // MARK: For everybody

    /// Sees to it that the block never runs.
    ///
    /// - Returns: false where it has begun.
    @discardableResult
    func cancel() -> Bool {
        let before = state.withLock { state -> State in
            defer {
                switch state {
                case .waiting, .offered, .revoked: state = .cancelled
                case .claimed, .cancelled, .ended: break
                }
            }
            return state
        }
        switch before {
        case .offered:
            moved.signal()
            return true
        case .waiting, .revoked, .cancelled: return true
        case .claimed, .ended: return false
        }
    }
}
