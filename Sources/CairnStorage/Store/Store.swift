internal import CairnLMDB
import Synchronization

/// One data file, open in this process: what all its sessions share.
///
/// There is one a file and process, found by device and inode. Any thread may call it.
package final class Store: Sendable {
    package let options: StoreOptions
    let file: StoreFile
    let contents: StoreContents
    /// Tells this store's commits from those of other processes.
    package let origin: UInt64
    private let gate = WriteGate()
    private let writerThread = WriterThread()
    let state: Guarded<State>

    struct State {
        /// The newest version that was looked at. Kept, so that reading goes on when LMDB refuses
        /// everything after a failed write.
        var newest: Snapshot?
        /// The schema of a version before, where there is no snapshot to take it from.
        var knownSchema: Snapshot.KnownSchema?
        /// Set when a write found the map full: the next one makes it larger if it can.
        var wantsLargerMap = false
        /// The next row key of each table that a write which was undone has added rows to.
        var rowKeyFloors: [SpaceID: UInt64] = [:]
        /// Who watches for commits of others, and so has to be told of own ones.
        var watches: [UInt64: CommitWatcher.Token] = [:]
        var lastWatch: UInt64 = 0
        /// What a layer above keeps for the store; see `companion`.
        var companion: (any AnyObject & Sendable)?
        /// Told of every own commit; see `setCommitListener`.
        var commitListener: (@Sendable () -> Void)?
    }

    /// The snapshots of this store that are alive, and what they keep open.
    private final class SnapshotHold: Sendable {
        let file: StoreFile
        private let count: SnapshotCount

        init(_ file: StoreFile, _ count: SnapshotCount) {
            self.file = file
            self.count = count
            count.value.add(1, ordering: .relaxed)
        }

        deinit {
            count.value.subtract(1, ordering: .releasing)
        }
    }

    private final class SnapshotCount: Sendable {
        let value = Atomic<Int>(0)
    }

    private let snapshotCount = SnapshotCount()

    /// Opens the file, or finds the store that has it open in this process.
    ///
    /// - Throws: what `StoreFile.open` throws; `notADatabase`, `newerFormat`, `damaged`.
    package static func open(_ options: StoreOptions) throws(StorageError) -> Store {
        try StoreRegistry<Store>.open(options) { file throws(StorageError) in try Store(file) }
    }

    /// Whether this process has the file open.
    package static func isOpen(_ path: String) -> Bool { StoreRegistry<Store>.isOpen(path) }

    private init(_ file: StoreFile) throws(StorageError) {
        self.file = file
        options = file.options
        origin = UInt64.random(in: 1...UInt64.max)
        try StoreStructure.checkIfAsked(file)
        contents = try StoreOpening(file).contents()
        state = Guarded(State())
        _ = try newestSnapshot()
    }

    // MARK: Versions

    /// The newest version of the file.
    ///
    /// - Throws: `tooManyReaders`, `grownByAnotherProcess`, `storeFailed`, `damaged`.
    package func newestSnapshot() throws(StorageError) -> Snapshot {
        try file.checkUsable()
        return try locked { state throws(StorageError) in
            if let newest = state.newest, self.file.environment.info.lastTransactionID == newest.version.value
            {
                return newest
            }
            let snapshot = try self.openSnapshot(&state)
            state.newest = snapshot
            return snapshot
        }
    }

    /// The newest version that was looked at, also when LMDB refuses to show a newer one.
    package func latestKnownSnapshot() throws(StorageError) -> Snapshot {
        do throws(StorageError) {
            return try newestSnapshot()
        } catch {
            guard error.code != .usedAfterFork, let known = state.withLock({ $0.newest }) else { throw error }
            return known
        }
    }

    /// A read transaction on the newest version that is the caller's alone, for whoever reads the file by
    /// itself. Counted like a snapshot, so the map does not move under it.
    func beginHeldRead() throws(StorageError) -> HeldTransaction {
        try file.checkUsable()
        return try locked { state throws(StorageError) in
            let transaction = try self.beginRead(&state)
            return HeldTransaction(transaction, holding: SnapshotHold(self.file, self.snapshotCount))
        }
    }

    func beginRead(_ state: inout State) throws(StorageError) -> ReadTransaction {
        do throws(StorageError) {
            return try file.beginRead()
        } catch {
            guard error.code == .grownByAnotherProcess, growMap(&state) else { throw error }
            return try file.beginRead()
        }
    }

    private func openSnapshot(_ state: inout State) throws(StorageError) -> Snapshot {
        let transaction = try beginRead(&state)
        if let newest = state.newest, newest.version.value == transaction.id { return newest }
        return try Snapshot(
            transaction, contents: contents, file: SnapshotHold(file, snapshotCount),
            knownSchema: state.newest?.knownSchema ?? state.knownSchema)
    }

    /// Makes the map larger if nobody reads or writes in it. Under the state's lock, so that no snapshot is
    /// opened and no write begins meanwhile.
    private func growMap(_ state: inout State) -> Bool {
        let kept = state.newest == nil ? 0 : 1
        guard snapshotCount.value.load(ordering: .acquiring) == kept else { return false }
        if state.newest != nil {
            // One that a session is at stays here too: reading must go on from it.
            guard isKnownUniquelyReferenced(&state.newest) else { return false }
            state.knownSchema = state.newest?.knownSchema
            state.newest = nil
        }
        guard snapshotCount.value.load(ordering: .acquiring) == 0 else { return false }
        do {
            try file.growMap()
            return true
        } catch {
            return false
        }
    }

    private func locked<Result>(
        _ body: (inout State) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try state.withLock(body)
    }

    /// How many versions are held in this process, the newest one included.
    package var versionCount: Int { snapshotCount.value.load(ordering: .acquiring) }

    // MARK: Sessions

    /// A session at the newest version.
    package func makeSession() throws(StorageError) -> Session {
        Session(try latestKnownSnapshot())
    }

    /// Moves a session to the newest version.
    ///
    /// - Returns: whether that is another one.
    @discardableResult
    package func refresh(_ session: Session) throws(StorageError) -> Bool {
        let snapshot = try newestSnapshot()
        guard snapshot !== session.snapshot else { return false }
        try session.adopt(snapshot)
        return true
    }

    // MARK: Writing

    /// Where a write's LMDB transaction runs.
    package enum WriteThread: Sendable {
        /// On the caller's: begin and end must be on this very thread, which must not end in between.
        case caller
        /// On the store's own: begin and end may come from any thread.
        case store
    }

    /// Begins a write: waits for the one before, moves the session to the newest version.
    ///
    /// - Parameter holder: who begins it, where that is not the calling thread: a number that is no thread's
    ///   token. Who holds a write waits for no second one.
    /// - Throws: `alreadyInWrite` when this holder is in a write of this file; `readOnly`,
    ///   `storeFailed`, and what `newestSnapshot` throws.
    package func beginWrite(
        _ session: Session, on thread: WriteThread = .caller, by holder: UInt64? = nil
    ) throws(StorageError) {
        precondition(!session.isWriting, "a write began inside a write")
        try file.checkUsable()
        guard !options.isReadOnly else {
            throw StorageError(.readOnly, "The database '\(file.path)' was opened for reading only.")
        }
        try gate.enter(holder)
        do throws(StorageError) {
            try begin(session, thread)
        } catch {
            gate.leave()
            throw error
        }
    }

    private func begin(_ session: Session, _ thread: WriteThread) throws(StorageError) {
        let wantsLargerMap = state.withLock { $0.wantsLargerMap }
        if wantsLargerMap { makeMapLarger() }
        let runner: any WriteRunner = thread == .caller ? CallingThread() : writerThread
        let writer = try beginTransaction(runner)
        do throws(StorageError) {
            let snapshot = try newestSnapshot()
            guard snapshot.version.value + 1 == writer.version.value else {
                throw contents.damage("its newest version is not the one before the write that has begun")
            }
            session.rowKeyFloors = state.withLock { $0.rowKeyFloors }
            try session.begin(writer, on: snapshot)
        } catch {
            writer.abortTransaction()
            throw error
        }
    }

    private func beginTransaction(_ runner: any WriteRunner) throws(StorageError) -> WriteContext {
        do throws(StorageError) {
            return try makeContext(runner)
        } catch {
            guard error.code == .grownByAnotherProcess else { throw error }
            makeMapLarger()
            return try makeContext(runner)
        }
    }

    private func makeContext(_ runner: any WriteRunner) throws(StorageError) -> WriteContext {
        // Under the lock, and before LMDB reads the map to begin: nobody replaces it from here on.
        let hold = state.withLock { _ in SnapshotHold(file, snapshotCount) }
        return try WriteContext(runner: runner, file: file, contents: contents, holding: hold)
    }

    private func makeMapLarger() {
        state.withLock { state in
            if growMap(&state) { state.wantsLargerMap = false }
        }
    }

    /// Ends a write and makes its changes the next version.
    ///
    /// The session sees its own version afterwards, or a later one of another writer.
    ///
    /// - Returns: what was changed, nil for nothing: then there is no new version.
    /// - Throws: `duplicateKey`, `diskFull`, `mapFull`, `fileTooLarge`, `damaged`, `storeFailed` and
    ///   others; everything is undone then, and the session is where it was when the write began.
    @discardableResult
    package func commit(
        _ session: Session, durability: StoreOptions.Durability
    ) throws(StorageError) -> ChangeSet? {
        let writer = session.requiredWriter
        let changes: ChangeSet?
        do throws(StorageError) {
            try file.checkUsable()
            try setDurability(durability)
            changes = try session.writeChanges(commitOptions)
            if changes == nil {
                noteUsedRowKeys(session)
                writer.abortTransaction()
            } else {
                try writer.commitTransaction()
                noteOwnCommit(writer.version)
            }
        } catch {
            cancel(session)
            throw error
        }
        finish(session)
        return changes
    }

    /// The same with the durability that the store was opened with.
    ///
    /// Apart, because an optional parameter would take `.none` for nil.
    @discardableResult
    package func commit(_ session: Session) throws(StorageError) -> ChangeSet? {
        try commit(session, durability: options.durability)
    }

    private func finish(_ session: Session) {
        let before = session.snapshot
        gate.leave()
        if before.version.value.isMultiple(of: 64) {
            // A process that was killed has left its place among the readers, which keeps pages from
            // being used again. That the list cannot be cleared now is no reason to fail: it is tried again.
            _ = try? file.environment.clearStaleReaders()
        }
        do throws(StorageError) {
            try session.end(movingTo: try newestSnapshot())
        } catch {
            // The commit has happened, so this must not look as if it had failed. The session stays
            // where it was; its next refresh says why it cannot move.
            stay(session, at: before)
        }
    }

    private func stay(_ session: Session, at snapshot: Snapshot) {
        do throws(StorageError) {
            try session.end(movingTo: snapshot)
        } catch {
            session.note(error)
        }
    }

    /// Keeps the row keys that a write has handed out from being handed out again by the next one of
    /// this process. Other processes have never seen them.
    private func noteUsedRowKeys(_ session: Session) {
        let used = session.usedRowKeys()
        guard !used.isEmpty else { return }
        state.withLock { $0.rowKeyFloors.merge(used) { max($0, $1) } }
    }

    /// Ends a write and undoes it.
    package func cancel(_ session: Session) {
        noteUsedRowKeys(session)
        let writer = session.requiredWriter
        // Also when it was inside the write that the map was found full, by something written ahead.
        if writer.failure?.code == .mapFull { state.withLock { $0.wantsLargerMap = true } }
        writer.abortTransaction()
        let before = session.snapshot
        gate.leave()
        stay(session, at: before)
    }

    /// Runs a body as one write on the calling thread: committed when it returns, undone when it throws.
    @discardableResult
    package func write<Result, Failure: Error>(
        _ session: Session, durability: StoreOptions.Durability, _ body: () throws(Failure) -> Result
    ) throws -> Result {
        try beginWrite(session)
        let result: Result
        do {
            result = try body()
        } catch {
            cancel(session)
            throw error
        }
        try commit(session, durability: durability)
        return result
    }

    /// The same with the durability that the store was opened with.
    @discardableResult
    package func write<Result, Failure: Error>(
        _ session: Session, _ body: () throws(Failure) -> Result
    ) throws -> Result {
        try write(session, durability: options.durability, body)
    }

    private func setDurability(_ durability: StoreOptions.Durability) throws(StorageError) {
        let mode: Environment.SyncMode =
            switch durability {
            case .full: .full
            case .lastCommitAtRisk: .noMetaSync
            case .none: .noSync
            }
        if durability == .none { try file.noteUnsyncedCommits() }
        do throws(LMDBError) {
            try file.environment.setSyncMode(mode)
        } catch {
            throw contents.failure(error, .writing)
        }
    }

    private var commitOptions: CommitOptions {
        CommitOptions(origin: origin, window: options.changeWindow, packsChunks: options.limits.packsChunks)
    }
}
