internal import CairnStorage

/// A database: the objects of a file, at one version, on one thread.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write { realm.add(Dog()) }
/// for dog in realm.objects(Dog.self) { print(dog.name) }
/// ```
///
/// A Realm sees one version of the file until it begins a write, is refreshed, moves on by itself
/// (`autorefresh`), or is invalidated; other threads and processes never disturb it. It belongs to the thread
/// that opened it, or to a queue or an actor, with everything read through it; opening the file again there
/// gives the same Realm and is cheap. What is frozen (`freeze()`) belongs nowhere in particular.
///
/// What goes wrong because of data, disk or other processes is thrown as `Realm.Error`. A mistake inside
/// a write makes the write fail with such an error; elsewhere it traps with the same sentence.
public struct Realm {
    /// What the copies share.
    let session: RealmSession

    init(_ session: RealmSession) {
        self.session = session
    }

    /// The error type of the library.
    public typealias Error = RealmError
    /// What adding an object does where one with its primary key is there already.
    public typealias UpdatePolicy = Cairn.UpdatePolicy

    // MARK: State

    /// The classes that the Realm stores.
    public var schema: Schema { session.schema }

    /// Whether there is no object of any class of the schema.
    public var isEmpty: Bool {
        guard let tables = session.readable("A Realm") else { return true }
        return session.models.indices.allSatisfy { (tables.accesses + $0).table.rowCount == 0 }
    }

    // MARK: Versions

    /// Moves to the newest version, and tells those who listen what that changes, before it returns.
    ///
    /// - Returns: whether there was one. Always false inside a write, in a notification block, and for a
    ///   frozen Realm.
    @discardableResult
    public func refresh() -> Bool {
        if session.isReadOnly, !session.isFrozen { _ = session.readable("A Realm") }
        return session.refresh()
    }

    /// Whether the Realm moves to a newer version by itself, soon after another thread or process has made it.
    /// At first true; of a frozen Realm false, and not to be set.
    ///
    /// It does so on the main queue, on a serial queue and on an actor. On another thread it does while the
    /// thread's run loop runs, from the first notification block that is registered there on, or from this
    /// property being set to true. Elsewhere `refresh()` and writes move a Realm.
    public var autorefresh: Bool {
        get { !session.isFrozen && session.autorefresh }
        nonmutating set {
            guard !session.isFrozen else {
                if newValue {
                    Misuse.reportFatal(
                        RealmError(.misuse, "Auto-refresh cannot be enabled for frozen Realms."))
                }
                return
            }
            session.autorefresh = newValue
        }
    }

    /// Lets the version go. What was read before is invalid from now on, and nobody is told of its changes
    /// any more; the next use of the Realm opens the newest version. A write in progress is undone. Does
    /// nothing in a notification block.
    public func invalidate() { session.invalidate() }

    /// Whether it never changes and may be used on every thread.
    public var isFrozen: Bool { session.isFrozen }

    /// The version that the Realm is at, for every thread. Inside a write, the version before it.
    ///
    /// While it is held, the file cannot use again the space that later versions have freed.
    public func freeze() -> Realm { Realm(session.frozen()) }

    /// How many threads a frozen Realm keeps tables for. For tests: those of threads that have ended go.
    package var frozenReaderCount: Int { session.readerCount }

    /// The live Realm of the calling thread.
    public func thaw() -> Realm {
        guard session.isFrozen else { return self }
        do {
            return Realm(try SessionThawing.thaw(session))
        } catch {
            Misuse.trap(error)
        }
    }
}

extension Realm: Equatable {
    /// Whether both are one Realm: the same file, opened with the same classes on one thread, or frozen at
    /// one version.
    public static func == (left: Realm, right: Realm) -> Bool {
        left.session.isSameWorld(as: right.session)
    }
}
