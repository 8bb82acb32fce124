internal import CairnQuery
internal import CairnStorage

/// A way to hand something of a Realm to another thread: made on the one, resolved once on the other.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// queue.async {
///     let realm = try! Realm()
///     guard let dog = realm.resolve(reference) else { return }   // deleted meanwhile
/// }
/// ```
///
/// - SeeAlso: `freeze()`, which needs no resolving where nothing is to be changed.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    private let box: Box

    /// What is handed over, once.
    private final class Box: Sendable {
        // Under a lock: two threads may try to resolve it.
        private let content: Guarded<Handover?>

        init(_ content: Handover) {
            self.content = Guarded(content)
        }

        func take() -> Handover? {
            content.withLock { content in
                defer { content = nil }
                return content
            }
        }

        var isTaken: Bool { content.withLock { $0 == nil } }
    }

    /// - Parameter threadConfined: of a Realm, and valid: anything else is misuse.
    public init(to threadConfined: Confined) {
        guard let handing = threadConfined as? any HandingOver, let handover = handing.handover() else {
            let reason =
                threadConfined.realm == nil
                ? "it is not managed by a Realm" : "it was deleted or invalidated"
            Misuse.trap(
                RealmError(
                    .misuse,
                    "Cannot construct a reference to '\(type(of: threadConfined))': \(reason)."))
        }
        box = Box(handover)
    }

    /// Whether it was resolved.
    public var isInvalidated: Bool { box.isTaken }

    /// What it refers to in a Realm; nil where that is not there.
    func resolve(in realm: Realm) -> Confined? {
        guard let handover = box.take() else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    "Can only resolve a thread safe reference once. Make another one for another use."))
            return nil
        }
        guard handover.store === realm.session.store else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    "Cannot resolve thread safe reference in Realm with different configuration than the source Realm."
                ))
            return nil
        }
        // What it refers to may be newer than this Realm.
        if let version = realm.session.version, version < handover.version { _ = realm.refresh() }
        return handover.resolve(realm) as? Confined
    }
}

/// What a reference carries.
struct Handover: Sendable {
    /// Keeps the file open: its Realm may have gone before the reference is resolved.
    let store: Store
    let version: Version
    let content: Content
    /// As in `RealmSession`: the last property.
    let lifetime: (any AnyObject & Sendable)?

    enum Content: Sendable {
        case object(className: String, row: UInt64)
        /// A collection of an object's property.
        case property(className: String, row: UInt64, property: Int, make: @Sendable (ObjectBase, Int) -> Any)
        /// The objects of a class that a query gives.
        case results(className: String, QueryDescription, make: @Sendable (ResultsBox) -> Any)
    }

    /// For closures that are Sendable: made and used on one thread.
    struct ResultsBox {
        let source: ResultsSource
    }

    func resolve(_ realm: Realm) -> Any? {
        switch content {
        case .object(let className, let row): return object(realm, className, row)
        case .property(let className, let row, let property, let make):
            return object(realm, className, row).map { make($0, property) }
        case .results(let className, let description, let make):
            guard let ordinal = realm.session.ordinal(named: className) else { return nil }
            return make(ResultsBox(source: ObjectResults(description, ordinal, realm.session)))
        }
    }

    private func object(_ realm: Realm, _ className: String, _ row: UInt64) -> ObjectBase? {
        let session = realm.session
        guard let ordinal = session.ordinal(named: className), let tables = session.readable("A Realm"),
            (tables.accesses + ordinal).table.contains(RowKey(row))
        else { return nil }
        return unsafeDowncast(session.models[ordinal], to: ClassModel.self).makeObject(
            session, session.handle(ordinal), RowKey(row))
    }
}

/// What references can be made to.
protocol HandingOver {
    /// nil where there is nothing to hand over.
    func handover() -> Handover?
}

extension ObjectBase {
    final func handover(_ content: (String, UInt64) -> Handover.Content) -> Handover? {
        guard let session, let model, isValid, let version = session.version else { return nil }
        return Handover(
            store: session.store, version: version, content: content(model.schema.className, row),
            lifetime: session.lifetime)
    }
}

extension Object: HandingOver {
    func handover() -> Handover? { handover { .object(className: $0, row: $1) } }
}

extension List: HandingOver {
    func handover() -> Handover? {
        guard case .managed(let owner, let property) = storage else { return nil }
        return owner.handover {
            .property(className: $0, row: $1, property: property) { List<Element>(of: $0, $1) }
        }
    }
}

extension LinkingObjects: HandingOver {
    func handover() -> Handover? {
        guard let owner else { return nil }
        return owner.handover {
            .property(className: $0, row: $1, property: property) {
                LinkingObjects<Element>(of: $0, $1)
            }
        }
    }
}

extension Results: HandingOver {
    func handover() -> Handover? {
        guard !isInvalidated else { return nil }
        switch source.query.kind {
        case .objects(let session, let ordinal, let description):
            guard let version = session.version else { return nil }
            let className = session.models[ordinal].schema.className
            return Handover(
                store: session.store, version: version,
                content: .results(className: className, description) { Results<Element>($0.source) },
                lifetime: session.lifetime)
        case .values(let owner, let property, let description):
            return owner.handover {
                .property(className: $0, row: $1, property: property) {
                    Results<Element>(ValueResults(description, of: $0, $1))
                }
            }
        case .nothing, .unmanaged: return nil
        }
    }
}

extension Realm {
    /// What a reference refers to, in this Realm; nil where it was deleted.
    ///
    /// A Realm at an older version than the reference's is refreshed first, except inside a write. A second
    /// resolve, and a Realm of another file, are misuse.
    public func resolve<Confined: ThreadConfined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        reference.resolve(in: self)
    }
}
