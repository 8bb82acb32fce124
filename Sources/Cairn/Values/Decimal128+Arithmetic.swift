internal import CDecimal

extension Decimal128: SignedNumeric, Strideable {
    /// What ``magnitude`` is.
    public typealias Magnitude = Decimal128
    /// What ``distance(to:)`` is.
    public typealias Stride = Decimal128

    /// The number without its sign, with all its digits.
    public var magnitude: Decimal128 { Decimal128(low: low, high: high & ~Self.signBit) }

    /// Changes the sign, and no digit.
    public mutating func negate() { high ^= Self.signBit }

    /// The sum, rounded to 34 digits.
    public static func + (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        Decimal128(cairn_decimal_add(lhs.number, rhs.number))
    }

    /// The difference, rounded to 34 digits.
    public static func - (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        Decimal128(cairn_decimal_subtract(lhs.number, rhs.number))
    }

    /// The product, rounded to 34 digits.
    public static func * (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        Decimal128(cairn_decimal_multiply(lhs.number, rhs.number))
    }

    /// The quotient, rounded to 34 digits. By zero it is an infinity, and NaN for zero by zero.
    public static func / (lhs: Decimal128, rhs: Decimal128) -> Decimal128 {
        Decimal128(cairn_decimal_divide(lhs.number, rhs.number))
    }

    /// Adds to the number.
    public static func += (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs + rhs }

    /// Subtracts from the number.
    public static func -= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs - rhs }

    /// Multiplies the number.
    public static func *= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs * rhs }

    /// Divides the number.
    public static func /= (lhs: inout Decimal128, rhs: Decimal128) { lhs = lhs / rhs }

    /// `other - self`.
    public func distance(to other: Decimal128) -> Decimal128 { other - self }

    /// `self + n`.
    public func advanced(by n: Decimal128) -> Decimal128 { self + n }
}
