internal import Foundation

/// What strings are told apart by: `[c]` and `[d]`.
package struct TextFolding: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Capitals and small letters are the same: Unicode's full case folding, so that ß is ss.
    package static let caseInsensitive = TextFolding(rawValue: 1)
    /// Letters with and without diacritical marks are the same.
    package static let diacriticInsensitive = TextFolding(rawValue: 2)

    /// ASCII's capitals and small letters are the same, and nothing else is: for binary.
    package static let asciiCaseInsensitive = TextFolding(rawValue: 4)

    /// The form of a text that all texts share which are the same. Never looks at the process's locale.
    ///
    /// - Complexity: some microseconds for a text that is not ASCII: whoever asks for many keeps the
    ///   answers (`FoldedChunks`).
    func fold(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        if contains(.asciiCaseInsensitive) { return text.map(Self.lowercased) }
        if Self.isASCII(text) { return contains(.caseInsensitive) ? text.map(Self.lowercased) : Array(text) }
        var options: String.CompareOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return Array(String(decoding: text, as: UTF8.self).folding(options: options, locale: nil).utf8)
    }

    /// Whether every byte is ASCII, for which folding changes capitals only.
    @inline(__always)
    static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        var all: UInt64 = 0
        var offset = 0
        while offset &+ 8 <= text.count {
            all |= text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            offset &+= 8
        }
        while offset < text.count {
            all |= UInt64(text[offset]) << 0
            offset &+= 1
        }
        return all & 0x8080_8080_8080_8080 == 0
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 65 < 26 ? byte | 32 : byte
    }
}
