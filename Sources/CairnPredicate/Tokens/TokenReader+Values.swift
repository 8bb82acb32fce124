// Strings and numbers.
extension TokenReader {
    /// Reads a string in single or double quotes.
    mutating func string() throws(ParsingError) -> Token {
        let start = position
        let quote = bytes[start]
        var decoded: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            if byte == quote {
                position += 1
                return Token(.string(String(decoding: decoded, as: UTF8.self)), start..<position)
            }
            decoded.append(byte == UInt8(ascii: "\\") ? try escape() : byte)
            position += 1
        }
        throw ParsingError(.unterminatedString, start..<bytes.count)
    }

    /// What a backslash and the byte after it stand for. Ends on that byte.
    private mutating func escape() throws(ParsingError) -> UInt8 {
        position += 1
        switch byte(at: position) {
        case UInt8(ascii: "n"): return 0x0A
        case UInt8(ascii: "r"): return 0x0D
        case UInt8(ascii: "t"): return 0x09
        case let plain where Self.escapable.contains(plain): return plain
        default:
            let end = min(position + 1, bytes.count)
            throw ParsingError(.unknownEscape, position - 1..<end, expected: .listedEscape)
        }
    }

    private static let escapable = Array("\\'\"".utf8)

    /// Reads a whole number, one with a fraction or an exponent, or one to the base of sixteen.
    mutating func number() throws(ParsingError) -> Token {
        let start = position
        let isHexadecimal =
            bytes[start] == UInt8(ascii: "0") && byte(at: start + 1) | 0x20 == UInt8(ascii: "x")
        var isWhole = true
        if isHexadecimal {
            position += 2
        } else {
            skip { Self.isDigit($0) }
            if byte(at: position) == UInt8(ascii: "."), Self.isDigit(byte(at: position + 1)) {
                isWhole = false
                position += 1
                skip { Self.isDigit($0) }
            }
            if let exponent = exponentLength() {
                isWhole = false
                position += exponent
            }
        }
        // What follows without a gap belongs to it, wrong as it may be.
        skip { Self.isNamePart($0) }
        let range = start..<position
        let kind = isWhole ? Self.whole(bytes[range], isHexadecimal) : Self.fraction(bytes[range])
        guard let kind else { throw ParsingError(.malformedNumber, range) }
        if case .end = kind { throw ParsingError(.numberTooLarge, range) }
        return Token(kind, range)
    }

    /// The bytes of `e`, a sign if there is one, and digits.
    private func exponentLength() -> Int? {
        guard byte(at: position) | 0x20 == UInt8(ascii: "e") else { return nil }
        let sign = byte(at: position + 1)
        let digits = position + (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? 2 : 1)
        guard Self.isDigit(byte(at: digits)) else { return nil }
        var end = digits
        while Self.isDigit(byte(at: end)) { end += 1 }
        return end - position
    }

    /// The token of a whole number, ``Token/Kind/end`` for one that is too large, nil for none.
    private static func whole(_ bytes: ArraySlice<UInt8>, _ isHexadecimal: Bool) -> Token.Kind? {
        let digits = isHexadecimal ? bytes.dropFirst(2) : bytes
        let isSound = digits.allSatisfy {
            isDigit($0) || isHexadecimal && (0x61...0x66).contains($0 | 0x20)
        }
        guard isSound, !digits.isEmpty else { return nil }
        let value = UInt64(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
        return value.map { .integer($0) } ?? .end
    }

    /// The token of a decimal number, ``Token/Kind/end`` for one that is too large, nil for none.
    private static func fraction(_ bytes: ArraySlice<UInt8>) -> Token.Kind? {
        guard let value = Double(String(decoding: bytes, as: UTF8.self)) else { return nil }
        return value.isFinite ? .decimal(value) : .end
    }
}
