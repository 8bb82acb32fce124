public import Foundation

extension String: _StoredValue, _PersistableInsideOptional, _Indexable, _PrimaryKey {
    public typealias PersistedType = String

    public static var _shape: _PropertyShape { _PropertyShape(.string) }

    @inlinable @inline(__always)
    public static func _makeDefault() -> String { "" }

    @inlinable @inline(__always)
    public static func _read(_ cell: _Cell) -> String { String(decoding: cell.text, as: UTF8.self) }

    @inlinable
    public static func _store(_ value: String, _ place: _Place) {
        var value = value
        value.withUTF8 { place.storeText(UnsafeRawBufferPointer($0)) }
    }

    public static func _toAny(_ value: String) -> Any? { value }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> String? { any as? String }

    public static func _withBytes<Result>(
        _ value: String, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        var value = value
        return value.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> String {
        bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension Data: _StoredValue, _PersistableInsideOptional {
    public typealias PersistedType = Data

    public static var _shape: _PropertyShape { _PropertyShape(.data) }

    @inlinable @inline(__always)
    public static func _makeDefault() -> Data { Data() }

    @inlinable
    public static func _read(_ cell: _Cell) -> Data { Data(cell.text) }

    @inlinable
    public static func _store(_ value: Data, _ place: _Place) {
        value.withUnsafeBytes { place.storeText($0) }
    }

    public static func _toAny(_ value: Data) -> Any? { value }

    public static func _fromAny(_ any: Any?, _ building: _ObjectBuilding) -> Data? { any as? Data }

    public static func _withBytes<Result>(
        _ value: Data, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        value.withUnsafeBytes { body($0) }
    }

    public static func _fromBytes(_ bytes: UnsafeRawBufferPointer?) -> Data {
        bytes.map { Data($0) } ?? Data()
    }
}
