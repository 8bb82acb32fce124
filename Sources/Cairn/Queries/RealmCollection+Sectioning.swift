extension RealmCollection {
    /// The objects in sections of equal values of a property, sorted by it.
    ///
    /// - Parameter ascending: whether the smallest key comes first.
    public func sectioned<Key: _Persistable & Hashable>(
        by keyPath: KeyPath<Element, Key>, ascending: Bool = true
    ) -> SectionedResults<Key, Element> where Element: ObjectBase {
        sectioned(by: keyPath, sortDescriptors: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// The objects in sections of equal values of a property.
    ///
    /// - Parameter sortDescriptors: how they are sorted; the first must be by the key path of the sections:
    ///   anything else is misuse.
    public func sectioned<Key: _Persistable & Hashable, Descriptors: Sequence>(
        by keyPath: KeyPath<Element, Key>, sortDescriptors: Descriptors
    ) -> SectionedResults<Key, Element>
    where Element: ObjectBase, Descriptors.Element == SortDescriptor {
        let descriptors = Array(sortDescriptors)
        let name = PropertyNames.nameOrMisuse(of: keyPath)
        if let first = descriptors.first, first.keyPath != name {
            Misuse.report(
                RealmError(
                    .misuse,
                    """
                    The key path of the sections is '\(name)', and the first descriptor sorts by '\(first.keyPath)'. They \
                    must be the same, or the sections would be torn apart.
                    """), _query.session)
        }
        return sectioned(sortDescriptors: descriptors) { $0[keyPath: keyPath] }
    }

    /// The objects in sections of equal keys.
    ///
    /// - Parameters:
    ///   - block: the key of an object. Called on the Realm's own thread, each time that the sections are made
    ///     anew; it must depend on nothing but the object.
    ///   - sortDescriptors: how they are sorted. None is misuse.
    public func sectioned<Key: _Persistable & Hashable, Descriptors: Sequence>(
        by block: @escaping (Element) -> Key, sortDescriptors: Descriptors
    ) -> SectionedResults<Key, Element> where Element: ObjectBase, Descriptors.Element == SortDescriptor {
        sectioned(sortDescriptors: Array(sortDescriptors), block)
    }

    /// The elements in sections of equal keys.
    public func sectioned<Key: _Persistable & Hashable>(
        sortDescriptors: [SortDescriptor], _ keyBlock: @escaping (Element) -> Key
    ) -> SectionedResults<Key, Element> {
        if sortDescriptors.isEmpty {
            Misuse.report(
                RealmError(
                    .misuse, "Sections need at least one descriptor that says how elements are sorted."),
                _query.session)
        }
        return SectionedResults(SectionedSource(sorted(by: sortDescriptors), keyBlock))
    }

    /// The values in sections of equal keys, sorted by themselves.
    public func sectioned<Key: _Persistable & Hashable>(
        by block: @escaping (Element) -> Key, ascending: Bool = true
    ) -> SectionedResults<Key, Element>
    where Element: _HasPersistedType, Element.PersistedType: SortableType {
        sectioned(sortDescriptors: [SortDescriptor(keyPath: "self", ascending: ascending)], block)
    }
}
