internal import CairnStorage

/// Stored values that the program's property cannot hold: another program, or an older version of this
/// one, has written them. They are read as well as can be and logged once a property, never trapped on.
@usableFromInline
enum StoredValueFit {
    private struct Known: Hashable {
        let model: ObjectIdentifier
        let property: Int
    }

    private static let known = Guarded(Set<Known>())

    /// An integer that is too wide. Returns it.
    @usableFromInline @inline(never)
    static func misfit(_ stored: Int64, _ cell: _Cell) -> Int64 {
        log(cell, "An integer")
        return stored
    }

    /// Notes a raw value that no case of the property's enum has.
    @inline(never)
    static func noteUnknownRawValue(_ cell: _Cell) {
        log(cell, "A raw value")
    }

    private static func log(_ cell: _Cell, _ what: String) {
        guard let model = cell.object.model else { return }
        let key = Known(model: ObjectIdentifier(model), property: cell.property)
        guard known.withLock({ $0.insert(key).inserted }) else { return }
        Logger.shared.log(
            .error,
            """
            \(what) is stored in '\(cell.object.name(of: cell.property))' that does not fit the property's \
            type. It is read as the nearest value there is. This is said once a property.
            """)
    }
}
