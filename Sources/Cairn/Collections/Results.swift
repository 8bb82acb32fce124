internal import CairnStorage

/// A class whose objects a Realm can be asked for.
public protocol RealmFetchable: RealmCollectionValue {}
extension Object: RealmFetchable {}

/// The objects of a class, in the order in which they were added.
///
/// Live within the version that its Realm is at: a write of the Realm's own is seen at once, others' when
/// the Realm moves to a newer version. Making one costs nothing; nothing is read before it is asked for.
///
/// - Complexity: `count` O(1); an element O(log n); a loop O(n), without an allocation an element for
///   classes whose stored properties are all `@Persisted`.
@frozen
public struct Results<Element: RealmCollectionValue> {
    @usableFromInline let source: ResultsSource

    init(_ source: ResultsSource) {
        self.source = source
    }
}

/// What the copies of a `Results` share.
@usableFromInline
final class ResultsSource {
    let session: RealmSession
    let ordinal: Int
    /// Results of before an `invalidate()` are invalid for good.
    private let validSince: UInt64

    init(allOf ordinal: Int, _ session: RealmSession) {
        self.session = session
        self.ordinal = ordinal
        validSince = session.handle(ordinal).pointee.validSince
    }

    var isInvalidated: Bool {
        !session.isFrozen
            && (validSince != session.handle(ordinal).pointee.validSince || session.tables.engine == nil)
    }

    var className: String { session.models[ordinal].schema.className }

    /// The tables to read with on this thread; nil where there is nothing to be read, which was reported.
    func readable() -> UnsafeMutablePointer<ClassAccess>? {
        guard let tables = session.readable("Results of '\(className)'") else { return nil }
        if !session.isFrozen, validSince != session.handle(ordinal).pointee.validSince {
            Misuse.report(
                RealmError(
                    .invalidatedObject,
                    "Results of '\(className)' were used after their Realm was invalidated. Ask it for new ones.",
                    className: className), session)
            return nil
        }
        return tables.accesses + ordinal
    }

    var count: Int { readable()?.table.rowCount ?? 0 }

    /// The object of a rank; nil out of bounds, which was reported.
    func object(at index: Int) -> ObjectBase? {
        guard let access = readable() else { return nil }
        guard let row = access.table.row(atRank: index) else {
            Misuse.report(
                RealmError(
                    .misuse,
                    """
                    Index \(index) is out of bounds (must be less than \(access.table.rowCount)) in Results of \
                    '\(className)'.
                    """, className: className), session)
            return nil
        }
        let model = unsafeDowncast(session.models[ordinal], to: ClassModel.self)
        return model.makeObject(session, session.handle(ordinal), row)
    }

    func rank(of object: ObjectBase) -> Int? {
        guard let access = readable(), object.isRow(of: access, session) else { return nil }
        return access.table.rank(of: RowKey(object.row))
    }

    func cursor() -> RowCursor? { readable().map { RowCursor(allOf: $0, session) } }
}

extension Results: RealmCollection {
    public var count: Int { source.count }

    /// An object. An index that is out of bounds is misuse.
    public subscript(position: Int) -> Element {
        guard let object = source.object(at: position) else { return Element._makePlaceholder() }
        // The class of the source is `Element`: whoever makes a `Results` sees to it.
        return unsafeBitCast(object, to: Element.self)
    }

    public func makeIterator() -> RLMIterator<Element> {
        source.cursor().map { RLMIterator($0) } ?? RLMIterator([])
    }

    /// The place of an object, or nil where it is not among them.
    public func index(of element: Element) -> Int? {
        Element._object(element).flatMap { source.rank(of: $0) }
    }

    public var isInvalidated: Bool { source.isInvalidated }
    public var isFrozen: Bool { source.session.isFrozen }

    public var description: String {
        CollectionDescription.text(
            "Results<\(source.className)>", self,
            identity: "0x" + String(UInt(bitPattern: ObjectIdentifier(source).hashValue), radix: 16),
            depth: ObjectDescription.maximumDepth)
    }
}

extension Results: Equatable {
    /// Whether both are copies of one.
    public static func == (left: Results, right: Results) -> Bool { left.source === right.source }
}
