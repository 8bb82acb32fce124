internal import CairnStorage

extension RealmSession {
    /// Whether an asynchronous write can be asked for; misuse is reported.
    func canBeginAsyncWrite() -> Bool {
        if isFrozen || isReadOnly {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    "Can't begin a write transaction on a \(isFrozen ? "frozen" : "read-only") Realm."))
            return false
        }
        guard confinement.isHere else {
            Misuse.reportFatal(
                RealmError(.incorrectThread, confinement.violation("A Realm that begins a write")))
            return false
        }
        guard confinement.scheduler.canDeliver else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    """
                    Asynchronous writes need a place where their blocks can be run: \(confinement.scheduler.name) has \
                    no run loop that runs. Use the main thread, or a Realm that was opened for a queue or an actor.
                    """))
            return false
        }
        return true
    }

    /// Runs a block in the write that a ticket has been granted, and ends it.
    func inSharedWrite<Result>(_ ticket: AsyncWriteTicket, _ block: () throws -> Result) throws -> Result {
        try beginSharedWrite(ticket)
        let result: Result
        do {
            result = try block()
        } catch {
            let mistake = firstMistake
            if sharedWrite != nil { undoSharedWrite() }
            throw Realm.joined(error, mistake)
        }
        if sharedWrite != nil { try endSharedWrite() }
        return result
    }

    /// Whether a write's changes are in a group that is not committed yet.
    func awaits(_ ticket: AsyncWriteTicket) -> Bool { awaitedCommits.contains { $0.ticket === ticket } }

    /// The group was lost.
    func loseSharedWrite(_ ticket: AsyncWriteTicket) {
        guard let index = awaitedCommits.firstIndex(where: { $0.ticket === ticket }) else { return }
        let awaited = awaitedCommits.remove(at: index)
        tables.noteUndone(awaited.added.map(\.upperBound))
    }

    // MARK: With completions

    func writeAsync(_ block: @escaping () -> Void, _ completion: @escaping (RealmError?) -> Void)
        -> AsyncTransactionId
    {
        let entry = AsyncWriteList.Entry()
        entry.completion = completion
        entry.block = { [unowned self] in
            block()
            guard sharedWrite != nil else {
                // By `commitWrite()`, which is told of by the group, or by `cancelWrite()`.
                guard let number = runningAsyncWrite, !hasMerged else { return }
                return tell(number, RealmError(.fail, "The write was cancelled by its own block."))
            }
            _ = commitAsyncWrite(completion)
        }
        return submit(entry)
    }

    func beginAsyncWrite(_ block: @escaping () -> Void) -> AsyncTransactionId {
        let entry = AsyncWriteList.Entry()
        entry.block = block
        return submit(entry)
    }

    private func submit(_ entry: AsyncWriteList.Entry) -> AsyncTransactionId {
        let number = asyncWrites.add(entry)
        let scheduler = confinement.scheduler
        // The closures keep the session until the block has run, or never will.
        let ticket = AsyncWriteTicket(
            self, onTurn: { scheduler.perform { self.takeTurn(number) } },
            onCommit: { ticket, result in scheduler.perform { self.complete(number, ticket, result) } })
        entry.ticket = ticket
        submit(ticket)
        return number
    }

    private func takeTurn(_ number: AsyncTransactionId) {
        guard let entry = asyncWrites[number], let ticket = entry.ticket else { return }
        switch ticket.claim() {
        case .granted: run(entry, ticket, number)
        case .tooLate: submit(ticket, isFirst: true)
        case .cancelled: asyncWrites.remove(number)
        case .nothing: break
        }
    }

    private func run(_ entry: AsyncWriteList.Entry, _ ticket: AsyncWriteTicket, _ number: AsyncTransactionId)
    {
        let block = entry.block
        entry.block = nil
        entry.ticket = nil
        do throws(RealmError) {
            try beginSharedWrite(ticket)
        } catch {
            if entry.completion == nil {
                Logger.shared.log(.error, "An asynchronous write could not begin. \(error.message)")
            }
            return tell(number, error)
        }
        runningAsyncWrite = number
        hasMerged = false
        block?()
        runningAsyncWrite = nil
        if sharedWrite != nil {
            Logger.shared.log(
                .warn, "An asynchronous write was not committed by its block, and undone: \(path)")
            undoSharedWrite()
        }
        if !awaits(ticket), entry.completion == nil { asyncWrites.remove(number) }
    }

    func commitAsyncWrite(_ completion: @escaping (RealmError?) -> Void) -> AsyncTransactionId {
        guard let number = runningAsyncWrite, sharedWrite != nil, let entry = asyncWrites[number] else {
            return commitOwnWrite(completion)
        }
        entry.completion = completion
        do throws(RealmError) {
            try endSharedWrite()
        } catch {
            tell(number, error)
        }
        return number
    }

    /// A write that was begun by `beginWrite()`: its thread waits for the sync.
    private func commitOwnWrite(_ completion: @escaping (RealmError?) -> Void) -> AsyncTransactionId {
        let entry = AsyncWriteList.Entry()
        entry.completion = completion
        let number = asyncWrites.add(entry)
        var failure: RealmError?
        do throws(RealmError) { try commit() } catch { failure = error }
        tell(number, failure)
        return number
    }

    /// Calls a completion later.
    private func tell(_ number: AsyncTransactionId, _ error: RealmError?) {
        confinement.scheduler.perform { self.asyncWrites.remove(number)?.completion?(error) }
    }

    private func complete(
        _ number: AsyncTransactionId, _ ticket: AsyncWriteTicket, _ result: Result<Snapshot, StorageError>
    ) {
        let entry = asyncWrites.remove(number)
        switch result {
        case .success(let snapshot):
            finishSharedWrite(snapshot, of: ticket)
            entry?.completion?(nil)
        case .failure(let error):
            loseSharedWrite(ticket)
            entry?.completion?(Self.realmError(error, settings))
        }
    }

    func cancelAsyncWrite(_ number: AsyncTransactionId) {
        guard let entry = asyncWrites[number] else { return }
        if let ticket = entry.ticket {
            if ticket.cancel() { asyncWrites.remove(number) }
        } else {
            entry.completion = nil
        }
    }
}
