internal import CairnStorage

/// A type whose values are stored as another type's: an enum as its raw value, everything else as itself.
public protocol _HasPersistedType {
    associatedtype PersistedType
}

/// A type whose properties may have an index.
public protocol _Indexable {}

/// A type whose properties may be the primary key.
public protocol _PrimaryKey {}

/// The type of a property that can be stored. Not for programs to conform to.
///
/// The functions that read and store are inlined into the program, so that a property costs little
/// more than a field.
public protocol _Persistable: _HasPersistedType {
    /// What kind of property it makes.
    static var _shape: _PropertyShape { get }

    /// The value of a property without a declared default.
    static func _makeDefault() -> Self

    /// The stored value.
    static func _read(_ cell: _Cell) -> Self

    /// The value of a managed object's property.
    static func _get(_ object: ObjectBase, _ property: Int) -> Self

    /// Stores a value in a row that is there, in a write.
    static func _store(_ value: Self, _ place: _Place)

    /// Sets a managed object's property.
    static func _set(_ value: Self, _ object: ObjectBase, _ property: Int)

    /// Sets an unmanaged object's property.
    static func _assign(_ value: Self, to stored: inout Self?)

    /// Whether an added object's property goes on with the instance that it had: collections do.
    static var _keepsInstance: Bool { get }

    /// The value as key-value coding gives it; nil for nil.
    static func _toAny(_ value: Self) -> Any?

    /// The value that key-value coding was given, or nil where it does not fit (rule R9 of Realm's API).
    ///
    /// - Parameter any: nil for nil and `NSNull`.
    static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Self?

    /// What the library does with properties of the type.
    static func _makeFunctions() -> _PropertyFunctions
}

extension _Persistable {
    @inlinable @inline(__always)
    public static func _get(_ object: ObjectBase, _ property: Int) -> Self {
        guard let cell = object.cell(property) else { return _makeDefault() }
        return _read(cell)
    }

    @inlinable
    public static func _set(_ value: Self, _ object: ObjectBase, _ property: Int) {
        guard let place = object.place(property) else { return }
        _store(value, place)
    }

    @inlinable @inline(__always)
    public static func _assign(_ value: Self, to stored: inout Self?) { stored = value }

    @inlinable public static var _keepsInstance: Bool { false }

    public static func _makeFunctions() -> _PropertyFunctions { _PropertyFunctions(of: Self.self) }
}

/// A type that is stored as one value: what lists may hold, and what keys are made of.
public protocol _StoredValue: _Persistable, Hashable {
    /// Calls the body with the stored bytes: those of an index's key, and of a list's element. nil for nil.
    static func _withBytes<Result>(
        _ value: Self, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result

    /// The value of stored bytes; nil for nil.
    static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Self
}

/// A type that may be optional as a property.
public protocol _PersistableInsideOptional: _HasPersistedType {
    static var _shape: _PropertyShape { get }
    /// The stored value, or nil.
    static func _readOptional(_ cell: _Cell) -> Self?
    static func _storeOptional(_ value: Self?, _ place: _Place)
    static func _toAnyOptional(_ value: Self?) -> Any?
    /// What an object without a row gives. Only the objects that key paths are traced with are such: of
    /// them a link leads on to the next.
    static func _withoutRow(_ object: ObjectBase, _ property: Int) -> Self?
    /// The outer nil where it does not fit.
    static func _fromAnyOptional(_ any: Any?, _ building: _ObjectBuilding) -> Self??
    static func _makeOptionalFunctions() -> _PropertyFunctions
}

extension _PersistableInsideOptional {
    @inlinable
    public static func _withoutRow(_ object: ObjectBase, _ property: Int) -> Self? { nil }
}

extension _PersistableInsideOptional where Self: _StoredValue {
    @inlinable @inline(__always)
    public static func _readOptional(_ cell: _Cell) -> Self? {
        cell.isNull ? nil : _read(cell)
    }

    @inlinable
    public static func _storeOptional(_ value: Self?, _ place: _Place) {
        guard let value else { return place.storeNull() }
        _store(value, place)
    }

    public static func _toAnyOptional(_ value: Self?) -> Any? { value.flatMap { _toAny($0) } }

    public static func _fromAnyOptional(_ any: Any?, _ building: _ObjectBuilding) -> Self?? {
        guard let any else { return .some(nil) }
        guard let value = _fromAny(any, building) else { return nil }
        return .some(value)
    }

    public static func _makeOptionalFunctions() -> _PropertyFunctions {
        _PropertyFunctions(ofStored: Self?.self)
    }

    public static func _makeFunctions() -> _PropertyFunctions { _PropertyFunctions(ofStored: Self.self) }
}

/// What kind of property a type makes.
public struct _PropertyShape {
    var type: PropertyType
    var isOptional = false
    var isArray = false
    /// The class linked to, or linking here.
    var objectType: ObjectBase.Type?

    package init(
        _ type: PropertyType, isOptional: Bool = false, isArray: Bool = false,
        objectType: ObjectBase.Type? = nil
    ) {
        self.type = type
        self.isOptional = isOptional
        self.isArray = isArray
        self.objectType = objectType
    }
}

extension Optional: _HasPersistedType where Wrapped: _HasPersistedType {
    public typealias PersistedType = Wrapped.PersistedType?
}

extension Optional: _Indexable where Wrapped: _Indexable {}
extension Optional: _PrimaryKey where Wrapped: _PrimaryKey {}

extension Optional: _Persistable where Wrapped: _PersistableInsideOptional {
    public static var _shape: _PropertyShape {
        var shape = Wrapped._shape
        shape.isOptional = true
        return shape
    }

    @inlinable @inline(__always)
    public static func _makeDefault() -> Wrapped? { nil }

    @inlinable @inline(__always)
    public static func _get(_ object: ObjectBase, _ property: Int) -> Wrapped? {
        guard let cell = object.cell(property) else { return Wrapped._withoutRow(object, property) }
        return Wrapped._readOptional(cell)
    }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> Wrapped? { Wrapped._readOptional(cell) }

    @inlinable
    public static func _store(_ value: Wrapped?, _ place: _Place) { Wrapped._storeOptional(value, place) }

    public static func _toAny(_ value: Wrapped?) -> Any? { Wrapped._toAnyOptional(value) }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Wrapped?? {
        Wrapped._fromAnyOptional(any, building)
    }

    public static func _makeFunctions() -> _PropertyFunctions { Wrapped._makeOptionalFunctions() }
}

extension Optional: _StoredValue where Wrapped: _PersistableInsideOptional & _StoredValue {
    public static func _withBytes<Result>(
        _ value: Wrapped?, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        guard let value else { return body(nil) }
        return Wrapped._withBytes(value, body)
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Wrapped? {
        bytes.map { Wrapped._fromBytes($0) }
    }
}
