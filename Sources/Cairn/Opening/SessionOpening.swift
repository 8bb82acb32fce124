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

    /// A file that is open, and what is known of it before it is looked into.
    private struct OpenedFile {
        let store: Store
        let engine: Session
        let models: [ClassModel]
        let settings: SessionSettings
        let memory: InMemoryFile?
    }

    /// - Throws: `RealmError`, and what a migration block throws.
    func open() throws -> RealmSession {
        try configuration.check()
        let set = try ModelRegistry.models(of: configuration.objectTypes)
        let memory = try memoryFile()
        let settings = try settings(memory)
        if memory == nil, !settings.isReadOnly { try DefaultLocation.prepareFolder(for: settings.path) }
        if let session = try open(set, settings, memory) { return session }
        // The store has been let go: nobody of this process holds the file, unless somebody else does.
        try Self.converting(settings) { () throws(StorageError) in
            _ = try StoreFile.deleteFiles(at: settings.path)
        }
        guard let session = try open(set, settings, memory) else {
            throw RealmError(
                .alreadyOpen, "The file was written anew by another program while it was being replaced.",
                fileURL: settings.fileURL)
        }
        return session
    }

    /// - Returns: nil where the file is to be deleted first, because it needs a migration.
    private func open(
        _ set: ModelRegistry.ModelSet, _ settings: SessionSettings, _ memory: InMemoryFile?
    ) throws -> RealmSession? {
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
        if configuration.deleteRealmIfMigrationNeeded,
            FilePlan.needsMigration(engine, set.models, settings)
        {
            return nil
        }
        try fit(
            OpenedFile(
                store: store, engine: engine, models: set.models, settings: settings, memory: memory))
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
            durability: durability,
            maximumVersionCount: configuration.maximumNumberOfActiveVersions.flatMap {
                $0 == 0 ? nil : Int(clamping: $0)
            }, options: options)
    }

    // MARK: The schema

    /// Sees to it that the file holds the classes.
    ///
    /// - Throws: what a migration block throws, too.
    private func fit(_ file: OpenedFile) throws {
        let engine = file.engine
        guard try FilePlan(engine, file.models, file.settings).needsWrite else { return }
        try Self.converting(file.settings) { () throws(StorageError) in try file.store.beginWrite(engine) }
        do {
            // Somebody may have been faster.
            let plan = try FilePlan(engine, file.models, file.settings)
            switch plan.step {
            case .none: break
            case .additions(let additions):
                try Self.converting(file.settings) { () throws(StorageError) in
                    try StoredSchema.apply(additions, to: engine)
                }
                engine.setSchemaVersion(file.settings.schemaVersion)
            case .migration:
                try FileMigration(
                    store: file.store, settings: file.settings, models: file.models,
                    block: configuration.anyMigrationBlock, progress: configuration.migrationProgress,
                    place: place, lifetime: file.memory
                ).run(engine)
            }
        } catch {
            file.store.cancel(engine)
            throw error
        }
        try Self.converting(file.settings) { () throws(StorageError) in
            _ = try file.store.commit(engine, durability: file.settings.durability)
        }
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
