public import Foundation

/// The bits of the seconds since 2001-01-01: dates that are equal stay equal, whatever they are.
extension Date: _StoredValue, _PersistableInsideOptional, _Indexable {
    public typealias PersistedType = Date

    public static var _shape: _PropertyShape { _PropertyShape(.date) }

    /// The moment of the first read, or of the object's adding.
    @inlinable @inline(__always)
    public static func _makeDefault() -> Date { Date() }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> Date {
        Date(timeIntervalSinceReferenceDate: cell.fixed(Double.self))
    }

    @inlinable
    public static func _store(_ value: Date, _ place: _Place) {
        place.store(value.timeIntervalSinceReferenceDate)
    }

    public static func _toAny(_ value: Date) -> Any? { value }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Date? { any as? Date }

    public static func _withBytes<Result>(
        _ value: Date, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        withUnsafeBytes(of: value.timeIntervalSinceReferenceDate) { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Date {
        Date(timeIntervalSinceReferenceDate: bytes?.loadUnaligned(as: Double.self) ?? 0)
    }
}

extension UUID: _StoredValue, _PersistableInsideOptional, _Indexable, _PrimaryKey {
    public typealias PersistedType = UUID

    public static var _shape: _PropertyShape { _PropertyShape(.UUID) }

    /// A random one.
    public static func _makeDefault() -> UUID { UUID() }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> UUID { UUID(uuid: cell.fixed(uuid_t.self)) }

    @inlinable
    public static func _store(_ value: UUID, _ place: _Place) {
        withUnsafeBytes(of: value.uuid) { place.storeFixed($0) }
    }

    public static func _toAny(_ value: UUID) -> Any? { value }

    /// A UUID, or the text of one.
    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> UUID? {
        any as? UUID ?? (any as? String).flatMap { UUID(uuidString: $0) }
    }

    public static func _withBytes<Result>(
        _ value: UUID, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        withUnsafeBytes(of: value.uuid) { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> UUID {
        guard let bytes else { return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}

extension ObjectId: _StoredValue, _PersistableInsideOptional, _Indexable, _PrimaryKey {
    public typealias PersistedType = ObjectId

    public static var _shape: _PropertyShape { _PropertyShape(.objectId) }

    /// A new one.
    public static func _makeDefault() -> ObjectId { ObjectId.generate() }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> ObjectId { cell.fixed(ObjectId.self) }

    @inlinable
    public static func _store(_ value: ObjectId, _ place: _Place) {
        withUnsafeBytes(of: value) { place.storeFixed($0) }
    }

    public static func _toAny(_ value: ObjectId) -> Any? { value }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> ObjectId? { any as? ObjectId }

    public static func _withBytes<Result>(
        _ value: ObjectId, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        withUnsafeBytes(of: value) { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> ObjectId {
        bytes?.loadUnaligned(as: ObjectId.self) ?? ObjectId()
    }
}
