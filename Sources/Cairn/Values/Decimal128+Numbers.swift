internal import CDecimal
public import Foundation

extension Decimal128 {
    /// The number that a value stands for: an integer of any size, a `Float` or `Double` (see
    /// ``init(floatLiteral:)``), an `NSNumber`, a `Decimal`, a `Decimal128`, or a `String`, of which NaN
    /// is made if it says no number. `NSNull` is NaN too.
    ///
    /// Any other type is a mistake of the program and traps.
    public init(value: Any) {
        guard let converted = Decimal128(converting: value) else {
            preconditionFailure("A value of type \(type(of: value)) cannot be made a Decimal128.")
        }
        self = converted
    }

    /// The number that an `NSNumber` holds: its integer, or the shortest decimal of its floating-point
    /// number (see ``init(floatLiteral:)``).
    public init(number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self.init(decimal.decimalValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"): self.init(floatLiteral: number.doubleValue)
        case UInt8(ascii: "f"): self.init(shortestOf: number.floatValue)
        case UInt8(ascii: "Q"): self.init(integer: number.uint64Value)
        default: self.init(integer: number.int64Value)
        }
    }

    /// The number that a value stands for, as in ``init(value:)``; nil where its type stands for none.
    package init?(converting value: Any) {
        switch value {
        case let decimal as Decimal128: self = decimal
        case let text as String: self = Decimal128(parsing: text) ?? .notANumber
        // Before Double, which it would be cast to: a Float in it would come with the digits of a Double.
        case let number as NSNumber: self.init(number: number)
        case let double as Double: self.init(floatLiteral: double)
        case let float as Float: self.init(shortestOf: float)
        case let integer as any BinaryInteger: self.init(integer: integer)
        case let decimal as Decimal: self.init(decimal)
        case let bool as Bool: self.init(integer: bool ? 1 : 0)
        case is NSNull: self = .notANumber
        default: return nil
        }
    }

    /// The integer, or nil where it has more digits than fit. Those of 64 bits all fit.
    public init?<T: BinaryInteger>(exactly source: T) {
        self.init(integer: source)
        let magnitude = UInt128(exactly: source.magnitude)
        // One with more digits came out rounded, if it did not happen to end in zeros.
        guard magnitude.map({ $0 > Self.greatestDigits }) ?? true else { return }
        guard String(source.magnitude).dropFirst(34).allSatisfy({ $0 == "0" }) else { return nil }
    }

    private init(integer: some BinaryInteger) {
        if let magnitude = UInt128(exactly: integer.magnitude), magnitude <= Self.greatestDigits {
            self.init(isNegative: integer < 0, digits: magnitude, exponent: 0)
        } else {
            self = Decimal128(parsing: String(integer)) ?? .notANumber
        }
    }

    // Of all decimals that are nearest to it and no other Float, the shortest: what Swift prints.
    private init(shortestOf value: some BinaryFloatingPoint & CustomStringConvertible) {
        var text = Substring(value.description)
        // An integer says so by ".0", which would count as a digit.
        if text.hasSuffix(".0") { text.removeLast(2) }
        self = Decimal128(parsing: String(text)) ?? .notANumber
    }

    private init(_ decimal: Decimal) {
        self = Decimal128(parsing: decimal.description) ?? .notANumber
    }
}

extension Decimal128: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// The integer.
    public init(integerLiteral value: Int64) {
        self.init(integer: value)
    }

    /// The shortest decimal that is nearest to this `Double` and to no other: 0.1 is a tenth, though no
    /// `Double` is.
    ///
    /// Swift hands literals with a point over as a `Double`, of which 15 to 17 digits are left. Use a
    /// string literal for more: `"0.1234567890123456789"`.
    public init(floatLiteral value: Double) {
        self.init(shortestOf: value)
    }
}

extension Decimal128 {
    /// The nearest `Double`: an infinity where that is out of its range.
    public var doubleValue: Double { cairn_decimal_to_double(number) }

    /// The number as Foundation has it, which knows exponents from −128 to 127 and keeps no zeros at the
    /// end: NaN where it is too large for that (infinities are), rounded where it is too small.
    public var decimalValue: Decimal {
        guard !isNaN, !isInfinite else { return .nan }
        var (digits, exponent) = parts
        if digits == 0 { return 0 }
        if exponent < Self.foundationExponents.lowerBound {
            let pattern = Decimal128(
                isNegative: false, digits: 1, exponent: Self.foundationExponents.lowerBound)
            (digits, exponent) = Decimal128(cairn_decimal_quantize(number, pattern.number)).parts
        }
        guard digits != 0 else { return 0 }
        guard exponent <= Self.foundationExponents.upperBound else { return .nan }
        return Decimal(
            sign: isNegative ? .minus : .plus, exponent: exponent, significand: Self.significand(digits))
    }

    private static let foundationExponents = -128...127

    private static func significand(_ digits: UInt128) -> Decimal {
        let shift: UInt128 = 10_000_000_000_000_000_000
        let (high, low) = digits.quotientAndRemainder(dividingBy: shift)
        return Decimal(UInt64(high)) * Decimal(UInt64(shift)) + Decimal(UInt64(low))
    }
}
