public import CRuntime

/// Marks a property of an `Object` as stored.
///
/// ```swift
/// final class Dog: Object {
///     @Persisted(primaryKey: true) var id: ObjectId
///     @Persisted(indexed: true) var name: String
///     @Persisted var age = 0
///     @Persisted var owner: Person?
///     @Persisted(originProperty: "friends") var friendOf: LinkingObjects<Dog>
/// }
/// ```
///
/// Of an unmanaged object it is a field. Of a managed one, reading it reads the row at the version that
/// the Realm is at, and setting it needs a write.
///
/// - Note: Mark classes `final`: a property of a class that may have subclasses in other modules takes
///   three times as long to read.
@propertyWrapper
@frozen
public struct Persisted<Value: _Persistable> {
    // First, at offset 0: the library sets it by the wrapper's address.
    /// The property's ordinal + 1 while the object is managed; else 0.
    @usableFromInline var property: UInt16 = 0
    /// See `PersistedOptions`.
    @usableFromInline var options: UInt8 = 0
    /// The value of an unmanaged object; nil for a default that was not asked for yet.
    @usableFromInline var stored: Value?

    /// A property with its type's default: zero, empty, nil, now, a new id, an enum's first case.
    @inlinable @inline(__always)
    public init() {}

    /// A property with a default of its own, evaluated when an unmanaged object is made.
    @inlinable @inline(__always)
    public init(wrappedValue: @autoclosure () -> Value) {
        if !cairn_makes_accessor() { stored = wrappedValue() }
    }

    /// A property with an ordered index: for equality, ranges, prefixes and sorting.
    @inlinable @inline(__always)
    public init(indexed: Bool) where Value.PersistedType: _Indexable {
        if indexed { options = PersistedOptions.indexed }
    }

    /// A property with an ordered index and a default of its own.
    @inlinable @inline(__always)
    public init(wrappedValue: @autoclosure () -> Value, indexed: Bool)
    where Value.PersistedType: _Indexable {
        if !cairn_makes_accessor() { stored = wrappedValue() }
        if indexed { options = PersistedOptions.indexed }
    }

    /// The property that tells the objects of the class apart. It cannot be changed once the object is
    /// managed.
    @inlinable @inline(__always)
    public init(primaryKey: Bool) where Value.PersistedType: _PrimaryKey {
        if primaryKey { options = PersistedOptions.primaryKey }
    }

    /// A primary key with a default of its own.
    @inlinable @inline(__always)
    public init(wrappedValue: @autoclosure () -> Value, primaryKey: Bool)
    where Value.PersistedType: _PrimaryKey {
        if !cairn_makes_accessor() { stored = wrappedValue() }
        if primaryKey { options = PersistedOptions.primaryKey }
    }

    /// Only through an object: a wrapper by itself has no value.
    @available(*, unavailable, message: "@Persisted can only be used as a property of an Object subclass")
    public var wrappedValue: Value {
        get { preconditionFailure("a stored property was read without its object") }
        set { preconditionFailure("a stored property was set without its object") }
    }

    @inlinable @inline(__always)
    public static subscript<EnclosingSelf: ObjectBase>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Self>
    ) -> Value {
        @inlinable @inline(__always)
        get {
            let property = object[keyPath: storageKeyPath].property
            if property == 0 {
                if let stored = object[keyPath: storageKeyPath].stored { return stored }
                return makeDefault(&object[keyPath: storageKeyPath])
            }
            if Value._keepsInstance, let kept = object[keyPath: storageKeyPath].stored { return kept }
            return Value._get(object, Int(property) &- 1)
        }
        @inlinable @inline(__always)
        set {
            let property = object[keyPath: storageKeyPath].property
            if property == 0 {
                if Value._keepsInstance {
                    Value._assign(newValue, to: &object[keyPath: storageKeyPath].stored)
                } else {
                    object[keyPath: storageKeyPath].stored = newValue
                }
            } else {
                Value._set(newValue, object, Int(property) &- 1)
            }
        }
    }

    /// The default of the type, made at the first read and kept.
    @usableFromInline @inline(never)
    static func makeDefault(_ wrapper: inout Persisted) -> Value {
        let value = Value._makeDefault()
        wrapper.stored = value
        return value
    }
}

/// The bits of `Persisted.options`.
@usableFromInline @frozen
enum PersistedOptions {
    @inlinable static var indexed: UInt8 { 1 }
    @inlinable static var primaryKey: UInt8 { 2 }
}

/// What discovery recognises a stored property by.
protocol PersistedProperty {
    static var shape: _PropertyShape { get }
    static func makeFunctions() -> _PropertyFunctions
    /// The origin property that a `LinkingObjects` was declared with; nil for other properties.
    static func originProperty(_ wrapper: UnsafeMutableRawPointer) -> String?
}

/// A property that follows links backwards.
protocol OriginNaming {
    var originPropertyName: String? { get }
}

extension Persisted {
    /// Where a wrapper holds its value, in bytes.
    static var storedOffset: Int {
        guard let offset = MemoryLayout<Self>.offset(of: \.stored) else {
            preconditionFailure("the fields of a struct have no offsets")
        }
        return offset
    }
}

extension Persisted: PersistedProperty {
    static var shape: _PropertyShape { Value._shape }
    static func makeFunctions() -> _PropertyFunctions { Value._makeFunctions() }

    static func originProperty(_ wrapper: UnsafeMutableRawPointer) -> String? {
        let persisted = wrapper.assumingMemoryBound(to: Persisted<Value>.self)
        return (persisted.pointee.stored as? any OriginNaming)?.originPropertyName
    }
}
