internal import CRuntime
internal import CairnStorage
internal import Foundation
internal import Synchronization

/// What the copies of a `Realm` share: a version of a file with the classes of a program, live in one
/// place or frozen for all.
///
/// Every function of a live one is for where it belongs, but letting the last reference go.
@usableFromInline
final class RealmSession: @unchecked Sendable {
    // @unchecked: a live session is used where `confinement` says alone, which its users check;
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
    let frozenState: FrozenState?

    /// What the write in progress has done wrong.
    var mistakes = MistakeRecord()
    /// The frozen session of the version that this one is at, while somebody holds it.
    var frozenCopy: FaintReference<RealmSession>?
    /// An error that `beginWrite()`, which cannot throw, has met.
    var deferredError: RealmError? {
        // Apart, because it is asked for with each change: an error is a large thing to look at.
        didSet { hasDeferredError = deferredError != nil }
    }
    /// Whether `beginWrite()` has failed and nobody has heard of it yet: what is done until `commitWrite()`
    /// throws the reason has no effect.
    private(set) var hasDeferredError = false
    var autorefresh = true {
        didSet { if autorefresh { listenIfPossible() } }
    }
    /// Who is told of changes.
    private(set) lazy var observers = SessionObservers()
    /// Set once commits of others are told to this session.
    var listener: CommitFeed.Listener?
    /// The asynchronous write whose block is running, and the engine session that is put aside for it.
    var sharedWrite: SharedWrite?
    /// Asynchronous writes whose blocks have run, and that are not committed.
    var awaitedCommits: [AwaitedCommit] = []
    /// The number of the asynchronous write whose block is running, if it has one.
    var runningAsyncWrite: UInt32?
    /// Whether the block that runs, or ran last, has its changes in its group.
    var hasMerged = false
    /// Asynchronous writes that were asked for and have not ended.
    var asyncWrites = AsyncWriteList()
    /// What others may know of the version that is held.
    let holder: HeldVersions.Holder
    /// Whether a write is beginning and its user has not got it yet.
    var isBeginning = false
    private var lastClass: (id: ObjectIdentifier, ordinal: Int)?

    /// Set while the session is one of a migration's.
    var role: MigrationRole?

    /// Removes an in-memory file together with its last user. The last property, because they are
    /// destroyed in the order of their declaration, and the store must have closed the file before.
    let lifetime: (any AnyObject & Sendable)?

    final class FrozenState: Sendable {
        let snapshot: Snapshot
        let readers: Guarded<FrozenReaders.Table>

        init(_ snapshot: Snapshot) {
            self.snapshot = snapshot
            readers = Guarded(FrozenReaders.Table())
        }
    }

    private static let lastNumber = Atomic<UInt64>(0)

    /// A live session where the calling code runs.
    init(
        _ store: Store, _ settings: SessionSettings, _ models: [ModelDescription],
        ordinals: [ObjectIdentifier: Int], modelSet: ObjectIdentifier, engine: Session,
        _ confinement: Confinement, lifetime: (any AnyObject & Sendable)?
    ) throws(StorageError) {
        self.store = store
        self.settings = settings
        self.models = models
        self.ordinals = ordinals
        self.modelSet = modelSet
        self.lifetime = lifetime
        schema = Schema(models.map(\.schema))
        self.confinement = confinement
        holder = HeldVersions.Holder(confinement.scheduler.name, isFrozen: false)
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        tables = ClassTables(models, token: confinement.token)
        frozenState = nil
        engine.onDamage = Self.logDamage
        tables.setOwner(self)
        try tables.open(engine)
        StoreServices.of(store).versions.add(holder, number: number)
        noteVersion()
        startListening()
    }

    /// A live session where the calling code runs, for the classes of another one.
    convenience init(
        like other: RealmSession, engine: Session, _ confinement: Confinement
    ) throws(StorageError) {
        try self.init(
            other.store, other.settings, other.models, ordinals: other.ordinals,
            modelSet: other.modelSet, engine: engine, confinement, lifetime: other.lifetime)
    }

    /// A frozen session.
    init(freezing live: RealmSession, at snapshot: Snapshot) {
        store = live.store
        settings = live.settings
        models = live.models
        ordinals = live.ordinals
        modelSet = live.modelSet
        lifetime = live.lifetime
        schema = live.schema
        confinement = live.confinement
        holder = HeldVersions.Holder("a frozen Realm of \(live.confinement.scheduler.name)", isFrozen: true)
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
        // Never opened: its accesses are what frozen objects hold, and lead to the slow path.
        tables = ClassTables(live.models, token: 0)
        frozenState = FrozenState(snapshot)
        tables.setOwner(self)
        StoreServices.of(store).versions.add(holder, number: number)
        noteVersion()
    }

    deinit {
        StoreServices.of(store).versions.remove(number: number)
        if frozenState == nil { stopListening() }
        guard frozenState == nil, let engine = tables.engine, engine.isWriting else { return }
        Logger.shared.log(
            .warn, "The last reference to a Realm went in the middle of a write, which was undone: \(path)")
        store.cancel(engine)
    }

    static func logDamage(_ error: StorageError) {
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
        if tables.engine == nil {
            if role?.isOver ?? false {
                Misuse.reportFatal(
                    RealmError(
                        .misuse, "\(use()) of a migration was used after the migration had ended."))
                return nil
            }
            reopen()
        }
        return tables
    }

    /// Opens the newest version.
    ///
    /// - Throws: `notFound` where another program has changed the schema meanwhile.
    func open() throws(StorageError) {
        let engine = try store.makeSession()
        engine.onDamage = Self.logDamage
        try Self.check(models, against: engine.schema)
        try tables.open(engine)
        noteVersion()
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

    /// Lets others know which version is held.
    func noteVersion() { holder.hold(frozenState?.snapshot.version ?? tables.engine?.version) }

    /// The version that is read.
    var version: Version? {
        if let frozenState { return frozenState.snapshot.version }
        return tables.engine?.version
    }
}
