internal import CRuntime
internal import CairnStorage
internal import Foundation
internal import Synchronization

/// What the copies of a `Realm` share: a version of a file with the classes of a program, live on one
/// thread or frozen for all.
///
/// Every function of a live one is for its thread, but `isHere`, and letting the last reference go.
@usableFromInline
final class RealmSession: @unchecked Sendable {
    // @unchecked: a live session is used on the thread of `confinement` alone, which its users check;
    // what a frozen one changes is in `readers`, under a lock.

    let store: Store
    /// How it was opened; equal for all that share the session.
    let settings: SessionSettings
    let models: [ModelDescription]
    let schema: Schema
    let confinement: Confinement
    /// The class's ordinal, by its type.
    private let ordinals: [ObjectIdentifier: Int]
    /// Which set of classes it is.
    let modelSet: ObjectIdentifier
    /// Tells sessions apart for ever.
    let number: UInt64

    /// Live: the engine's session. Frozen: unused.
    let tables: ClassTables
    /// Frozen: the version and the readers of each thread.
    private let frozenState: FrozenState?

    /// What the write in progress has done wrong.
    private var mistakes = MistakeRecord()
    /// The frozen session of the version that this one is at, while somebody holds it.
    private var frozenCopy: FaintReference<RealmSession>?
    /// An error that `beginWrite()`, which cannot throw, has met.
    private var deferredError: RealmError? {
        // Apart, because it is asked for with each change: an error is a large thing to look at.
        didSet { hasDeferredError = deferredError != nil }
    }
    var autorefresh = true
    private var lastClass: (id: ObjectIdentifier, ordinal: Int)?

    /// Removes an in-memory file together with its last user. The last property, because they are
    /// destroyed in the order of their declaration, and the store must have closed the file before.
    let lifetime: (any AnyObject & Sendable)?

    private final class FrozenState: Sendable {
        let snapshot: Snapshot
        let readers: Guarded<FrozenReaders.Table>

        init(_ snapshot: Snapshot) {
            self.snapshot = snapshot
            readers = Guarded(FrozenReaders.Table())
        }
    }

    private static let lastNumber = Atomic<UInt64>(0)

    /// A live session on the calling thread.
    init(
        _ store: Store, _ settings: SessionSettings, _ models: [ModelDescription],
        ordinals: [ObjectIdentifier: Int], modelSet: ObjectIdentifier, engine: Session,
        openedAt place: CallSite, lifetime: (any AnyObject & Sendable)?
    ) throws(StorageError) {
        self.store = store
        self.settings = settings
        self.models = models
        self.ordinals = ordinals
        self.modelSet = modelSet
        self.lifetime = lifetime
        schema = Schema(models.map(\.schema))
        confinement = Confinement(openedAt: place)
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        tables = ClassTables(models, token: confinement.token)
        frozenState = nil
        engine.onDamage = Self.logDamage
        tables.setOwner(self)
        try tables.open(engine)
    }

    /// A live session on the calling thread, for the classes of a frozen one.
    convenience init(thawing frozen: RealmSession, engine: Session) throws(StorageError) {
        try self.init(
            frozen.store, frozen.settings, frozen.models, ordinals: frozen.ordinals,
            modelSet: frozen.modelSet, engine: engine, openedAt: CallSite(file: "thaw()", line: 0),
            lifetime: frozen.lifetime)
    }

    /// A frozen session.
    private init(freezing live: RealmSession, at snapshot: Snapshot) {
        store = live.store
        settings = live.settings
        models = live.models
        ordinals = live.ordinals
        modelSet = live.modelSet
        lifetime = live.lifetime
        schema = live.schema
        confinement = live.confinement
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        // Never opened: its accesses are what frozen objects hold, and lead to the slow path.
        tables = ClassTables(live.models, token: 0)
        frozenState = FrozenState(snapshot)
        tables.setOwner(self)
    }

    deinit {
        guard frozenState == nil, let engine = tables.engine, engine.isWriting else { return }
        Logger.shared.log(
            .warn, "The last reference to a Realm went in the middle of a write, which was undone: \(path)")
        store.cancel(engine)
    }

