internal import CairnQuery
internal import CairnStorage

/// The values of a list that a query gives.
final class ValueResults: ResultsSource {
    private let owner: ObjectBase
    private let property: Int
    private let description: ElementQuery
    private let cache = Guarded<Found?>(nil)

    private struct Found {
        let elements: FoundElements
        let stamp: SessionStamp
    }

    init(_ description: ElementQuery, of owner: ObjectBase, _ property: Int) {
        self.owner = owner
        self.property = property
        self.description = description
        super.init(owner.session, holdsValues: true)
    }

    override var isInvalidated: Bool { !owner.isValid }
    override var elementName: String { owner.name(of: property) }
    override var query: _CollectionQuery { _CollectionQuery(.values(owner, property, description)) }

    /// nil where there is nothing to be read, which was reported.
    func found() -> FoundElements? {
        guard let access = owner.readableAccess(property), let session,
            let engine = session.readable("Results")?.engine
        else { return nil }
        let table = access.table
        let stamp = SessionStamp(engine, [table])
        if let known = cache.withLock({ $0 }), session.isFrozen || known.stamp == stamp {
            return known.elements
        }
        let position = access.position(property)
        return session.noting { () throws(StorageError) in
            let elements = try FoundElements(description, of: RowKey(owner.row), position, in: table)
            cache.withLock { $0 = Found(elements: elements, stamp: stamp) }
            return elements
        }
    }

    override var count: Int { found()?.count ?? 0 }
    override var isEmpty: Bool { count == 0 }

    func value<Element: RealmCollectionValue>(at index: Int) -> Element {
        guard let found = found() else { return Element._makePlaceholder() }
        guard index >= 0, index < found.count, let session else {
            reportOutOfBounds(index, found.count)
            return Element._makePlaceholder()
        }
        return found.withElement(index) {
            Element._decode($0, _ElementSource(session: session, target: nil))
        }
    }

    func values<Element: RealmCollectionValue>(of type: Element.Type = Element.self) -> [Element] {
        guard let found = found(), let session else { return [] }
        let source = _ElementSource(session: session, target: nil)
        return (0..<found.count).map { index in found.withElement(index) { Element._decode($0, source) } }
    }

    override func frozen() -> ResultsSource {
        guard let frozen = owner.frozenCounterpart() else { return self }
        return ValueResults(description, of: frozen, property)
    }

    override func thawed(in session: RealmSession) -> ResultsSource? {
        owner.liveCounterpart().map { ValueResults(description, of: $0, property) }
    }
}
