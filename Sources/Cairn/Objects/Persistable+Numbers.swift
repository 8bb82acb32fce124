internal import Foundation

// Integers: 64 bits in the file, whatever the property's width. A stored value that does not fit a
// narrower property, which another program may have written, reads clamped and is logged.

/// The integer types that properties may have.
public protocol _PersistableInteger: _StoredValue, _PersistableInsideOptional, _Indexable, _PrimaryKey,
    FixedWidthInteger
{}

extension _PersistableInteger {
    public static var _shape: _PropertyShape { _PropertyShape(.int) }

    @inlinable @inline(__always)
    public static func _makeDefault() -> Self { 0 }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> Self {
        let stored = cell.fixed(Int64.self)
        let value = Self(truncatingIfNeeded: stored)
        return Self.bitWidth == 64 || Int64(truncatingIfNeeded: value) == stored
            ? value : Self(clamping: StoredValueFit.misfit(stored, cell))
    }

    @inlinable
    public static func _store(_ value: Self, _ place: _Place) {
        place.store(Int64(truncatingIfNeeded: value))
    }

    public static func _toAny(_ value: Self) -> Any? { value }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Self? {
        if let any, let integer = AnyNumber.int(any) { return Self(exactly: integer) }
        return AnyNumber(any)?.integer.flatMap { Self(exactly: $0) }
    }

    public static func _withBytes<Result>(
        _ value: Self, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        withUnsafeBytes(of: Int64(truncatingIfNeeded: value)) { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Self {
        Self(clamping: bytes?.loadUnaligned(as: Int64.self) ?? 0)
    }
}

extension Int: _PersistableInteger { public typealias PersistedType = Int }
extension Int8: _PersistableInteger { public typealias PersistedType = Int8 }
extension Int16: _PersistableInteger { public typealias PersistedType = Int16 }
extension Int32: _PersistableInteger { public typealias PersistedType = Int32 }
extension Int64: _PersistableInteger { public typealias PersistedType = Int64 }

extension Bool: _StoredValue, _PersistableInsideOptional, _Indexable {
    public typealias PersistedType = Bool

    public static var _shape: _PropertyShape { _PropertyShape(.bool) }

    @inlinable @inline(__always)
    public static func _makeDefault() -> Bool { false }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> Bool { cell.bit }

    @inlinable
    public static func _store(_ value: Bool, _ place: _Place) { place.store(value) }

    public static func _toAny(_ value: Bool) -> Any? { value }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Bool? {
        if let bool = any as? Bool { return bool }
        guard let number = AnyNumber(any)?.integer, number == 0 || number == 1 else { return nil }
        return number == 1
    }

    public static func _withBytes<Result>(
        _ value: Bool, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        withUnsafeBytes(of: UInt8(value ? 1 : 0)) { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Bool { bytes?.first ?? 0 != 0 }
}

extension Double: _StoredValue, _PersistableInsideOptional {
    public typealias PersistedType = Double

    public static var _shape: _PropertyShape { _PropertyShape(.double) }

    @inlinable @inline(__always)
    public static func _makeDefault() -> Double { 0 }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> Double { cell.fixed(Double.self) }

    @inlinable
    public static func _store(_ value: Double, _ place: _Place) { place.store(value) }

    public static func _toAny(_ value: Double) -> Any? { value }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Double? {
        AnyNumber(any)?.double
    }

    public static func _withBytes<Result>(
        _ value: Double, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        withUnsafeBytes(of: value) { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Double {
        bytes?.loadUnaligned(as: Double.self) ?? 0
    }
}

extension Float: _StoredValue, _PersistableInsideOptional {
    public typealias PersistedType = Float

    public static var _shape: _PropertyShape { _PropertyShape(.float) }

    @inlinable @inline(__always)
    public static func _makeDefault() -> Float { 0 }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> Float { cell.fixed(Float.self) }

    @inlinable
    public static func _store(_ value: Float, _ place: _Place) { place.store(value) }

    public static func _toAny(_ value: Float) -> Any? { value }

    /// A number that a Float can hold: a finite one must not become infinite.
    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Float? {
        guard let double = AnyNumber(any)?.double else { return nil }
        let float = Float(double)
        return double.isFinite && !float.isFinite ? nil : float
    }

    public static func _withBytes<Result>(
        _ value: Float, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        withUnsafeBytes(of: value) { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Float {
        bytes?.loadUnaligned(as: Float.self) ?? 0
    }
}

extension Decimal128: _StoredValue, _PersistableInsideOptional {
    public typealias PersistedType = Decimal128

    public static var _shape: _PropertyShape { _PropertyShape(.decimal128) }

    @inlinable @inline(__always)
    public static func _makeDefault() -> Decimal128 { Decimal128() }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> Decimal128 { cell.fixed(Decimal128.self) }

    @inlinable
    public static func _store(_ value: Decimal128, _ place: _Place) {
        withUnsafeBytes(of: value) { place.storeFixed($0) }
    }

    public static func _toAny(_ value: Decimal128) -> Any? { value }

    /// A number, or the text of one.
    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Decimal128? {
        if let decimal = any as? Decimal128 { return decimal }
        if let text = any as? String {
            let decimal = Decimal128(value: text)
            return decimal.isNaN && text.lowercased() != "nan" ? nil : decimal
        }
        if let decimal = any as? Decimal { return Decimal128(value: decimal) }
        guard let number = AnyNumber(any) else { return nil }
        return number.integer.map { Decimal128(value: $0) } ?? Decimal128(value: number.double)
    }

    public static func _withBytes<Result>(
        _ value: Decimal128, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        withUnsafeBytes(of: value) { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Decimal128 {
        bytes?.loadUnaligned(as: Decimal128.self) ?? Decimal128()
    }
}
