internal import CDecimal

/// A decimal128 number as it is stored, for comparing and adding.
package struct DecimalNumber: Hashable, Sendable {
    package let low: UInt64
    package let high: UInt64

    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The number that a text says; NaN where it says none.
    init(_ text: String) {
        // The library wants at most 40 digits.
        let number = text.utf8.count <= 40 ? cairn_decimal_from_text(text) : cairn_decimal_from_text("NaN")
        self.init(low: number.low, high: number.high)
    }

    init(_ number: Int64) { self.init(String(number)) }

    /// The shortest decimal that is this double: 0.1 is 0.1.
    init(_ number: Double) {
        if number.isInfinite {
            self.init(low: 0, high: number < 0 ? 0xF800_0000_0000_0000 : 0x7800_0000_0000_0000)
        } else if number.isNaN {
            self.init(low: 0, high: 0x7C00_0000_0000_0000)
        } else {
            self.init(number.description)
        }
    }

    /// From the sixteen bytes as they are stored.
    init(_ bytes: UnsafeRawBufferPointer) {
        low = bytes.loadUnaligned(as: UInt64.self)
        high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    package var isNaN: Bool { high & 0x7C00_0000_0000_0000 == 0x7C00_0000_0000_0000 }

    fileprivate var number: cairn_decimal { cairn_decimal(low: low, high: high) }

    /// -1, 0 or 1 by value; NaN is less than everything but itself.
    func compare(_ other: DecimalNumber) -> Int {
        Int(cairn_decimal_compare(number, other.number))
    }

    package static func + (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        let sum = cairn_decimal_add(left.number, right.number)
        return DecimalNumber(low: sum.low, high: sum.high)
    }

    package static func / (left: DecimalNumber, right: DecimalNumber) -> DecimalNumber {
        let quotient = cairn_decimal_divide(left.number, right.number)
        return DecimalNumber(low: quotient.low, high: quotient.high)
    }

    static let zero = DecimalNumber(Int64(0))
}

extension DecimalNumber {
    /// The nearest double.
    package var doubleValue: Double { cairn_decimal_to_double(number) }
}

extension DecimalNumber {
    /// The number that stands for all those that equal it: without zeros at the end of its digits, and the
    /// one zero and the one NaN.
    package var canonical: DecimalNumber {
        let signBit: UInt64 = 1 << 63
        if isNaN { return DecimalNumber(low: 0, high: 0x7C00_0000_0000_0000) }
        if high & 0x7C00_0000_0000_0000 == 0x7800_0000_0000_0000 {
            return DecimalNumber(low: 0, high: high & (signBit | 0x7800_0000_0000_0000))
        }
        // Digits that the standard does not allow count as zero.
        let isLarge = high & 0x6000_0000_0000_0000 == 0x6000_0000_0000_0000
        var digits = isLarge ? 0 : UInt128(high & 0x1_FFFF_FFFF_FFFF) << 64 | UInt128(low)
        if digits > 9_999_999_999_999_999_999_999_999_999_999_999 { digits = 0 }
        guard digits != 0 else { return .zero }
        var exponent = high >> 49 & 0x3FFF
        while exponent < 12_287 {
            let (shorter, last) = digits.quotientAndRemainder(dividingBy: 10)
            guard last == 0 else { break }
            digits = shorter
            exponent += 1
        }
        return DecimalNumber(
            low: UInt64(truncatingIfNeeded: digits),
            high: (high & signBit) | exponent << 49 | UInt64(truncatingIfNeeded: digits >> 64))
    }
}
