internal import CairnStorage

/// The number of an asynchronous write, to cancel it with.
public typealias AsyncTransactionId = UInt32

// Writes that nobody waits for: what asks for them goes on, and the blocks run where the Realm belongs.
extension Realm {
    /// Runs a block as one write, as soon as it is this one's turn, and waits for the commit, suspended.
    ///
    /// For Realms of an actor, the main actor included. Writes that wait at the same time are committed
    /// together: each is undone alone if it fails, and all become durable with one sync. When it returns, the
    /// Realm is at the version with its changes.
    ///
    /// ```swift
    /// try await realm.asyncWrite { dog.age += 1 }
    /// ```
    ///
    /// - Parameter block: runs on the actor. Its changes are seen outside of it once they are committed.
    /// - Throws: what the block throws, the first mistake made in it, or what keeps the commit from succeeding,
    ///   after everything was undone; `CancellationError` where the task was cancelled before the block began.
    public func asyncWrite<Result>(
        _isolation isolation: isolated any Actor = #isolation, _ block: () throws -> Result
    ) async throws -> Result {
        try Task.checkCancellation()
        guard session.canBeginAsyncWrite() else {
            throw RealmError(.misuse, "This Realm cannot begin a write now.")
        }
        session.asyncWrites.suspendedCount += 1
        defer { session.asyncWrites.suspendedCount -= 1 }
        let turn = Turn()
        let commit = AsyncCommit()
        let ticket = AsyncWriteTicket(
            session, onTurn: { turn.come() },
            onCommit: { _, result in
                commit.come(result)
                // Where the group could not begin, the ticket has not had its turn.
                turn.come()
            })
        session.submit(ticket)
        try await claim(ticket, turn, commit)
        let result = try session.inSharedWrite(ticket, block)
        if session.awaits(ticket) {
            let snapshot: Snapshot
            do throws(StorageError) {
                snapshot = try await commit.outcome().get()
            } catch {
                session.loseSharedWrite(ticket)
                throw RealmSession.realmError(error, session.settings)
            }
            session.finishSharedWrite(snapshot, of: ticket)
        }
        return result
    }

    /// Waits until the block may run.
    private func claim(
        _ ticket: AsyncWriteTicket, _ turn: Turn, _ commit: AsyncCommit,
        _isolation: isolated any Actor = #isolation
    ) async throws {
        while true {
            await withTaskCancellationHandler {
                await turn.wait()
            } onCancel: {
                if ticket.cancel() { turn.come() }
            }
            switch ticket.claim() {
            case .granted: return
            case .tooLate: session.submit(ticket, isFirst: true)
            case .cancelled: throw CancellationError()
            case .nothing:
                if let error = commit.failure { throw RealmSession.realmError(error, session.settings) }
            }
        }
    }

    /// Runs a block as one write, as soon as it is this one's turn.
    ///
    /// - Parameters:
    ///   - block: runs where the Realm belongs, after the calling code.
    ///   - onComplete: called there once the changes are as safe as the configuration's `durability` says, with
    ///     nil; or with what made the write fail, after everything was undone.
    /// - Returns: a number to cancel the write with.
    @discardableResult
    public func writeAsync(
        _ block: @escaping () -> Void, onComplete: ((_ error: (any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        guard session.canBeginAsyncWrite() else { return 0 }
        return session.writeAsync(block) { onComplete?($0) }
    }

    /// Runs a block in a write, as soon as it is this one's turn. The block has to commit it, with
    /// `commitAsyncWrite`: else it is undone.
    ///
    /// Where nothing can be delivered (a thread without a run loop that runs) it is misuse.
    ///
    /// - Returns: a number to cancel the write with.
    @discardableResult
    public func beginAsyncWrite(_ asyncWriteBlock: @escaping () -> Void) -> AsyncTransactionId {
        guard session.canBeginAsyncWrite() else { return 0 }
        return session.beginAsyncWrite(asyncWriteBlock)
    }

    /// Ends the write in progress and has its changes become the next version, without waiting for that.
    ///
    /// - Parameters:
    ///   - allowGrouping: for programs written for Realm. Writes that wait at the same time are always
    ///     committed together.
    ///   - onComplete: as for `writeAsync`.
    /// - Returns: a number to drop `onComplete` with; the write cannot be cancelled any more.
    @discardableResult
    public func commitAsyncWrite(
        allowGrouping: Bool = false, _ onComplete: ((_ error: (any Swift.Error)?) -> Void)? = nil
    ) -> AsyncTransactionId {
        guard session.isWriting else {
            Misuse.reportFatal(RealmError(.misuse, "Can't commit a write transaction that has not begun."))
            return 0
        }
        return session.commitAsyncWrite { onComplete?($0) }
    }

    /// Drops an asynchronous write whose block has not begun, or the completion of one that has. Other numbers
    /// do nothing.
    public func cancelAsyncWrite(_ asyncTransactionId: AsyncTransactionId) throws {
        session.cancelAsyncWrite(asyncTransactionId)
    }

    /// Whether asynchronous writes of this Realm are waiting, running or being committed.
    public var isPerformingAsynchronousWriteOperations: Bool { !session.asyncWrites.isEmpty }
}
