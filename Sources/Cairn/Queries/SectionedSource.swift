internal import CairnStorage

/// What the copies of a `SectionedResults` share: sorted results, and how to tell their sections apart.
final class SectionedSource<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    let results: Results<Element>
    private let key: (Element) -> Key
    /// What was found; of frozen results by any thread.
    private let cache = Guarded<(sections: Sections, stamp: SessionStamp)?>(nil)

    /// Sections, as places in the results.
    struct Sections {
        /// In the order in which they appear.
        var keys: [Key] = []
        var places: [Key: [Int]] = [:]
    }

    init(_ results: Results<Element>, _ key: @escaping (Element) -> Key) {
        self.results = results
        self.key = key
    }

    /// The sections as they are now.
    func sections() -> Sections {
        // The key may come from anywhere: a change of any class may change it.
        guard let session = results.source.session, let tables = session.readable("SectionedResults"),
            let engine = tables.engine
        else { return Sections() }
        let stamp = SessionStamp(engine, tables.models.indices.map { (tables.accesses + $0).table })
        if let known = cache.withLock({ $0 }), session.isFrozen || known.stamp == stamp {
            return known.sections
        }
        var sections = Sections()
        for (place, element) in results.enumerated() {
            let key = key(element)
            if sections.places[key] == nil { sections.keys.append(key) }
            sections.places[key, default: []].append(place)
        }
        let made = sections
        cache.withLock { $0 = (made, stamp) }
        return sections
    }

    func frozen() -> SectionedSource { SectionedSource(results.freeze(), key) }
    func thawed() -> SectionedSource? { results.thaw().map { SectionedSource($0, key) } }
}
