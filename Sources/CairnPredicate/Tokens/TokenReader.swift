/// Cuts predicate text into tokens, one at a time.
///
/// - Complexity: O(bytes) for all of them.
package struct TokenReader {
    let bytes: [UInt8]
    var position = 0

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// The next token; ``Token/Kind/end`` after the last.
    package mutating func next() throws(ParsingError) -> Token {
        skip { Self.isSpace($0) }
        let start = position
        guard start < bytes.count else { return Token(.end, start..<start) }
        let first = bytes[start]
        if Self.isDigit(first) { return try number() }
        if Self.isNamePart(first) { return word() }
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return try string()
        case UInt8(ascii: "%"): return try placeholder()
        case UInt8(ascii: "#"): return Token(.escapedName(try nameAfterSign()), start..<position)
        case UInt8(ascii: "$"): return Token(.variable(try nameAfterSign()), start..<position)
        case UInt8(ascii: "@"): return try collectionOperator()
        default: return try symbol()
        }
    }

    private mutating func word() -> Token {
        let start = position
        skip { Self.isNamePart($0) }
        let word = bytes[start..<position]
        let spelling = String(decoding: word, as: UTF8.self)
        let kind: Token.Kind = Keyword(word: word).map { .keyword($0, spelling) } ?? .name(spelling)
        return Token(kind, start..<position)
    }

    private mutating func symbol() throws(ParsingError) -> Token {
        let start = position
        guard let symbol = Symbol(bytes[start], byte(at: start + 1)) else {
            throw ParsingError(.unknownCharacter, start..<start + 1)
        }
        position += symbol.rawValue.utf8.count
        return Token(.symbol(symbol), start..<position)
    }

    /// Reads a sign and the name after it, which it returns.
    private mutating func nameAfterSign() throws(ParsingError) -> String {
        let start = position
        position += 1
        guard position < bytes.count, Self.isNamePart(bytes[position]), !Self.isDigit(bytes[position]) else {
            throw ParsingError(.missingName, start..<position, expected: .name)
        }
        skip { Self.isNamePart($0) }
        return String(decoding: bytes[start + 1..<position], as: UTF8.self)
    }

    private mutating func collectionOperator() throws(ParsingError) -> Token {
        let start = position
        let name = try nameAfterSign()
        guard let found = PropertyPath.CollectionOperator(rawValue: name) else {
            throw ParsingError(.unknownCollectionOperator, start..<position, expected: .collectionOperator)
        }
        return Token(.collectionOperator(found), start..<position)
    }

    /// Reads `%@`, `%K`, `%%`, or `%` with lengths and one of the letters of a number.
    private mutating func placeholder() throws(ParsingError) -> Token {
        let start = position
        position += 1
        skip { Self.lengths.contains($0) }
        let hasLength = position > start + 1
        let letter = byte(at: position)
        let found: Token.Placeholder? =
            if Self.numberLetters.contains(letter) {
                .number
            } else if hasLength {
                nil
            } else {
                switch letter {
                case UInt8(ascii: "@"): .value
                case UInt8(ascii: "K"): .path
                case UInt8(ascii: "%"): .percentSign
                default: nil
                }
            }
        guard let found else {
            skip { Self.isNamePart($0) }
            throw ParsingError(.unknownPlaceholder, start..<position, expected: .placeholder)
        }
        position += 1
        return Token(.placeholder(found), start..<position)
    }

    private static let lengths = Array("hlqz".utf8)
    private static let numberLetters = Array("diufDUF".utf8)
}

// MARK: - Bytes

extension TokenReader {
    /// The byte at a position, 0 behind the end.
    func byte(at position: Int) -> UInt8 {
        position < bytes.count ? bytes[position] : 0
    }

    mutating func skip(while belongs: (UInt8) -> Bool) {
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    /// Letters, digits, the underscore, and everything beyond ASCII: Swift allows emoji in names.
    package static func isNamePart(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F || byte >= 0x80
    }
}
