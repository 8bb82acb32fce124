internal import CairnStorage
public import Foundation

/// What a `List` may hold: every type that a property may have, optional or not, and objects.
public protocol RealmCollectionValue: Hashable, _HasPersistedType, SendableMetatype {
    /// What kind of list property it makes.
    static var _elementShape: _PropertyShape { get }
    /// Appends a value's stored bytes. Objects are given as rows by the list, which knows the Realm.
    static func _encode(_ value: Self, into elements: _EncodedElements)
    /// The value of an element's bytes, nil for nil.
    static func _decode(_ bytes: UnsafeRawBufferPointer?, _ source: _ElementSource) -> Self
    /// The value that takes the place of one that cannot be had: zero, empty, a new object.
    static func _makePlaceholder() -> Self
    static func _toAnyElement(_ value: Self) -> Any?
    /// nil where it does not fit.
    static func _fromAnyElement(_ any: Any?, _ building: _ObjectBuilding) -> Self?
    /// The object that a value is; nil for values.
    static func _object(_ value: Self) -> ObjectBase?
}

/// The stored bytes of elements on their way into a list.
public struct _EncodedElements {
    let buffer: ListBuffer
    let session: RealmSession

    func append(_ element: UnsafeRawBufferPointer?) {
        do throws(StorageError) {
            try buffer.append(element)
        } catch {
            session.doom(RealmError(error, file: session.settings.fileURL))
        }
    }
}

/// Where the elements of a list come from.
public struct _ElementSource {
    let session: RealmSession
    /// The class of the elements; nil for values.
    let target: UnsafeMutablePointer<ClassAccess>?
}

extension RealmCollectionValue where Self: _StoredValue {
    public static var _elementShape: _PropertyShape { _shape }

    public static func _encode(_ value: Self, into elements: _EncodedElements) {
        _withBytes(value) { elements.append($0) }
    }

    public static func _decode(_ bytes: UnsafeRawBufferPointer?, _ source: _ElementSource) -> Self {
        _fromBytes(bytes)
    }

    public static func _makePlaceholder() -> Self { _makeDefault() }
    public static func _toAnyElement(_ value: Self) -> Any? { _toAny(value) }

    public static func _fromAnyElement(_ any: Any?, _ building: _ObjectBuilding) -> Self? {
        _fromAny(any, building)
    }

    public static func _object(_ value: Self) -> ObjectBase? { nil }
}

extension RealmCollectionValue where Self: Object {
    public static var _elementShape: _PropertyShape { _PropertyShape(.object, objectType: self) }

    public static func _encode(_ value: Self, into elements: _EncodedElements) {
        withUnsafeBytes(of: value.row) { elements.append($0) }
    }

    public static func _decode(_ bytes: UnsafeRawBufferPointer?, _ source: _ElementSource) -> Self {
        guard let bytes, let target = source.target else { return self.init() }
        return ObjectMaking.make(
            source.session, target, RowKey(bytes.loadUnaligned(as: UInt64.self)), as: Self.self)
    }

    public static func _makePlaceholder() -> Self { self.init() }
    public static func _toAnyElement(_ value: Self) -> Any? { value }

    public static func _fromAnyElement(_ any: Any?, _ building: _ObjectBuilding) -> Self? {
        any.flatMap { ObjectBuilder.linked($0, Self.self, building) }
    }

    public static func _object(_ value: Self) -> ObjectBase? { value }
}

extension Int: RealmCollectionValue {}
extension Int8: RealmCollectionValue {}
extension Int16: RealmCollectionValue {}
extension Int32: RealmCollectionValue {}
extension Int64: RealmCollectionValue {}
extension Bool: RealmCollectionValue {}
extension Float: RealmCollectionValue {}
extension Double: RealmCollectionValue {}
extension String: RealmCollectionValue {}
extension Data: RealmCollectionValue {}
extension Date: RealmCollectionValue {}
extension UUID: RealmCollectionValue {}
extension ObjectId: RealmCollectionValue {}
extension Decimal128: RealmCollectionValue {}
extension Object: RealmCollectionValue {}
extension Optional: RealmCollectionValue
where Wrapped: RealmCollectionValue & _PersistableInsideOptional & _StoredValue {}
