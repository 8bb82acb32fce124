internal import CairnPredicate
internal import Foundation

/// A type whose values are literals of a predicate.
///
/// It is what values are told apart by: a cast such as `as? Int` also finds the number inside of an
/// `NSNumber`, and finds a `Bool` there too.
protocol LiteralConvertible {
    /// nil where the value is beyond what can be stored.
    var literal: Literal? { get }
}

extension LiteralConvertible where Self: FixedWidthInteger {
    var literal: Literal? { Int64(exactly: self).map { .int($0) } }
}

extension Int: LiteralConvertible {}
extension Int8: LiteralConvertible {}
extension Int16: LiteralConvertible {}
extension Int32: LiteralConvertible {}
extension Int64: LiteralConvertible {}
extension UInt: LiteralConvertible {}
extension UInt8: LiteralConvertible {}
extension UInt16: LiteralConvertible {}
extension UInt32: LiteralConvertible {}
extension UInt64: LiteralConvertible {}

extension Bool: LiteralConvertible {
    var literal: Literal? { .bool(self) }
}

extension Float: LiteralConvertible {
    var literal: Literal? { .float(self) }
}

extension Double: LiteralConvertible {
    var literal: Literal? { .double(self) }
}

extension CGFloat: LiteralConvertible {
    var literal: Literal? { .double(Double(self)) }
}

extension String: LiteralConvertible {
    var literal: Literal? { .string(self) }
}

extension Substring: LiteralConvertible {
    var literal: Literal? { .string(String(self)) }
}

extension Data: LiteralConvertible {
    var literal: Literal? { .bytes([UInt8](self)) }
}

extension Date: LiteralConvertible {
    /// Seconds since 2001, as they are stored.
    var literal: Literal? { .date(timeIntervalSinceReferenceDate) }
}

extension UUID: LiteralConvertible {
    var literal: Literal? {
        withUnsafeBytes(of: uuid) { bytes in
            .uuid(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }
}

extension ObjectId: LiteralConvertible {
    var literal: Literal? {
        withUnsafeBytes(of: self) { bytes in
            .objectID(
                high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
        }
    }
}

extension Decimal128: LiteralConvertible {
    var literal: Literal? { .decimal(high: words.high, low: words.low) }
}

extension Decimal: LiteralConvertible {
    var literal: Literal? { Decimal128(value: self).literal }
}

extension Optional: LiteralConvertible where Wrapped: LiteralConvertible {
    var literal: Literal? {
        guard let self else { return .null }
        return self.literal
    }
}

// What code from Apple's systems has instead.

extension NSNull: LiteralConvertible {
    var literal: Literal? { .null }
}

extension NSNumber: LiteralConvertible {
    /// Of the kind that the number was made of.
    var literal: Literal? {
        if let decimal = self as? NSDecimalNumber { return decimal.decimalValue.literal }
        // Foundation gives a Bool the type of a C char; no integer gets it, also none of 8 bits.
        return switch UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): boolValue.literal
        case UInt8(ascii: "f"): floatValue.literal
        case UInt8(ascii: "d"): doubleValue.literal
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): uint64Value.literal
        default: int64Value.literal
        }
    }
}

extension NSString: LiteralConvertible {
    var literal: Literal? { .string(String(self)) }
}

extension NSDate: LiteralConvertible {
    var literal: Literal? { .date(timeIntervalSinceReferenceDate) }
}

extension NSData: LiteralConvertible {
    var literal: Literal? { Data(referencing: self).literal }
}

extension NSUUID: LiteralConvertible {
    var literal: Literal? { UUID(uuidString: uuidString)?.literal }
}

// A cast an array, and not one an element: an array for IN may have many.

/// A sequence whose elements are of one such type.
protocol LiteralSequence {
    /// The literals of the elements, up to the first that there is none for.
    func literals() -> [Literal]
    var elementCount: Int { get }
}

extension LiteralSequence where Self: Collection, Element: LiteralConvertible {
    func literals() -> [Literal] {
        var result: [Literal] = []
        result.reserveCapacity(count)
        for element in self {
            guard let literal = element.literal else { break }
            result.append(literal)
        }
        return result
    }

    var elementCount: Int { count }
}

extension Array: LiteralSequence where Element: LiteralConvertible {}
extension Set: LiteralSequence where Element: LiteralConvertible {}
extension List: LiteralSequence where Element: LiteralConvertible {}
