internal import CairnStorage
public import Foundation

extension List: MutableCollection {
    /// A place in a row of a write; nil for one that cannot be written, which was reported.
    private func writing() -> Reading? {
        guard let place = reading() else { return nil }
        if place.session.role?.mistakeTaker != nil {
            Misuse.report(
                RealmError(
                    .misuse,
                    "\(words) of the old side of a migration is read-only. Change that of the new object."),
                place.session)
            return nil
        }
        if place.session.isFrozen {
            Misuse.reportFatal(
                RealmError(
                    .misuse, "Attempting to modify a frozen object: \(words). Call thaw() on it first."))
            return nil
        }
        if place.session.hasDeferredError { return nil }
        guard place.session.isWriting else {
            Misuse.reportFatal(
                RealmError(
                    .misuse,
                    """
                    Cannot modify List outside of a write transaction: \(words). Change it in the block of \
                    write { }.
                    """))
            return nil
        }
        return place
    }

    /// Replaces elements by others; the one place where lists change.
    private func replace(_ range: Range<Int>, with elements: [Element]) {
        if case .unmanaged(var own) = storage {
            guard isInside(range, own.count) else { return }
            // Taken out first: a second reference would copy them.
            storage = .unmanaged([])
            own.replaceSubrange(range, with: elements)
            storage = .unmanaged(own)
            return
        }
        guard let place = writing() else { return }
        let count = noting(place.session) { () throws(StorageError) in
            try place.table.listCount(place.row, place.position)
        }
        guard let count, isInside(range, count) else { return }
        if let objects = Self.objects(elements) {
            // Nothing has changed if one cannot be linked to, but that objects before it were added.
            guard let rows = ObjectAdder.rows(of: objects, place.target, place.session) else { return }
            _ = noting(place.session) { () throws(StorageError) in
                try place.table.replaceLinks(place.row, place.position, range, with: rows)
            }
            return
        }
        let buffer = ListBuffer(layout: place.table.listLayout(place.position))
        let encoded = _EncodedElements(buffer: buffer, session: place.session)
        for element in elements { Element._encode(element, into: encoded) }
        _ = noting(place.session) { () throws(StorageError) in
            try place.table.replaceElements(place.row, place.position, range, with: buffer)
        }
    }

    /// The elements as objects, without going through them; nil for values.
    static func objects(_ elements: [Element]) -> [ObjectBase]? {
        guard Element.self is ObjectBase.Type else { return nil }
        // References to a class are references to its superclass.
        return unsafeBitCast(elements, to: [ObjectBase].self)
    }

    private func isInside(_ range: Range<Int>, _ count: Int) -> Bool {
        if range.lowerBound >= 0, range.upperBound <= count { return true }
        let index = range.lowerBound < 0 ? range.lowerBound : range.upperBound - (range.isEmpty ? 0 : 1)
        outOfBounds(index, count)
        return false
    }

    /// Adds an element at the end. An unmanaged object is added to the Realm, if the list is managed.
    @inlinable
    public func append(_ object: Element) {
        if case .unmanaged(var own) = storage {
            // Taken out first: a second reference would copy the elements.
            storage = .unmanaged([])
            own.append(object)
            storage = .unmanaged(own)
        } else {
            append(objectsIn: CollectionOfOne(object))
        }
    }

