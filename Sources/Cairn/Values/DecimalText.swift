/// A decimal number's text, taken apart: `[+-]digits[.digits][E[+-]digits]`, or a word.
///
/// Intel's library parses texts too, but takes some that are none, and writes behind its buffer when a
/// text has more than about a hundred digits. So it sees only numbers that have to be rounded, in a
/// short form that is put together here.
struct DecimalText {
    enum Kind { case digits, infinity, notANumber }

    private(set) var kind = Kind.digits
    private(set) var isNegative = false
    /// The digits that count, from the first one that is not zero; at most `digitLimit`, then one for all
    /// the others.
    private(set) var digits: UInt128 = 0
    /// The power of ten that the last of the digits counts.
    private(set) var exponent = 0
    private var digitCount = 0

    // One digit behind the 34 decides about rounding, and the one for the others whether it is a tie.
    private static let digitLimit = 35
    // Beyond every exponent of a number, with room for shifting.
    private static let exponentLimit = 100_000

    /// Nil where the text says no number.
    init?(_ text: String) {
        var text = text
        guard let parsed = text.withUTF8({ DecimalText(bytes: $0) }) else { return nil }
        self = parsed
    }

    /// The digits and the exponent for `cairn_decimal_from_text`, without the sign.
    var textForLibrary: String {
        "\(digits)E\(min(max(exponent, -Self.exponentLimit), Self.exponentLimit))"
    }

    private init?(bytes: UnsafeBufferPointer<UInt8>) {
        var rest = bytes[...]
        isNegative = Self.readSign(&rest)
        if let word = Self.word(rest) {
            kind = word
            return
        }
        guard readDigits(&rest), readExponent(&rest), rest.isEmpty else { return nil }
    }

    /// Whether there is a minus; it is passed over, and so is a plus.
    private static func readSign(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else {
            return false
        }
        rest.removeFirst()
        return sign == UInt8(ascii: "-")
    }

    private static func word(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Kind? {
        guard text.count <= 8, let first = text.first, first > UInt8(ascii: "9") else { return nil }
        switch String(decoding: text, as: UTF8.self).lowercased() {
        case "inf", "infinity": return .infinity
        case "nan", "snan": return .notANumber
        default: return nil
        }
    }

    private mutating func readDigits(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var hasDigit = false
        var isBehindPoint = false
        while let character = rest.first {
            if character == UInt8(ascii: "."), !isBehindPoint {
                isBehindPoint = true
            } else if let digit = Self.digit(character) {
                hasDigit = true
                append(digit, isBehindPoint: isBehindPoint)
            } else {
                break
            }
            rest.removeFirst()
        }
        return hasDigit
    }

    private mutating func append(_ digit: UInt8, isBehindPoint: Bool) {
        if isBehindPoint { exponent -= 1 }
        if digitCount == 0 && digit == 0 { return }
        if digitCount < Self.digitLimit {
            digits = digits * 10 + UInt128(digit)
            digitCount += 1
            return
        }
        exponent += 1
        // A 5 that more follows is not a tie, a 0 that more follows is not exact. With a 1 in their
        // place the library rounds as it would with all of them.
        if digit != 0, digitCount == Self.digitLimit {
            digits = digits * 10 + 1
            digitCount += 1
            exponent -= 1
        }
    }

    private mutating func readExponent(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let mark = rest.first else { return true }
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
        rest.removeFirst()
        let isNegative = Self.readSign(&rest)
        guard !rest.isEmpty else { return false }
        var value = 0
        while let character = rest.first, let digit = Self.digit(character) {
            value = min(value * 10 + Int(digit), Int(Int32.max))
            rest.removeFirst()
        }
        exponent += isNegative ? -value : value
        return true
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        character >= UInt8(ascii: "0") && character <= UInt8(ascii: "9") ? character - UInt8(ascii: "0") : nil
    }
}
