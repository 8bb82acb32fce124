/// Goes through a collection as it was when the loop began.
///
/// What is deleted before its turn is left out, what is added is not visited. An object may be the same
/// instance as the one before, pointing to another row, if nobody else holds it.
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
    @usableFromInline var values: [Element]
    @usableFromInline var index = 0
    @usableFromInline let rows: RowCursor?

    /// Through values.
    init(_ values: [Element]) {
        self.values = values
        rows = nil
    }

    /// Through objects, which must be of the class `Element`.
    init(_ rows: RowCursor) {
        values = []
        self.rows = rows
    }

    // Inlined into the loop: behind a call it would cost more than reading a property.
    @inlinable
    public mutating func next() -> Element? {
        if let rows {
            guard let object = rows.next() else { return nil }
            // The cursor's class is that of the collection's elements: its maker has compared them.
            return unsafeBitCast(object, to: Element.self)
        }
        guard index < values.count else { return nil }
        defer { index += 1 }
        return values[index]
    }
}
