internal import CDecimal

/// A decimal number of 34 digits, as IEEE 754-2008 has it: the type for money and for whatever people
/// write down in digits.
///
/// A number is a sign, an integer of up to 34 digits and an exponent of ten, from −6176 to 6111; also
/// ±infinity and NaN ("not a number"). `0.1 + 0.2` is `0.3`, exactly. A result that takes more digits is
/// rounded to the nearest, ties to the even digit. The arithmetic is Intel's decimal library's.
///
/// A number remembers how many digits it was written with, and still equals the others of its value:
///
///     let price: Decimal128 = "1.10"
///     price.stringValue == "1.10"
///     price == "1.1"
///     (price + "2.05").stringValue == "3.15"
///
/// Unlike RealmSwift's class of this name it is a struct: calculating with it allocates nothing, and
/// ``negate()`` needs a `var`.
@frozen
public struct Decimal128: Sendable, BitwiseCopyable {
    // The sixteen bytes as stored, the low word first.
    @usableFromInline var low: UInt64
    @usableFromInline var high: UInt64

    /// Zero.
    @inlinable
    public init() {
        self.init(low: 0, high: 0x3040_0000_0000_0000)
    }

    /// The number of two words in the binary encoding of the standard. Every pair of words is one.
    @inlinable
    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    init(_ number: cairn_decimal) {
        self.init(low: number.low, high: number.high)
    }

    var number: cairn_decimal { cairn_decimal(low: low, high: high) }

    /// The two words in the binary encoding of the standard, as stored.
    @inlinable
    package var words: (low: UInt64, high: UInt64) { (low, high) }
}

extension Decimal128 {
    /// The least finite number: −9.999…E6144, with 34 nines.
    public static var min: Decimal128 { -max }

    /// The greatest finite number: 9.999…E6144, with 34 nines.
    public static var max: Decimal128 {
        Decimal128(isNegative: false, digits: greatestDigits, exponent: greatestExponent)
    }

    /// What is no number: zero divided by zero, or text that does not say one.
    static var notANumber: Decimal128 { Decimal128(low: 0, high: 0x7C00_0000_0000_0000) }

    /// Whether it is no number.
    public var isNaN: Bool { high & 0x7C00_0000_0000_0000 == 0x7C00_0000_0000_0000 }

    /// The same as ``isNaN``, as in Realm, which does not tell the two kinds of NaN apart.
    public var isSignaling: Bool { isNaN }

    /// The same as ``isNaN``, as in Realm, which does not tell the two kinds of NaN apart.
    public var isSignalingNaN: Bool { isNaN }

    var isInfinite: Bool { high & 0x7C00_0000_0000_0000 == 0x7800_0000_0000_0000 }

    var isNegative: Bool { high & Self.signBit != 0 }
}

extension Decimal128 {
    // The high word, from its first bit:
    //
    //     sign 1 | exponent + 6176, 14 | high part of the digits, 49
    //
    // The exponent's first two bits are never both set; where they are, it is an infinity, a NaN, or a
    // number whose digits are more than the standard allows, which counts as zero.
    static let signBit: UInt64 = 1 << 63
    static let exponentBias = 6176
    static let exponents = -6176...6111
    static var greatestExponent: Int { exponents.upperBound }
    /// 34 nines.
    static let greatestDigits: UInt128 = 9_999_999_999_999_999_999_999_999_999_999_999

    /// The number ±digits × 10^exponent, which must fit.
    init(isNegative: Bool, digits: UInt128, exponent: Int) {
        precondition(digits <= Self.greatestDigits && Self.exponents.contains(exponent))
        let biased = UInt64(exponent + Self.exponentBias)
        self.init(
            low: UInt64(truncatingIfNeeded: digits),
            high: (isNegative ? Self.signBit : 0) | biased << 49 | UInt64(truncatingIfNeeded: digits >> 64))
    }

    /// The digits as an integer, and the power of ten that they count. Only for finite numbers.
    var parts: (digits: UInt128, exponent: Int) {
        if high & 0x6000_0000_0000_0000 == 0x6000_0000_0000_0000 {
            return (0, Int(high >> 47 & 0x3FFF) - Self.exponentBias)
        }
        let digits = UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        let exponent = Int(high >> 49 & 0x3FFF) - Self.exponentBias
        return (digits <= Self.greatestDigits ? digits : 0, exponent)
    }
}
