/// One line of a text, with a mark under a part of it.
///
/// It can be made of any text and any range, for errors of the layers above as well. A long line is
/// cut, a range over several lines is marked up to the end of its first, and what cannot be shown is a
/// space.
package struct Excerpt: CustomStringConvertible, Hashable, Sendable {
    /// The line, or the part of it around the mark, with `…` where it was cut.
    package let line: String
    /// Spaces, and `^` under each character of the part; one when that is empty.
    package let mark: String

    private static let around = 40
    private static let longestMark = 40
    private static let longestQuote = 24

    /// - Parameter range: Bytes of the text's UTF-8.
    package init(_ range: Range<Int>, of text: String) {
        let bytes = Array(text.utf8)
        let lower = min(max(range.lowerBound, 0), bytes.count)
        let lineStart = (bytes[..<lower].lastIndex(where: Self.isLineEnd) ?? -1) + 1
        let lineEnd = bytes[lower...].firstIndex(where: Self.isLineEnd) ?? bytes.count
        let upper = min(max(range.upperBound, lower), lineEnd)
        let before = Self.shown(bytes[lineStart..<lower])
        let part = Self.shown(bytes[lower..<upper])
        let after = Self.shown(bytes[upper..<lineEnd])

        let head = before.count > Self.around ? "…" + before.suffix(Self.around) : before
        let middle = part.count > Self.longestMark ? part.prefix(Self.longestMark) + "…" : part
        let tail = after.count > Self.around ? after.prefix(Self.around) + "…" : after
        line = head + (middle.count < part.count ? middle : middle + tail)
        mark = String(repeating: " ", count: head.count) + String(repeating: "^", count: max(1, middle.count))
    }

    /// Both lines, indented.
    package var description: String { "    \(line)\n    \(mark)" }

    /// A part of a text in quotes, shortened.
    package static func quoted(_ range: Range<Int>, of text: String) -> String {
        let bytes = Array(text.utf8)
        let lower = min(max(range.lowerBound, 0), bytes.count)
        let upper = min(max(range.upperBound, lower), bytes.count)
        let part = shown(bytes[lower..<upper])
        return part.count > longestQuote ? "“\(part.prefix(longestQuote))…”" : "“\(part)”"
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        let visible = bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
        return String(decoding: visible, as: UTF8.self)
    }
}
