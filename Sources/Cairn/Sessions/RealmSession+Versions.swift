internal import CairnStorage

extension RealmSession {
    // MARK: Versions

    /// A frozen session of the version that this one is at: inside a write, of the version before it.
    func frozen() -> RealmSession {
        if isFrozen { return self }
        guard let engine = readable("A Realm")?.engine else { return self }
        if let known = frozenCopy?.object, known.version == engine.version { return known }
        let copy = RealmSession(freezing: self, at: engine.snapshot)
        frozenCopy = FaintReference(copy)
        return copy
    }

    /// Moves to the newest version, and tells everybody who listens.
    ///
    /// - Returns: whether there was one. False inside a write, and in a listener's block.
    func refresh() -> Bool {
        guard !isFrozen, !isWriting, !observers.isDelivering else { return false }
        let wasClosed = tables.engine == nil
        guard readable("A Realm")?.engine != nil else { return false }
        let hasMoved: Bool
        do throws(StorageError) {
            hasMoved = try advance(to: store.newestSnapshot())
        } catch {
            Logger.shared.log(.error, "The Realm stays at the version it has. \(error.message)")
            return wasClosed
        }
        deliver()
        if hasMoved { observers.send(.didChange) }
        return hasMoved || wasClosed
    }

    /// Moves to a newer version, and notes what that changes.
    ///
    /// - Returns: whether it is newer.
    func advance(to snapshot: Snapshot) throws(StorageError) -> Bool {
        guard let engine = tables.engine else { return false }
        let before = engine.snapshot
        guard snapshot.version > before.version else { return false }
        try checkSchema(of: snapshot.schema)
        let changes = try changesToNote(from: before, to: snapshot)
        try engine.adopt(snapshot)
        try tables.resolveIfNeeded()
        noteVersion()
        if let changes { observers.note(changes, before: before) }
        return true
    }

    /// What listeners need to know of a move; nil where nobody listens.
    func changesToNote(from old: Snapshot, to new: Snapshot) throws(StorageError) -> ChangeSet? {
        guard observers.wantsChanges, old.version < new.version else { return nil }
        return try store.exactChanges(from: old, to: new)
    }

    /// Another process may have changed the file's schema: one that lacks what this program uses is
    /// not moved to.
    func checkSchema(of schema: CairnStorage.Schema) throws(StorageError) {
        guard let known = tables.engine?.schema, known != schema else { return }
        try Self.check(models, against: schema)
    }

    static func check(
        _ models: [ModelDescription], against schema: CairnStorage.Schema
    ) throws(StorageError) {
        let comparison = StoredSchema.compare(models.map(\.schema), with: schema)
        let lines =
            comparison.mismatches.filter { !$0.isHarmlessToOlderProgram }.map(\.lineForOlderProgram)
            + comparison.additions.classes.map { "- Class '\($0.className)' has been removed." }
        guard !lines.isEmpty else { return }
        throw StorageError(
            .notFound,
            """
            Another program has changed the schema of the file, and this one cannot go on with it:
            \(lines.joined(separator: "\n"))
            """)
    }

    /// Forgets the version: objects and collections of it are invalid from now on, and nobody is told of their
    /// changes any more. A write is undone. Does nothing in a listener's block.
    func invalidate() {
        guard !isFrozen else { return }
        guard confinement.isHere else {
            Misuse.reportFatal(
                RealmError(.incorrectThread, confinement.violation("A Realm that is invalidated")))
            return
        }
        guard let engine = tables.engine, !observers.isDelivering else { return }
        if engine.isWriting {
            Logger.shared.log(
                .warn, "A Realm was invalidated in the middle of a write, which was undone: \(path)")
            cancel()
        }
        asyncWrites.cancelAll()
        observers.endAll()
        tables.close()
        noteVersion()
    }
}
