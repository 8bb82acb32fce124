/// The elements of one section: those with its key.
///
/// A section whose last element has gone is invalidated: reading it is misuse.
public struct ResultsSection<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue> {
    private let source: SectionedSource<Key, SectionElement>
    /// What its elements have in common.
    public let key: Key

    init(_ source: SectionedSource<Key, SectionElement>, key: Key) {
        self.source = source
        self.key = key
    }

    /// The places of its elements in the results; empty for a section that is gone.
    private var places: [Int] { source.sections().places[key] ?? [] }
}

extension ResultsSection: Identifiable {
    public var id: Key { key }
}

extension ResultsSection: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { places.count }

    /// An element. An index that is out of bounds is misuse, and so is reading a section that is gone.
    public subscript(index: Int) -> SectionElement {
        let places = places
        guard places.indices.contains(index) else {
            Misuse.report(
                RealmError(
                    .misuse,
                    places.isEmpty
                        ? "This section of SectionedResults has been invalidated: it has no elements any more."
                        : "Index \(index) is out of bounds (must be less than \(places.count)) in a section."),
                source.results.source.session)
            return SectionElement._makePlaceholder()
        }
        return source.results[places[index]]
    }

    public func makeIterator() -> SectionIterator<SectionElement> {
        SectionIterator(places.map { source.results[$0] })
    }
}

/// Goes through the elements that a section had when the loop began.
public struct SectionIterator<SectionElement: RealmCollectionValue>: IteratorProtocol {
    private var elements: ArraySlice<SectionElement>

    init(_ elements: [SectionElement]) { self.elements = elements[...] }

    public mutating func next() -> SectionElement? { elements.popFirst() }
}

extension ResultsSection: RealmSectionedResult {
    public var realm: Realm? { source.results.realm }

    /// Also where it has no elements any more.
    public var isInvalidated: Bool { source.results.isInvalidated || places.isEmpty }
    public var isFrozen: Bool { source.results.isFrozen }

    public func freeze() -> ResultsSection { isFrozen ? self : ResultsSection(source.frozen(), key: key) }

    public func thaw() -> ResultsSection? {
        isFrozen ? source.thawed().map { ResultsSection($0, key: key) } : self
    }

    /// Whether both are the section of one key in copies of one `SectionedResults`.
    public static func == (left: ResultsSection, right: ResultsSection) -> Bool {
        left.source === right.source && left.key == right.key
    }
}