    private static func logDamage(_ error: StorageError) {
        Logger.shared.log(.error, error.message)
    }

    var path: String { settings.path }
    var isFrozen: Bool { frozenState != nil }
    var isReadOnly: Bool { settings.isReadOnly }

    /// Whether both show the same objects for ever: one session, or two frozen ones of one version.
    func isSameWorld(as other: RealmSession) -> Bool {
        if self === other { return true }
        return isFrozen && other.isFrozen && store === other.store && modelSet == other.modelSet
            && version == other.version
    }

    /// Equal for sessions of the same world.
    func hashWorld(into hasher: inout Hasher) {
        if isFrozen {
            hasher.combine(ObjectIdentifier(store))
            hasher.combine(version)
        } else {
            hasher.combine(number)
        }
    }

    /// The ordinal of a class, or nil for one that is not in the schema.
    ///
    /// Remembers the last answer of a live session: objects are mostly added class by class.
    func ordinal(of type: AnyClass) -> Int? {
        let id = ObjectIdentifier(type)
        if let lastClass, lastClass.id == id, frozenState == nil { return lastClass.ordinal }
        guard let ordinal = ordinals[id] else { return nil }
        if frozenState == nil { lastClass = (id, ordinal) }
        return ordinal
    }

    /// The ordinal of the class of that name.
    func ordinal(named name: String) -> Int? { models.firstIndex { $0.schema.className == name } }

    // MARK: Reading

    /// What objects and collections of a class hold.
    func handle(_ ordinal: Int) -> UnsafeMutablePointer<ClassAccess> { tables.accesses + ordinal }

    /// The tables to read with, on this thread.
    ///
    /// Opens a session that was invalidated. Of a frozen session, those of the calling thread.
    func readable(_ use: @autoclosure () -> String) -> ClassTables? {
        if let frozenState { return reader(frozenState) }
        guard confinement.isHere else {
            Misuse.reportFatal(RealmError(.incorrectThread, confinement.violation(use())))
            return nil
        }
        if tables.engine == nil { reopen() }
        return tables
    }

    /// Opens the newest version.
    ///
    /// - Throws: `notFound` where another program has changed the schema meanwhile.
    private func open() throws(StorageError) {
        let engine = try store.makeSession()
        engine.onDamage = Self.logDamage
        try Self.check(models, against: engine.schema)
        try tables.open(engine)
    }

    private func reopen() {
        do throws(StorageError) {
            try open()
        } catch {
            // Nobody to throw it to, and nothing to read.
            Misuse.trap(RealmError(error, file: settings.fileURL))
        }
    }

    private func reader(_ frozen: FrozenState) -> ClassTables {
        FrozenReaders.reader(of: number) {
            frozen.readers.withLock { readers in
                let token = Confinement.currentToken
                if let known = readers[token] { return known }
                let tables = ClassTables(models, token: token)
                tables.setOwner(self)
                do throws(StorageError) {
                    let engine = Session(frozen.snapshot)
                    engine.onDamage = Self.logDamage
                    try tables.open(engine)
                } catch {
                    Misuse.trap(RealmError(error, file: settings.fileURL))
                }
                readers.insert(tables, for: token)
                return tables
            }
        }
    }

    /// How many threads a frozen session keeps a reader for.
    var readerCount: Int { frozenState?.readers.withLock { $0.count } ?? 0 }

    /// The version that is read.
    var version: Version? {
        if let frozenState { return frozenState.snapshot.version }
        return tables.engine?.version
    }

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

    /// Moves to the newest version.
    ///
    /// - Returns: whether there was one.
    func refresh() -> Bool {
        guard !isFrozen, !isWriting else { return false }
        let wasClosed = tables.engine == nil
        guard let engine = readable("A Realm")?.engine else { return false }
        do throws(StorageError) {
            let snapshot = try store.newestSnapshot()
            guard snapshot.version != engine.version else { return wasClosed }
            try checkSchema(of: snapshot.schema)
            try engine.adopt(snapshot)
            try tables.resolveIfNeeded()
            return true
        } catch {
            Logger.shared.log(.error, "The Realm stays at the version it has. \(error.message)")
            return wasClosed
        }
    }

