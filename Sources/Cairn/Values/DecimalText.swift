/// A decimal number's text, taken apart.
///
/// Intel's library parses texts too, but takes some that are none, and writes behind its buffer when a
/// text has more than about a hundred digits. So what it is given is put together here: a sign, few
/// digits, an exponent.
struct DecimalText {
    enum Kind { case digits, infinity, notANumber }

    private(set) var kind = Kind.digits
    private(set) var isNegative = false
    // The digits that count, from the first one that is not zero; at most `digitLimit`, then one for
    // all the others.
    private var digits: [UInt8] = []
    // The power of ten of the last of the digits.
    private var exponent = 0

    // One digit behind the 34 decides about rounding, and the one for the others whether it is a tie.
    private static let digitLimit = 35
    // Beyond every exponent of a number, with room for shifting.
    private static let exponentLimit = 100_000

    /// Nil where the text says no number.
    init?(_ text: String) {
        var rest = Substring(text).utf8
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest.removeFirst()
        }
        if let special = Self.special(rest) {
            kind = special
            return
        }
        guard readDigits(&rest), readExponent(&rest), rest.isEmpty else { return nil }
    }

    /// The digits and the exponent for `cairn_decimal_from_text`, without the sign.
    var digitsForLibrary: String {
        let clamped = min(max(exponent, -Self.exponentLimit), Self.exponentLimit)
        return (digits.isEmpty ? "0" : String(decoding: digits, as: UTF8.self)) + "E\(clamped)"
    }

    private static func special(_ text: Substring.UTF8View) -> Kind? {
        guard text.count <= 8, let first = text.first, first > UInt8(ascii: "9") else { return nil }
        switch Substring(text).lowercased() {
        case "inf", "infinity": return .infinity
        case "nan", "snan": return .notANumber
        default: return nil
        }
    }

    private mutating func readDigits(_ rest: inout Substring.UTF8View) -> Bool {
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
        if digits.isEmpty && digit == 0 { return }
        if digits.count < Self.digitLimit {
            digits.append(UInt8(ascii: "0") + digit)
            return
        }
        exponent += 1
        // A 5 that more follows is not a tie, a 0 that more follows is not exact. With a 1 in their
        // place the library rounds as it would with all of them.
        if digit != 0, digits.count == Self.digitLimit {
            digits.append(UInt8(ascii: "1"))
            exponent -= 1
        }
    }

    private mutating func readExponent(_ rest: inout Substring.UTF8View) -> Bool {
        guard let mark = rest.first else { return true }
        guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return false }
        rest.removeFirst()
        var isNegative = false
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest.removeFirst()
        }
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
