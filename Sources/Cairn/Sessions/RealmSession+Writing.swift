internal import CRuntime
internal import CairnStorage

extension RealmSession {
    var isWriting: Bool { tables.engine?.isWriting ?? false }

    /// Whether a write is in progress, and this is the session's thread. One look at what accessors look at.
    var isWritingHere: Bool {
        guard !models.isEmpty else { return isWriting && confinement.isHere }
        let state = tables.accesses.pointee.state
        return state.pointee.isWriting && state.pointee.token == cairn_thread_token()
    }

    /// Begins a write.
    ///
    /// - Throws: what the engine throws: `alreadyInWrite`, `readOnly`, `storeFailed` …
    func begin(on thread: Store.WriteThread) throws(RealmError) {
        mistakes = MistakeRecord()
        deferredError = nil
        guard StoreServices.of(store).asyncWrites.stepAside() else {
            throw RealmError(
                .misuse,
                """
                A write was begun in the block of an asynchronous write of the same file. Change the Realm of that \
                one: writes cannot be nested.
                """, fileURL: settings.fileURL)
        }
        try checkVersionCount()
        var hasMoved = false
        do throws(StorageError) {
            if tables.engine == nil { try open() }
            guard let engine = tables.engine else { return }
            let before = engine.snapshot
            try store.beginWrite(engine, on: thread, by: confinement.scheduler.writerToken)
            do throws(StorageError) {
                try Self.check(models, ifChangedFrom: tables, engine)
                try tables.resolveIfNeeded()
                if let changes = try changesToNote(from: before, to: engine.snapshot) {
                    observers.note(changes, before: before)
                }
                hasMoved = before.version != engine.version
                noteVersion()
            } catch {
                store.cancel(engine)
                goBack(engine, to: before)
                throw error
            }
        } catch {
            throw Self.realmError(error, settings)
        }
        guard hasMoved else { return }
        // What others have changed, with what this session has and was not told of yet. Own changes alone wait
        // for the scheduler: many writes are one call.
        isBeginning = true
        deliver()
        isBeginning = false
        observers.send(.didChange)
    }

    /// Refuses a write where too many versions are held.
    func checkVersionCount() throws(RealmError) {
        guard let limit = settings.maximumVersionCount else { return }
        let count = store.versionCount
        guard count > limit else { return }
        let oldest = StoreServices.of(store).versions.all.compactMap { holder in
            holder.held.version.map { (version: $0, name: holder.name) }
        }.min { $0.version < $1.version }
        throw RealmError(
            .fail,
            """
            Number of active versions (\(count)) in the Realm exceeded the limit of \(limit). The oldest is held by \
            \(oldest?.name ?? "something else"): 'activeVersions' names them all.
            """, fileURL: settings.fileURL)
    }

    private static func check(
        _ models: [ModelDescription], ifChangedFrom tables: ClassTables, _ engine: Session
    ) throws(StorageError) {
        guard tables.needsResolving else { return }
        try check(models, against: engine.schema)
    }

    static func realmError(_ error: StorageError, _ settings: SessionSettings) -> RealmError {
        if error.code == .notFound {
            return RealmError(
                .schemaMismatch, error.message, fileURL: settings.fileURL, underlyingError: error)
        }
        return RealmError(error, file: settings.fileURL)
    }

    /// Ends the write and makes its changes durable.
    ///
    /// - Parameter silent: who is not told of just this write.
    /// - Throws: the first mistake that was made in it, or what the engine throws. Everything is undone
    ///   then.
    func commit(withoutNotifying silent: [ObservationLife] = []) throws(RealmError) {
        guard let engine = tables.engine else { return }
        if sharedWrite != nil { return try endSharedWrite() }
        if let mistake = mistakes.first {
            cancel()
            throw mistake
        }
        let limits = tables.rowKeyLimits()
        let before = engine.snapshot
        let changes: ChangeSet?
        listener?.mute()
        defer { listener?.unmute() }
        do throws(StorageError) {
            changes = try store.commit(engine, durability: settings.durability)
        } catch {
            resolveAfterUndo()
            tables.noteUndone(limits)
            throw Self.realmError(error, settings)
        }
        do throws(StorageError) {
            // The commit may have led to a version that another process has made since.
            try Self.check(models, ifChangedFrom: tables, engine)
            try tables.resolveIfNeeded()
            try noteCommit(changes, before: before, engine, silent)
        } catch {
            // The write is done all the same. The next refresh or write says why it cannot move.
            Logger.shared.log(.error, "The Realm goes back to the version before its write. \(error.message)")
            goBack(engine, to: before)
        }
    }

    /// Notes what a write has changed. The Realm's own listeners are told at once, the others later.
    private func noteCommit(
        _ changes: ChangeSet?, before: Snapshot, _ engine: Session, _ silent: [ObservationLife]
    ) throws(StorageError) {
        if observers.wantsChanges, before.version < engine.version {
            if let changes, changes.version == engine.version {
                observers.note(changes, before: nil)
                observers.skip(silent, changes, self)
            } else if let changes = try store.exactChanges(from: before, to: engine.snapshot) {
                // Another writer was faster than this session at moving on.
                observers.note(changes, before: nil)
            }
        }
        noteVersion()
        observers.scheduleIfDue(self)
        if before.version < engine.version { observers.send(.didChange) }
    }

    /// Ends the write and undoes it.
    func cancel() {
        guard let engine = tables.engine, engine.isWriting else { return }
        if sharedWrite != nil { return undoSharedWrite() }
        let limits = tables.rowKeyLimits()
        store.cancel(engine)
        mistakes = MistakeRecord()
        resolveAfterUndo()
        tables.noteUndone(limits)
        observers.scheduleIfDue(self)
    }

    /// Goes back to a version that this program can read: another one has changed the schema since.
    private func goBack(_ engine: Session, to snapshot: Snapshot) {
        do throws(StorageError) {
            try engine.adopt(snapshot)
            try tables.resolveIfNeeded()
        } catch {
            Misuse.trap(RealmError(error, file: settings.fileURL))
        }
    }

    private func resolveAfterUndo() {
        do throws(StorageError) {
            try tables.resolveIfNeeded()
        } catch {
            Misuse.trap(RealmError(error, file: settings.fileURL))
        }
    }

    /// The first mistake of the write in progress.
    var firstMistake: RealmError? { mistakes.first }

    /// Whether there is one.
    var hasMistake: Bool { !mistakes.isEmpty }

    /// Carries out a change and gives back the mistake that it made: that one does not end the write.
    func catchingMistake(_ change: () -> Void) -> RealmError? {
        let catching = mistakes.beginCatching()
        change()
        return mistakes.endCatching(catching)
    }

    /// Records a mistake: the write will be undone.
    func doom(_ error: RealmError) { mistakes.note(error) }

    /// Keeps an error of `beginWrite()` for `commitWrite()`.
    func deferError(_ error: RealmError) {
        deferredError = error
    }

    func takeDeferredError() -> RealmError? {
        defer { deferredError = nil }
        return deferredError
    }
}