    /// Another process may have changed the file's schema: one that lacks what this program uses is
    /// not moved to.
    private func checkSchema(of schema: CairnStorage.Schema) throws(StorageError) {
        guard let known = tables.engine?.schema, known != schema else { return }
        try Self.check(models, against: schema)
    }

    static func check(
        _ models: [ModelDescription], against schema: CairnStorage.Schema
    ) throws(StorageError) {
        let comparison = StoredSchema.compare(models.map(\.schema), with: schema)
        guard !comparison.mismatches.isEmpty || !comparison.additions.classes.isEmpty else { return }
        let lines =
            comparison.mismatches
            + comparison.additions.classes.map {
                "- Class '\($0.className)' has been removed."
            }
        throw StorageError(
            .notFound,
            """
            Another program has changed the schema of the file, and this one cannot go on with it:
            \(lines.joined(separator: "\n"))
            """)
    }

    /// Forgets the version: objects and collections of it are invalid from now on. A write is undone.
    func invalidate() {
        guard !isFrozen else { return }
        guard confinement.isHere else {
            Misuse.reportFatal(
                RealmError(.incorrectThread, confinement.violation("A Realm that is invalidated")))
            return
        }
        guard let engine = tables.engine else { return }
        if engine.isWriting {
            Logger.shared.log(
                .warn, "A Realm was invalidated in the middle of a write, which was undone: \(path)")
            cancel()
        }
        tables.close()
    }

    // MARK: Writing

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
        do throws(StorageError) {
            if tables.engine == nil { try open() }
            guard let engine = tables.engine else { return }
            let before = engine.snapshot
            try store.beginWrite(engine, on: thread)
            do throws(StorageError) {
                try Self.check(models, ifChangedFrom: tables, engine)
                try tables.resolveIfNeeded()
            } catch {
                store.cancel(engine)
                goBack(engine, to: before)
                throw error
            }
        } catch {
            throw Self.realmError(error, settings)
        }
    }

    private static func check(
        _ models: [ModelDescription], ifChangedFrom tables: ClassTables, _ engine: Session
    ) throws(StorageError) {
        guard tables.needsResolving else { return }
        try check(models, against: engine.schema)
    }

    private static func realmError(_ error: StorageError, _ settings: SessionSettings) -> RealmError {
        if error.code == .notFound {
            return RealmError(
                .schemaMismatch, error.message, fileURL: settings.fileURL, underlyingError: error)
        }
        return RealmError(error, file: settings.fileURL)
    }

    /// Ends the write and makes its changes durable.
    ///
    /// - Throws: the first mistake that was made in it, or what the engine throws. Everything is undone
    ///   then.
    func commit() throws(RealmError) {
        guard let engine = tables.engine else { return }
        if let mistake = mistakes.first {
            cancel()
            throw mistake
        }
        let limits = tables.rowKeyLimits()
        let before = engine.snapshot
        do throws(StorageError) {
            try store.commit(engine, durability: settings.durability)
        } catch {
            resolveAfterUndo()
            tables.noteUndone(limits)
            throw Self.realmError(error, settings)
        }
        do throws(StorageError) {
            // The commit may have led to a version that another process has made since.
            try Self.check(models, ifChangedFrom: tables, engine)
            try tables.resolveIfNeeded()
        } catch {
            // The write is done all the same. The next refresh or write says why it cannot move.
            Logger.shared.log(.error, "The Realm goes back to the version before its write. \(error.message)")
            goBack(engine, to: before)
        }
    }

    /// Ends the write and undoes it.
    func cancel() {
        guard let engine = tables.engine, engine.isWriting else { return }
        let limits = tables.rowKeyLimits()
        store.cancel(engine)
        mistakes = MistakeRecord()
        resolveAfterUndo()
        tables.noteUndone(limits)
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

    /// Whether `beginWrite()` has failed and nobody has heard of it yet: what is done until `commitWrite()`
    /// throws the reason has no effect.
    private(set) var hasDeferredError = false

    func takeDeferredError() -> RealmError? {
        defer { deferredError = nil }
        return deferredError
    }
}