    /// Adds elements at the end, in order.
    public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        // First: the sequence may be one of this list.
        let elements = Array(objects)
        let count = self.count
        replace(count..<count, with: elements)
    }

    /// Inserts an element before an index, which may be `count`.
    public func insert(_ object: Element, at index: Int) { replace(index..<index, with: [object]) }

    /// Inserts elements before an index.
    public func insert<C: Collection>(contentsOf newElements: C, at index: Int) where C.Element == Element {
        replace(index..<index, with: Array(newElements))
    }

    /// Removes an element. An object stays in the Realm.
    public func remove(at index: Int) {
        guard isIndex(index) else { return }
        replace(index..<(index + 1), with: [])
    }

    /// Removes all elements. Objects stay in the Realm.
    public func removeAll() { replace(0..<count, with: []) }

    /// Removes the first elements. More than there are, or a negative number, is misuse.
    public func removeFirst(_ number: Int = 1) {
        let count = self.count
        guard isAmount(number, count) else { return }
        replace(0..<number, with: [])
    }

    /// Removes the last elements. More than there are, or a negative number, is misuse.
    public func removeLast(_ number: Int = 1) {
        let count = self.count
        guard isAmount(number, count) else { return }
        replace((count - number)..<count, with: [])
    }

    private func isAmount(_ number: Int, _ count: Int) -> Bool {
        guard number < 0 || number > count else { return true }
        Misuse.report(
            RealmError(
                .misuse, "It is not possible to remove \(number) of the \(count) elements of \(words)."),
            session)
        return false
    }

    private func isIndex(_ index: Int) -> Bool {
        let count = self.count
        guard index < 0 || index >= count else { return true }
        outOfBounds(index, count)
        return false
    }

    private func areIndexes(_ offsets: IndexSet) -> Bool { offsets.last.map(isIndex) ?? true }

    /// Replaces an element.
    public func replace(index: Int, object: Element) {
        guard isIndex(index) else { return }
        replace(index..<(index + 1), with: [object])
    }

    /// Removes a range of elements.
    public func removeSubrange<R: RangeExpression>(_ bounds: R) where R.Bound == Int {
        guard let range = range(bounds) else { return }
        replace(range, with: [])
    }

    /// Replaces a range of elements by others, as many as there are.
    public func replaceSubrange<C: Collection, R: RangeExpression>(_ subrange: R, with newElements: C)
    where C.Element == Element, R.Bound == Int {
        guard let range = range(subrange) else { return }
        replace(range, with: Array(newElements))
    }

    /// What a range expression means here; nil for one that is out of bounds, which was reported: the
    /// standard library ends the process for some of them.
    private func range<R: RangeExpression>(_ expression: R) -> Range<Int>? where R.Bound == Int {
        let count = self.count
        let bounds: (lower: Int, upper: Int)
        switch expression {
        case let range as Range<Int>: return range
        case let range as ClosedRange<Int>: bounds = (range.lowerBound, range.upperBound)
        case let range as PartialRangeFrom<Int>: bounds = (range.lowerBound, count - 1)
        case let range as PartialRangeThrough<Int>: bounds = (0, range.upperBound)
        case let range as PartialRangeUpTo<Int>: bounds = (0, range.upperBound &- 1)
        default: return expression.relative(to: self)
        }
        guard bounds.lower >= 0, bounds.lower <= count, bounds.upper < count,
            bounds.lower <= bounds.upper + 1
        else {
            outOfBounds(bounds.lower < 0 || bounds.lower > count ? bounds.lower : bounds.upper, count)
            return nil
        }
        return bounds.lower..<(bounds.upper + 1)
    }

    /// Moves an element so that it ends at another index.
    public func move(from: Int, to: Int) {
        guard isIndex(from), isIndex(to), from != to else { return }
        let element = self[from]
        replace(from..<(from + 1), with: [])
        replace(to..<to, with: [element])
    }

    /// Exchanges two elements.
    public func swapAt(_ index1: Int, _ index2: Int) {
        guard isIndex(index1), isIndex(index2), index1 != index2 else { return }
        let first = self[index1]
        let second = self[index2]
        replace(index1..<(index1 + 1), with: [second])
        replace(index2..<(index2 + 1), with: [first])
    }

    /// Removes the elements at some offsets.
    public func remove(atOffsets offsets: IndexSet) {
        guard areIndexes(offsets) else { return }
        for range in offsets.rangeView.reversed() { replace(range, with: []) }
    }

    /// Moves the elements at some offsets, in their order, before an offset of the list as it was.
    public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
        let count = self.count
        guard areIndexes(offsets) else { return }
        guard destination >= 0, destination <= count else {
            outOfBounds(destination, count)
            return
        }
        let moved = offsets.map { self[$0] }
        let before = offsets.count(in: 0..<destination)
        remove(atOffsets: offsets)
        replace((destination - before)..<(destination - before), with: moved)
    }

    /// Sets a property of every object; of "self", every element.
    public func setValue(_ value: Any?, forKey key: String) {
        guard key == "self" else {
            for element in self { Element._object(element)?.setValue(value, forKey: key) }
            return
        }
        guard let element = Element._fromAnyElement(AnyValue.unwrapped(value), .plain) else {
            Misuse.report(
                RealmError(.invalidValue, "Invalid value for the elements of \(words)."), session)
            return
        }
        let count = self.count
        replace(0..<count, with: Array(repeating: element, count: count))
    }

    /// The elements become those of a sequence.
    func assign(_ elements: [Element]) { replace(0..<count, with: elements) }
}
