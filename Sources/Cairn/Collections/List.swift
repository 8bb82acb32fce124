internal import CairnStorage

/// Values or objects in an order of their own, as the property of an object.
///
/// ```swift
/// final class Day: Object {
///     @Persisted var missions: List<Mission>
///     @Persisted var notes: List<String>
/// }
/// ```
///
/// Of an unmanaged object it keeps its elements itself. Of a managed one it reads and writes the row,
/// and changing it needs a write. A list of a managed object is never copied: assigning one to a property
/// copies the elements.
///
/// - Complexity: reading an element O(1) for values of fixed width in short lists, O(log n) in long ones;
///   inserting and removing O(length of a piece), which is bounded, and O(n) below it.
public final class List<Element: RealmCollectionValue> {
    @usableFromInline
    enum Storage {
        case unmanaged([Element])
        /// The object whose property it is, and the property's ordinal.
        case managed(ObjectBase, Int)
    }

    @usableFromInline var storage: Storage

    /// An empty unmanaged list.
    public init() {
        storage = .unmanaged([])
    }

    /// The list of a managed object.
    init(of owner: ObjectBase, _ property: Int) {
        storage = .managed(owner, property)
    }
}

// MARK: - Reading

extension List: RealmCollection {
    /// A place in a row that is good to read on this thread.
    struct Reading {
        let session: RealmSession
        let access: UnsafeMutablePointer<ClassAccess>
        let row: RowKey
        let position: Int
        let target: UnsafeMutablePointer<ClassAccess>?

        var table: SessionTable { access.table }
        var source: _ElementSource { _ElementSource(session: session, target: target) }
    }

    /// nil for an unmanaged list, and for one that cannot be read, which was reported.
    func reading() -> Reading? {
        guard case .managed(let owner, let property) = storage, let access = owner.readableAccess(property)
        else { return nil }
        return Reading(
            session: access.session, access: access, row: RowKey(owner.row),
            position: access.position(property),
            target: access.pointee.targets[property])
    }

    /// Carries out something that the engine may fail at; nil after a failure, which was noted.
    func noting<Result>(
        _ session: RealmSession, _ body: () throws(StorageError) -> Result
    ) -> Result? {
        session.noting(body)
    }

    /// The number of elements.
    public var count: Int {
        if case .unmanaged(let elements) = storage { return elements.count }
        guard let place = reading() else { return 0 }
        return noting(place.session) { () throws(StorageError) in
            try place.table.listCount(place.row, place.position)
        } ?? 0
    }

    /// An element. Setting one needs a write, of a managed list.
    ///
    /// An index that is out of bounds is misuse; inside a write the type's zero is returned, or a new
    /// object.
    public subscript(position: Int) -> Element {
        get { element(at: position) }
        set { replace(index: position, object: newValue) }
    }

    private func element(at index: Int) -> Element {
        if case .unmanaged(let elements) = storage {
            guard elements.indices.contains(index) else { return outOfBounds(index, elements.count) }
            return elements[index]
        }
        guard let place = reading() else { return Element._makePlaceholder() }
        let count =
            noting(place.session) { () throws(StorageError) in
                try place.table.listCount(place.row, place.position)
            } ?? 0
        guard index >= 0, index < count else { return outOfBounds(index, count) }
        return elements(place, index..<(index + 1)).first ?? Element._makePlaceholder()
    }

    private func elements(_ place: Reading, _ range: Range<Int>) -> [Element] {
        var result: [Element] = []
        result.reserveCapacity(range.count)
        let source = place.source
        _ = noting(place.session) { () throws(StorageError) in
            try place.table.forEachRun(place.row, place.position, in: range) { run, _ throws(StorageError) in
                for index in 0..<run.count { result.append(Element._decode(run.element(at: index), source)) }
            }
        }
        return result
    }

    /// Reports an index that there is no element at.
    @discardableResult
    func outOfBounds(_ index: Int, _ count: Int) -> Element {
        Misuse.report(
            RealmError(.misuse, "Index \(index) is out of bounds (must be less than \(count)) in \(words)."),
            session)
        return Element._makePlaceholder()
    }

    /// The rows of a list of objects.
    func rows(_ place: Reading) -> [RowKey] {
        var rows: [RowKey] = []
        _ = noting(place.session) { () throws(StorageError) in
            try place.table.forEachLink(place.row, place.position) { row throws(StorageError) in
                rows.append(row)
            }
        }
        return rows
    }

    public func makeIterator() -> RLMIterator<Element> {
        if case .unmanaged(let elements) = storage { return RLMIterator(elements) }
        guard let place = reading() else { return RLMIterator([]) }
        guard let target = place.target else {
            let count = self.count
            return RLMIterator(elements(place, 0..<count))
        }
        return RLMIterator(RowCursor(rows(place), of: target, place.session))
    }

    /// The first place of an element, or nil. Objects are found by their row; an unmanaged one is in no
    /// managed list.
    ///
    /// - Complexity: O(n).
    public func index(of element: Element) -> Int? {
        if case .unmanaged(let elements) = storage { return elements.firstIndex(of: element) }
        guard let place = reading() else { return nil }
        if let object = Element._object(element) {
            guard object.isRow(of: place.target, place.session) else { return nil }
            return rows(place).firstIndex(of: RowKey(object.row))
        }
        if !Self.comparesByBytes {
            return elements(place, 0..<count).firstIndex(of: element)
        }
        let buffer = ListBuffer(layout: place.table.listLayout(place.position))
        Element._encode(element, into: _EncodedElements(buffer: buffer, session: place.session))
        return noting(place.session) { () throws(StorageError) in
            try place.table.firstIndex(place.row, place.position, of: buffer)
        } ?? nil
    }
}

extension List {
    /// Whether equal elements have equal bytes: numbers may be equal that do not, such as 1.0 and 1.00.
    private static var comparesByBytes: Bool {
        switch Element._elementShape.type {
        case .float, .double, .decimal128: false
        default: true
        }
    }
}

// MARK: - State

extension List {
    var session: RealmSession? {
        guard case .managed(let owner, _) = storage else { return nil }
        return owner.session
    }

    /// What the list is called in sentences.
    var words: String {
        guard case .managed(let owner, let property) = storage else { return "an unmanaged List" }
        return "the List '\(owner.name(of: property))'"
    }

    public var isInvalidated: Bool {
        guard case .managed(let owner, _) = storage else { return false }
        return !owner.isValid
    }

    public var isFrozen: Bool { session?.isFrozen ?? false }

    public var description: String { text(depth: ObjectDescription.maximumDepth, DescriptionRoom()) }
}

extension List: DescribedCollection {
    func text(depth: Int, _ room: DescriptionRoom) -> String {
        let shape = Element._elementShape
        let element = shape.objectType?.className() ?? "\(shape.type)"
        let identity = "0x" + String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
        return CollectionDescription.text("List<\(element)>", self, identity: identity, depth: depth, room)
    }
}

extension List: Hashable {
    /// Of managed lists whether they are the same property of the same row; of unmanaged ones whether
    /// their elements are equal.
    public static func == (left: List, right: List) -> Bool {
        switch (left.storage, right.storage) {
        case (.unmanaged(let mine), .unmanaged(let others)): mine == others
        case (.managed(let mine, let property), .managed(let other, let otherProperty)):
            mine.isSameRow(as: other) && property == otherProperty
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .unmanaged(let elements): hasher.combine(elements)
        case .managed(let owner, let property):
            hasher.combine(owner.row)
            hasher.combine(property)
        }
    }
}
