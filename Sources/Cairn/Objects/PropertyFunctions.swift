internal import CairnStorage

/// What the library does with a property without knowing its type when it is compiled: closures made
/// where the type is known, so that adding an object runs specialised code for each property.
///
/// `wrapper` is the address of the `Persisted` of the property in its object.
public struct _PropertyFunctions {
    /// The property's type in the program.
    let type: Any.Type
    /// Stores an unmanaged object's value in a row.
    let store: (_ wrapper: UnsafeMutableRawPointer, _ place: _Place) -> Void
    /// Whether the row has an unmanaged object's value already.
    let isStored: (_ wrapper: UnsafeMutableRawPointer, _ place: _Place) -> Bool
    /// A managed object's value.
    let get: (_ object: ObjectBase, _ property: Int) -> Any?
    /// An unmanaged object's value.
    let getUnmanaged: (_ wrapper: UnsafeMutableRawPointer) -> Any?
    /// Sets a managed object's value; false where it does not fit.
    let set: (_ object: ObjectBase, _ property: Int, _ value: Any?, _ building: _ObjectBuilding) -> Bool
    /// Sets an unmanaged object's value; false where it does not fit.
    let setUnmanaged: (_ wrapper: UnsafeMutableRawPointer, _ value: Any?, _ building: _ObjectBuilding) -> Bool
    /// Makes the property that of a managed object, after its value was stored.
    let bind: (_ wrapper: UnsafeMutableRawPointer, _ object: ObjectBase, _ property: Int) -> Void
    /// Whether a value may refer to memory outside of it.
    let holdsMemory: Bool
    /// Where the wrapper holds the reference to an instance that an added object goes on with; nil for
    /// values.
    let instanceOffset: Int?
    /// Calls the body with the objects that an unmanaged object's value leads to; nil for no link.
    var forEachTarget: ((_ wrapper: UnsafeMutableRawPointer, _ body: (ObjectBase) -> Void) -> Void)?
    /// Calls the body with the stored bytes of an unmanaged object's value; nil for what is no key.
    var withKey: ((_ wrapper: UnsafeMutableRawPointer, _ body: (UnsafeRawBufferPointer?) -> Void) -> Void)?
    /// Calls the body with the stored bytes of a value given as `Any`; false where it does not fit.
    var withAnyKey: ((_ value: Any?, _ body: (UnsafeRawBufferPointer?) -> Void) -> Bool)?

    init<Value: _Persistable>(
        of type: Value.Type,
        isStored: @escaping (_ wrapper: UnsafeMutableRawPointer, _ place: _Place) -> Bool = { _, _ in false }
    ) {
        self.type = type
        store = { wrapper, place in Value._store(Self.value(wrapper, Value.self), place) }
        self.isStored = isStored
        get = { object, property in Value._toAny(Value._get(object, property)) }
        getUnmanaged = { wrapper in Value._toAny(Self.value(wrapper, Value.self)) }
        set = { object, property, any, building in
            guard let value = Value._fromAny(any, building) else { return false }
            Value._set(value, object, property)
            return true
        }
        setUnmanaged = { wrapper, any, building in
            guard let value = Value._fromAny(any, building) else { return false }
            Value._assign(value, to: &Self.persisted(wrapper, Value.self).pointee.stored)
            return true
        }
        bind = { wrapper, _, property in
            let persisted = Self.persisted(wrapper, Value.self)
            persisted.pointee.stored = nil
            persisted.pointee.property = UInt16(property + 1)
        }
        holdsMemory = !_isPOD(Value.self)
        instanceOffset = Value._keepsInstance ? Persisted<Value>.storedOffset : nil
    }

    /// Of a type that is stored as one value.
    init<Value: _StoredValue>(ofStored type: Value.Type) {
        self.init(of: type) { wrapper, place in
            Value._withBytes(Self.value(wrapper, Value.self)) { bytes in
                place.table.hasStoredBytes(bytes, place.row, place.position)
            }
        }
        withKey = { wrapper, body in Value._withBytes(Self.value(wrapper, Value.self), body) }
        withAnyKey = { any, body in
            guard let value = Value._fromAny(any, .plain) else { return false }
            Value._withBytes(value, body)
            return true
        }
    }

    /// Of a type with closures of its own.
    init(
        of type: Any.Type, instanceOffset: Int?,
        store: @escaping (UnsafeMutableRawPointer, _Place) -> Void,
        isStored: @escaping (UnsafeMutableRawPointer, _Place) -> Bool,
        get: @escaping (ObjectBase, Int) -> Any?,
        getUnmanaged: @escaping (UnsafeMutableRawPointer) -> Any?,
        set: @escaping (ObjectBase, Int, Any?, _ObjectBuilding) -> Bool,
        setUnmanaged: @escaping (UnsafeMutableRawPointer, Any?, _ObjectBuilding) -> Bool,
        bind: @escaping (UnsafeMutableRawPointer, ObjectBase, Int) -> Void,
        forEachTarget: ((UnsafeMutableRawPointer, (ObjectBase) -> Void) -> Void)?
    ) {
        self.type = type
        self.store = store
        self.isStored = isStored
        self.get = get
        self.getUnmanaged = getUnmanaged
        self.set = set
        self.setUnmanaged = setUnmanaged
        self.bind = bind
        holdsMemory = true
        self.instanceOffset = instanceOffset
        self.forEachTarget = forEachTarget
    }

    /// The wrapper at an address.
    static func persisted<Value: _Persistable>(
        _ wrapper: UnsafeMutableRawPointer, _ type: Value.Type
    ) -> UnsafeMutablePointer<Persisted<Value>> {
        wrapper.assumingMemoryBound(to: Persisted<Value>.self)
    }

    /// An unmanaged object's value; its default where it was not asked for yet, kept from here on.
    static func value<Value: _Persistable>(_ wrapper: UnsafeMutableRawPointer, _ type: Value.Type) -> Value {
        let persisted = persisted(wrapper, type)
        if let stored = persisted.pointee.stored { return stored }
        let value = Value._makeDefault()
        persisted.pointee.stored = value
        return value
    }
}
