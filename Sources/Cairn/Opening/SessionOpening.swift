internal import CairnStorage
internal import Foundation

/// Opens a session: the file, the classes, and what has to be done so that they fit.
struct SessionOpening {
    private let configuration: Realm.Configuration
    private let place: CallSite
    /// Where the session is to belong; nil for where the calling code runs, its thread or the main queue.
    private let scheduler: (any Scheduler)?

    init(
        _ configuration: Realm.Configuration, in scheduler: (any Scheduler)? = nil, openedAt place: CallSite
    ) {
        self.configuration = configuration
        self.scheduler = scheduler
        self.place = place
    }

    func open() throws(RealmError) -> RealmSession {
        let set = try ModelRegistry.models(of: configuration.objectTypes)
        let memory = try memoryFile()
        let settings = try settings(memory)
        if memory == nil, !settings.isReadOnly { try DefaultLocation.prepareFolder(for: settings.path) }
        let store = try Self.converting(settings) { () throws(StorageError) in
            try Store.open(settings.options)
        }
        let key = SessionRegistry.Key(
            store: ObjectIdentifier(store), place: scheduler?.identity ?? Confinement.currentIdentity,
            models: ObjectIdentifier(set))
        if let known = SessionRegistry.session(key, scheduler) {
            try checkOptions(known, settings)
            return known
        }
        let engine = try Self.converting(settings) { () throws(StorageError) in try store.makeSession() }
        try fit(engine, store, set, settings)
        return try Self.converting(settings) { () throws(StorageError) in
            let session = try RealmSession(
                store, settings, set.models, ordinals: set.ordinals, modelSet: ObjectIdentifier(set),
                engine: engine, Confinement(scheduler ?? Confinement.currentScheduler, openedAt: place),
                lifetime: memory)
            SessionRegistry.insert(session, key)
            return session
        }
    }

    /// Turns what the engine throws into what the library throws.
    private static func converting<Result>(
        _ settings: SessionSettings, _ body: () throws(StorageError) -> Result
    ) throws(RealmError) -> Result {
        do throws(StorageError) {
            return try body()
        } catch {
            throw RealmError(error, file: settings.fileURL)
        }
    }

    private func memoryFile() throws(RealmError) -> InMemoryFile? {
        guard let identifier = configuration.inMemoryIdentifier else { return nil }
        guard !identifier.isEmpty else {
            throw RealmError(.fail, "The in-memory identifier of a Realm must not be empty.")
        }
        return InMemoryFile.named(identifier)
    }

    private func settings(_ memory: InMemoryFile?) throws(RealmError) -> SessionSettings {
        guard let path = memory?.path ?? configuration.fileURL?.path, !path.isEmpty else {
            throw RealmError(
                .fail, "A configuration must name a file or an in-memory identifier. This one has neither.")
        }
        if let url = configuration.fileURL, memory == nil, !url.isFileURL {
            throw RealmError(.fail, "A Realm is kept in a file, and '\(url)' names none.", fileURL: url)
        }
        let durability: StoreOptions.Durability =
            switch configuration.durability {
            case _ where memory != nil: .none
            case .full: .full
            case .lastCommitAtRisk: .lastCommitAtRisk
            case .none: .none
            }
        let options = StoreOptions(
            path: path, isReadOnly: configuration.readOnly,
            maximumFileByteCount: configuration.maximumFileSize, durability: durability,
            verifyChecksums: configuration.verifyChecksums, cacheByteCount: configuration.cacheByteCount)
        return SessionSettings(
            path: path, inMemoryIdentifier: configuration.inMemoryIdentifier,
            isReadOnly: configuration.readOnly, schemaVersion: configuration.schemaVersion,
            durability: durability, options: options)
    }

    // MARK: The schema

    /// Sees to it that the file holds the classes.
    private func fit(
        _ engine: Session, _ store: Store, _ set: ModelRegistry.ModelSet, _ settings: SessionSettings
    ) throws(RealmError) {
        let plan = try plan(engine, set, settings)
        guard plan.needsWrite else { return }
        guard !settings.isReadOnly else { throw Self.readOnlyMismatch(plan.additions, settings) }
        try Self.converting(settings) { () throws(StorageError) in try store.beginWrite(engine) }
        do throws(RealmError) {
            // Somebody may have been faster.
            let plan = try self.plan(engine, set, settings)
            try Self.converting(settings) { () throws(StorageError) in
                try StoredSchema.apply(plan.additions, to: engine)
            }
            if plan.setsVersion { engine.setSchemaVersion(settings.schemaVersion) }
        } catch {
            store.cancel(engine)
            throw error
        }
        try Self.converting(settings) { () throws(StorageError) in
            _ = try store.commit(engine, durability: settings.durability)
        }
    }

    private struct Plan {
        var additions: StoredSchema.Additions
        var setsVersion: Bool

        var needsWrite: Bool { !additions.isEmpty || setsVersion }
    }

    private func plan(
        _ engine: Session, _ set: ModelRegistry.ModelSet, _ settings: SessionSettings
    ) throws(RealmError) -> Plan {
        let stored = engine.schemaVersion
        let isNew = engine.schema.tables.isEmpty
        guard isNew || stored <= settings.schemaVersion else {
            throw RealmError(
                .fail,
                """
                Provided schema version \(settings.schemaVersion) is less than last set version \(stored). The \
                file was written by a newer version of the program.
                """, fileURL: settings.fileURL)
        }
        let comparison = StoredSchema.compare(set.models.map(\.schema), with: engine.schema)
        guard comparison.mismatches.isEmpty else { throw Self.mismatch(comparison.mismatches, settings) }
        return Plan(
            additions: comparison.additions,
            setsVersion: stored != settings.schemaVersion && !settings.isReadOnly)
    }

    private static func mismatch(_ lines: [String], _ settings: SessionSettings) -> RealmError {
        RealmError(
            .schemaMismatch,
            """
            Migration is required due to the following errors:
            \(lines.joined(separator: "\n"))
            """, fileURL: settings.fileURL)
    }

    private static func readOnlyMismatch(
        _ additions: StoredSchema.Additions, _ settings: SessionSettings
    ) -> RealmError {
        var lines = additions.classes.map {
            "- Class '\($0.className)' is not in the file, which is opened read-only."
        }
        lines += additions.addedIndexes.map {
            "- Index on '\($0.className).\($0.property.columnName)' is not in the file, which is opened read-only."
        }
        return mismatch(lines, settings)
    }

    private func checkOptions(_ session: RealmSession, _ settings: SessionSettings) throws(RealmError) {
        guard session.settings.isReadOnly == settings.isReadOnly else {
            throw RealmError(
                .fail,
                "The file is open on this thread with another value of 'readOnly'. Use the same one.",
                fileURL: settings.fileURL)
        }
        guard session.settings.schemaVersion == settings.schemaVersion else {
            throw RealmError(
                .fail,
                """
                The file is open on this thread with schema version \(session.settings.schemaVersion), and not \
                \(settings.schemaVersion). Close it first.
                """, fileURL: settings.fileURL)
        }
    }
}
