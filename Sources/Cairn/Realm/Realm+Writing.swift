internal import CairnStorage

extension Realm {
    /// Runs a block as one write: everything it changes becomes one version, or nothing.
    ///
    /// Waits until no other write of the file is in progress, in this process or another, and moves to
    /// the newest version first. When it returns, the changes are as safe as the configuration's
    /// `durability` says.
    ///
    /// ```swift
    /// try realm.write { dog.age += 1 }
    /// ```
    ///
    /// Where the Realm moves to what others have written, listeners are told when the write begins, before the
    /// block.
    ///
    /// - Parameters:
    ///   - withoutNotifying: tokens of this Realm's listeners that are not to be told of just this write.
    ///   - block: may end the write itself with `cancelWrite()` or `commitWrite()`.
    /// - Returns: what the block returns.
    /// - Throws: what the block throws, after everything was undone; the first mistake that was made in
    ///   the block (`duplicatePrimaryKey`, `invalidValue` …), after everything was undone; what keeps the
    ///   commit from succeeding: `outOfDiskSpace`, `addressSpaceExhausted`, `fileAccess`.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
    ) throws -> Result {
        try begin(on: .caller)
        let result: Result
        do {
            result = try block()
        } catch {
            let mistake = session.firstMistake
            session.cancel()
            throw Self.joined(error, mistake)
        }
        if session.isWriting { try commitWrite(withoutNotifying: tokens) }
        return result
    }

    /// The block's own error, with the mistake that was made before it.
    static func joined(_ error: any Swift.Error, _ mistake: RealmError?) -> any Swift.Error {
        guard let mistake, var own = error as? RealmError, own.underlyingError == nil else { return error }
        own.underlyingError = mistake
        return own
    }

    private func begin(on thread: Store.WriteThread) throws(RealmError) {
        guard canWrite() else { throw RealmError(.misuse, "This Realm cannot begin a write now.") }
        try session.begin(on: thread)
    }

    /// Begins a write, to be ended by `commitWrite()` or `cancelWrite()` on the same thread.
    ///
    /// Waits like `write`. What keeps it from beginning is thrown by `commitWrite()`. Prefer `write`,
    /// which cannot be left open.
    public func beginWrite() {
        do throws(RealmError) {
            try begin(on: .store)
        } catch {
            session.deferError(error)
        }
    }

    /// Whether a write may begin: not inside another, not of what never changes.
    private func canWrite() -> Bool {
        if session.isFrozen {
            Misuse.reportFatal(RealmError(.misuse, "Can't begin a write transaction on a frozen Realm."))
            return false
        }
        guard session.confinement.isHere else {
            Misuse.reportFatal(
                RealmError(.incorrectThread, session.confinement.violation("A Realm that begins a write")))
            return false
        }
        if session.isReadOnly {
            Misuse.reportFatal(RealmError(.misuse, "Can't begin a write transaction on a read-only Realm."))
            return false
        }
        if session.isWriting {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    "The Realm is already in a write transaction. Use that one: writes cannot be nested."))
            return false
        }
        return true
    }

    /// Ends a write and makes its changes the next version.
    ///
    /// - Parameter withoutNotifying: tokens of this Realm's listeners that are not to be told of just this write.
    /// - Throws: what kept `beginWrite()` from beginning; the first mistake that was made in the write;
    ///   what keeps the commit from succeeding. Everything was undone then.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        if let deferred = session.takeDeferredError() { throw deferred }
        guard session.isWriting else {
            throw RealmError(.fail, "Can't commit a write transaction that has not begun.")
        }
        try session.commit(withoutNotifying: tokens.compactMap { $0.life(in: session) })
    }

    /// Ends a write and undoes it. Objects that were added in it are invalid.
    public func cancelWrite() {
        if session.takeDeferredError() != nil { return }
        guard session.isWriting else {
            Misuse.reportFatal(RealmError(.misuse, "Can't cancel a write transaction that has not begun."))
            return
        }
        if let mistake = session.firstMistake {
            Logger.shared.log(.warn, "A write that was cancelled had made a mistake. \(mistake.message)")
        }
        session.cancel()
    }

    /// Whether a write is in progress.
    public var isInWriteTransaction: Bool { session.isWriting }

    /// Whether objects can be added or removed now; misuse is reported.
    func requireWrite(_ what: StaticString) -> Bool {
        session.isWritingHere || refuseChange("\(what)")
    }

    private func refuseChange(_ what: String) -> Bool {
        if session.isFrozen {
            Misuse.reportFatal(RealmError(.misuse, "\(what): a frozen Realm cannot be changed."))
            return false
        }
        guard session.confinement.isHere else {
            Misuse.reportFatal(
                RealmError(.incorrectThread, session.confinement.violation("A Realm that is changed")))
            return false
        }
        if session.hasDeferredError { return false }
        guard session.isWriting else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    """
                    Can only add, remove, or create objects in a Realm in a write transaction - call \
                    beginWrite() on a Realm instance first. (\(what))
                    """))
            return false
        }
        return true
    }
}
