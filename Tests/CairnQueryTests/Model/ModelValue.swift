import CairnPredicate
import CairnStorage

/// A value of a row, in the terms of Swift.
enum ModelValue: Hashable {
    case null
    case bool(Bool)
    case int(Int64)
    case float(Float)
    case double(Double)
    case date(Double)
    /// UTF-8.
    case string([UInt8])
    case binary([UInt8])
    case objectId([UInt8])
    case uuid([UInt8])
    case decimal(ModelDecimal)
    /// The row key of the object that a link leads to.
    case object(UInt64)

    static func text(_ text: String) -> ModelValue { .string(Array(text.utf8)) }

    /// As the engine stores it; nil for null.
    var storedBytes: [UInt8]? {
        switch self {
        case .null: nil
        case .bool(let value): [value ? 1 : 0]
        case .int(let value): Self.bytes(value)
        case .float(let value): Self.bytes(value)
        case .double(let value), .date(let value): Self.bytes(value)
        case .string(let bytes), .binary(let bytes), .objectId(let bytes), .uuid(let bytes): bytes
        case .decimal(let value): Self.bytes(value.words.low) + Self.bytes(value.words.high)
        case .object(let row): Self.bytes(row)
        }
    }

    private static func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
        withUnsafeBytes(of: value) { Array($0) }
    }

    /// As an argument of a predicate.
    var literal: Literal {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .date(let value): .date(value)
        case .string(let bytes): .string(String(decoding: bytes, as: UTF8.self))
        case .binary(let bytes): .bytes(bytes)
        case .objectId(let bytes):
            .objectID(high: Self.number(bytes[0..<8]), low: UInt32(Self.number(bytes[8..<12])))
        case .uuid(let bytes): .uuid(high: Self.number(bytes[0..<8]), low: Self.number(bytes[8..<16]))
        case .decimal(let value): .decimal(high: value.words.high, low: value.words.low)
        case .object(let row): .object(row)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(of number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (count - 1 - $0))) }
    }

    /// From an argument of a predicate. Arrays have no value.
    init(_ literal: Literal) {
        switch literal {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .date(let value): self = .date(value)
        case .string(let text): self = .text(text)
        case .bytes(let bytes): self = .binary(bytes)
        case .objectID(let high, let low):
            self = .objectId(Self.bytes(of: high, 8) + Self.bytes(of: UInt64(low), 4))
        case .uuid(let high, let low): self = .uuid(Self.bytes(of: high, 8) + Self.bytes(of: low, 8))
        case .decimal(let high, let low): self = .decimal(ModelDecimal(low: low, high: high))
        case .object(let row): self = .object(row)
        case .array: preconditionFailure("an array is no value")
        }
    }
}
