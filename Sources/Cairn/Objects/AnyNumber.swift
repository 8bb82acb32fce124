internal import Foundation

/// A number of a type that is known at run time only: what `NSNumber` bridging does elsewhere.
struct AnyNumber {
    /// Exact, or nil.
    let integer: Int64?
    let double: Double

    /// An `Int`, by a comparison of types: a cast takes several times as long.
    static func int(_ any: Any) -> Int? {
        // The cast is one from a type to itself.
        func open<T>(_ value: T) -> Int? { T.self == Int.self ? unsafeBitCast(value, to: Int.self) : nil }
        return open(any)
    }

    init?(_ any: Any?) {
        switch any {
        case let value as Int: self.init(value)
        case let value as Int64: self.init(value)
        case let value as Double: self.init(value)
        case let value as Int32: self.init(value)
        case let value as Int16: self.init(value)
        case let value as Int8: self.init(value)
        case let value as Float: self.init(Double(value))
        case let value as UInt: self.init(value)
        case let value as UInt64: self.init(value)
        case let value as UInt32: self.init(value)
        case let value as UInt16: self.init(value)
        case let value as UInt8: self.init(value)
        case let value as NSNumber: self.init(value)
        default: return nil
        }
    }

    private init<T: FixedWidthInteger>(_ value: T) {
        integer = Int64(exactly: value)
        double = Double(value)
    }

    private init(_ value: Double) {
        integer = Int64(exactly: value)
        double = value
    }

    private init(_ number: NSNumber) {
        // Whether it was made of a floating-point number.
        let type = UInt8(bitPattern: number.objCType.pointee)
        if type == UInt8(ascii: "d") || type == UInt8(ascii: "f") {
            self.init(number.doubleValue)
        } else if type == UInt8(ascii: "Q") {
            self.init(number.uint64Value)
        } else {
            self.init(number.int64Value)
        }
    }
}
