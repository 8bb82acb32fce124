/// An enum that can be stored: as its raw value, an integer, a floating-point number or a string.
///
/// ```swift
/// enum Mood: Int, PersistableEnum { case good, bad }
/// ```
///
/// A stored raw value that no case has reads as the first case, or as nil where the property is
/// optional, and is logged once.
public protocol PersistableEnum: RawRepresentable, CaseIterable, Comparable, _StoredValue,
    RealmCollectionValue,
    _PersistableInsideOptional
where RawValue: _StoredValue & Comparable, PersistedType == RawValue {}

extension PersistableEnum {
    /// The first case.
    @inlinable
    public init() { self = Self.firstCase }

    /// By raw value.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    @inlinable static var firstCase: Self {
        guard let first = Self.allCases.first else {
            preconditionFailure("the enum \(Self.self) has no cases, so it can have no value")
        }
        return first
    }

    public static var _shape: _PropertyShape { RawValue._shape }

    @inlinable
    public static func _makeDefault() -> Self { firstCase }

    @inlinable
    public static func _read(_ cell: _Cell) -> Self {
        if let value = Self(rawValue: RawValue._read(cell)) { return value }
        EnumFit.noteUnknown(cell)
        return firstCase
    }

    @inlinable
    public static func _readOptional(_ cell: _Cell) -> Self? {
        if cell.isNull { return nil }
        if let value = Self(rawValue: RawValue._read(cell)) { return value }
        EnumFit.noteUnknown(cell)
        return nil
    }

    @inlinable
    public static func _store(_ value: Self, _ place: _Place) { RawValue._store(value.rawValue, place) }

    @inlinable
    public static func _storeOptional(_ value: Self?, _ place: _Place) {
        guard let value else { return place.storeNull() }
        RawValue._store(value.rawValue, place)
    }

    /// The raw value, as in Realm.
    public static func _toAny(_ value: Self) -> Any? { RawValue._toAny(value.rawValue) }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Self? {
        any as? Self ?? RawValue._fromAny(any, building).flatMap { Self(rawValue: $0) }
    }

    public static func _withBytes<Result>(
        _ value: Self, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        RawValue._withBytes(value.rawValue, body)
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Self {
        Self(rawValue: RawValue._fromBytes(bytes)) ?? firstCase
    }
}

@usableFromInline
enum EnumFit {
    @usableFromInline @inline(never)
    static func noteUnknown(_ cell: _Cell) { StoredValueFit.noteUnknownRawValue(cell) }
}
