/// A class whose objects a Realm can be asked for.
public protocol RealmFetchable: RealmCollectionValue {}
extension Object: RealmFetchable {}

/// What a query gives: objects of a class, or values of a list, those that fit, in the order asked for.
///
/// Live within the version that its Realm is at: a write of the Realm's own is seen at once, others' when
/// the Realm moves to a newer version. Making one costs nothing; nothing is read before it is asked for, and
/// what was found is kept while nothing changes that it depends on.
///
/// - Complexity: of all objects of a class `count` is O(1), an element O(log n), and a loop O(n). Of a query the
///   first use after a change carries it out (`docs/queries.md` says what that costs; `explain()` says how);
///   then `count` and an element are O(1). A loop makes no instance an element for classes whose stored
///   properties are all `@Persisted`.
@frozen
public struct Results<Element: RealmCollectionValue> {
    @usableFromInline let source: ResultsSource

    init(_ source: ResultsSource) {
        self.source = source
    }
}

extension Results: RealmCollection {
    public var count: Int { source.count }

    /// An element. An index that is out of bounds is misuse.
    public subscript(position: Int) -> Element {
        guard let values = source.values else {
            guard let object = source.object(at: position) else { return Element._makePlaceholder() }
            // The class of the source is `Element`: whoever makes a `Results` sees to it.
            return unsafeBitCast(object, to: Element.self)
        }
        return values.value(at: position)
    }

    public func makeIterator() -> RLMIterator<Element> {
        guard let values = source.values else {
            return source.cursor().map { RLMIterator($0) } ?? RLMIterator([])
        }
        return RLMIterator(values.values())
    }

    /// The first element, or nil. Of a query that was not carried out yet it looks for no other.
    public var first: Element? {
        guard source.holdsValues else {
            return source.firstObject().map { unsafeBitCast($0, to: Element.self) }
        }
        return isEmpty ? nil : self[0]
    }

    /// Whether there is no element. Of a query that was not carried out yet it looks for one only.
    public var isEmpty: Bool { source.isEmpty }

    /// The first place of an element, or nil where it is not among them.
    public func index(of element: Element) -> Int? {
        guard let values = source.values else {
            return Element._object(element).flatMap { source.place(of: $0) }
        }
        return values.values(of: Element.self).firstIndex(of: element)
    }

    public var isInvalidated: Bool { source.isInvalidated }
    public var isFrozen: Bool { source.session?.isFrozen ?? false }

    public var description: String {
        CollectionDescription.text(
            "Results<\(source.elementName)>", self,
            identity: "0x" + String(UInt(bitPattern: ObjectIdentifier(source).hashValue), radix: 16),
            depth: ObjectDescription.maximumDepth)
    }

    public var _query: _CollectionQuery { source.query }
}

extension Results: Equatable {
    /// Whether both are copies of one.
    public static func == (left: Results, right: Results) -> Bool { left.source === right.source }
}
