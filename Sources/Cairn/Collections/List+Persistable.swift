internal import CairnStorage

extension List: _HasPersistedType {
    public typealias PersistedType = List<Element>
}

/// Lists as properties.
extension List: _Persistable {
    public static var _shape: _PropertyShape {
        var shape = Element._elementShape
        shape.isArray = true
        return shape
    }

    public static func _makeDefault() -> List { List() }

    public static func _read(_ cell: _Cell) -> List { List(of: cell.object, cell.property) }

    /// Copies the elements of another list into the one that is there.
    public static func _store(_ value: List, _ place: _Place) {
        if case .unmanaged(let elements) = value.storage { return store(elements, place) }
        store(Array(value), place)
    }

    public static func _set(_ value: List, _ object: ObjectBase, _ property: Int) {
        let own = List(of: object, property)
        guard value != own else { return }
        own.assign(Array(value))
    }

    public static func _assign(_ value: List, to stored: inout List?) {
        let own = stored ?? List()
        stored = own
        guard own !== value else { return }
        own.assign(Array(value))
    }

    @inlinable public static var _keepsInstance: Bool { true }

    public static func _toAny(_ value: List) -> Any? { value }

    /// Any sequence of what fits the elements; nil for an empty list.
    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> List? {
        guard let any else { return List() }
        guard let values = AnyElements.array(any) else { return nil }
        let list = List()
        var elements: [Element] = []
        for value in values {
            guard let element = Element._fromAnyElement(AnyValue.unwrapped(value), building) else {
                return nil
            }
            elements.append(element)
        }
        list.storage = .unmanaged(elements)
        return list
    }

    public static func _makeFunctions() -> _PropertyFunctions {
        let base = _PropertyFunctions(of: List.self, isStored: isStored)
        var functions = _PropertyFunctions(
            of: List.self, instanceOffset: base.instanceOffset, store: base.store, isStored: base.isStored,
            get: base.get,
            getUnmanaged: base.getUnmanaged,
            set: base.set, setUnmanaged: base.setUnmanaged, bind: bind, forEachTarget: nil)
        if Element.self is ObjectBase.Type {
            functions.forEachTarget = { wrapper, body in
                let list = _PropertyFunctions.value(wrapper, List.self)
                for object in objects(list.unmanagedElements) ?? [] { body(object) }
            }
        }
        return functions
    }

    /// The instance that the object had becomes the managed list, for whoever holds it.
    private static func bind(_ wrapper: UnsafeMutableRawPointer, _ object: ObjectBase, _ property: Int) {
        let persisted = _PropertyFunctions.persisted(wrapper, List.self)
        if let list = persisted.pointee.stored {
            // Not the object itself, which holds the list.
            let anchor = ObjectBase()
            anchor.session = object.session
            anchor.access = object.access
            anchor.row = object.row
            anchor.seenEpoch = object.access.map { $0.pointee.state.pointee.epoch } ?? 0
            list.storage = .managed(anchor, property)
        }
        persisted.pointee.property = UInt16(property + 1)
    }

    private static func isStored(_ wrapper: UnsafeMutableRawPointer, _ place: _Place) -> Bool {
        let elements = _PropertyFunctions.value(wrapper, List.self).unmanagedElements
        do throws(StorageError) {
            if let objects = objects(elements) {
                guard let rows = ObjectAdder.rows(of: objects, place.target, place.session) else {
                    return false
                }
                return try place.table.hasLinks(rows, place.row, place.position)
            }
            return try place.table.hasElements(encoded(elements, place), place.row, place.position)
        } catch {
            return false
        }
    }

    private static func store(_ elements: [Element], _ place: _Place) {
        let table = place.table
        if let objects = objects(elements) {
            guard let rows = ObjectAdder.rows(of: objects, place.target, place.session) else { return }
            place.noting { () throws(StorageError) in
                let count = try table.listCount(place.row, place.position)
                if count == 0, rows.isEmpty { return }
                try table.replaceLinks(place.row, place.position, 0..<count, with: rows)
            }
            return
        }
        let buffer = encoded(elements, place)
        place.noting { () throws(StorageError) in
            let count = try table.listCount(place.row, place.position)
            if count == 0, buffer.count == 0 { return }
            try table.replaceElements(place.row, place.position, 0..<count, with: buffer)
        }
    }

    /// The bytes of values.
    private static func encoded(_ elements: [Element], _ place: _Place) -> ListBuffer {
        let buffer = ListBuffer(layout: place.table.listLayout(place.position))
        let encoded = _EncodedElements(buffer: buffer, session: place.session)
        for element in elements { Element._encode(element, into: encoded) }
        return buffer
    }

    private var unmanagedElements: [Element] {
        guard case .unmanaged(let elements) = storage else { return [] }
        return elements
    }
}

/// Sequences that are known at run time only.
enum AnyElements {
    static func array(_ any: Any) -> [Any?]? {
        if let array = any as? [Any] { return array.map { $0 } }
        guard !(any is String), !(any is [AnyHashable: Any]), let sequence = any as? any Sequence else {
            return nil
        }
        return elements(sequence)
    }

    private static func elements<S: Sequence>(_ sequence: S) -> [Any?] { sequence.map { $0 as Any } }
}
