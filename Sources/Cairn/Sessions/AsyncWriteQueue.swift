internal import CairnStorage
internal import Dispatch

/// The asynchronous writes of a store: they run one after the other, each where its Realm belongs, and those
/// that wait at the same time become one commit.
///
///     driver                        a Realm's place
///     ──────                        ───────────────
///     begin the LMDB write
///     offer ────────────────────▶   claim, a layer on the group's session
///     (waits)                       the block
///                          ◀─────   merge the layer, or undo it alone
///     offer to the next …
///     commit: one sync
///     tell all ─────────────────▶   move to the commit, completion
///
/// One a store. Nobody's block runs on the driver's thread, and nobody's thread waits for another's block, but
/// the driver's. An offer that is not taken within `patience` is taken back and made again when its place has
/// come to life, so that a busy main thread does not keep everybody from writing.
final class AsyncWriteQueue: Sendable {
    private struct State {
        var waiting: [AsyncWriteTicket] = []
        var isDriving = false
        /// The one whose turn it is, and the group's session.
        var current: AsyncWriteTicket?
        var shared: SharedSession?
        /// Whether the group is to take nobody in any more.
        var isHurried = false
    }

    /// The engine session of the group: used by one place at a time, by the states of the tickets.
    private struct SharedSession: @unchecked Sendable {
        let engine: Session
    }

    private static let patience = DispatchTimeInterval.milliseconds(200)
    /// So many writes are one commit at most, so that the first need not wait for ever.
    private static let groupLimit = 256

    private let state = Guarded(State())
    private let driver = DispatchQueue(label: "cairn.asynchronous-writes")

    // MARK: From the places of sessions

    /// Queues a write.
    ///
    /// - Parameter isFirst: for one that has had its turn already and did not come in time.
    func submit(_ ticket: AsyncWriteTicket, to store: Store, isFirst: Bool = false) {
        let mustStart = state.withLock { state in
            state.waiting.insert(ticket, at: isFirst ? 0 : state.waiting.count)
            defer { state.isDriving = true }
            return !state.isDriving
        }
        // The driver keeps the store as long as there is something to do.
        if mustStart { driver.async { self.drive(store) } }
    }

    /// The group's session, for the one that has claimed its turn.
    func session(for ticket: AsyncWriteTicket) -> Session? {
        state.withLock { $0.current === ticket ? $0.shared?.engine : nil }
    }

    /// To be called before a place waits for a write of its own.
    ///
    /// - Returns: false where the place is in the middle of an asynchronous one, and would wait for itself.
    func stepAside() -> Bool {
        guard let current = state.withLock({ $0.current }) else { return true }
        if current.isClaimedHere { return false }
        if current.scheduler.isHere { current.revoke() }
        return true
    }

    /// To be called before a place waits for the group's commit.
    ///
    /// - Returns: false where the place is in the middle of a write of the group, and would wait for itself.
    func hurry() -> Bool {
        let current = state.withLock { state in
            state.isHurried = true
            return state.current
        }
        guard let current else { return true }
        if current.isClaimedHere { return false }
        current.revoke()
        return true
    }

    // MARK: The driver

    private func drive(_ store: Store) {
        var engine: Session?
        while let first = next() {
            engine = group(first, store, engine)
        }
    }

    /// Takes the next ticket out, or ends the driver.
    private func next() -> AsyncWriteTicket? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isDriving = false
                return nil
            }
            state.isHurried = false
            return state.waiting.removeFirst()
        }
    }

    private func nextOfGroup() -> AsyncWriteTicket? {
        state.withLock { $0.waiting.isEmpty || $0.isHurried ? nil : $0.waiting.removeFirst() }
    }

    /// One LMDB write for the first ticket and those that wait behind it.
    ///
    /// - Parameter known: an engine session of the group before, to go on with.
    private func group(_ first: AsyncWriteTicket, _ store: Store, _ known: Session?) -> Session? {
        let engine: Session
        do throws(StorageError) {
            if let known { engine = known } else { engine = try store.makeSession() }
            engine.onDamage = RealmSession.logDamage
            try store.beginWrite(engine)
        } catch {
            // Nobody else's fault: the next one tries again.
            first.finish(.failure(error))
            return nil
        }
        let merged = run(first, engine)
        guard !merged.isEmpty else {
            store.cancel(engine)
            return engine
        }
        do throws(StorageError) {
            try store.commit(engine, durability: Self.strongest(merged))
        } catch {
            for ticket in merged { ticket.finish(.failure(error)) }
            return nil
        }
        let snapshot = engine.snapshot
        for ticket in merged { ticket.finish(.success(snapshot)) }
        return engine
    }

    /// Runs blocks until nobody waits, or somebody does not come.
    ///
    /// - Returns: those whose changes are in the group.
    private func run(_ first: AsyncWriteTicket, _ engine: Session) -> [AsyncWriteTicket] {
        var merged: [AsyncWriteTicket] = []
        var next: AsyncWriteTicket? = first
        let shared = SharedSession(engine: engine)
        while let ticket = next {
            state.withLock {
                $0.current = ticket
                $0.shared = shared
            }
            let isMerged = ticket.offer(patience: Self.patience)
            state.withLock {
                $0.current = nil
                $0.shared = nil
            }
            guard let isMerged else { break }
            if isMerged { merged.append(ticket) }
            guard merged.count < Self.groupLimit else { break }
            next = nextOfGroup()
        }
        return merged
    }

    private static func strongest(_ tickets: [AsyncWriteTicket]) -> StoreOptions.Durability {
        if tickets.contains(where: { $0.durability == .full }) { return .full }
        return tickets.contains { $0.durability == .lastCommitAtRisk } ? .lastCommitAtRisk : .none
    }
}
