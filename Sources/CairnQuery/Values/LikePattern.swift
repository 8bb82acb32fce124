/// A pattern of LIKE: `?` is one character, `*` any number of them, and nothing stands for these two
/// themselves.
///
/// A character is a Unicode scalar, so that a byte of a longer one is never matched alone. In binary it is a
/// byte, with those behind it that would continue a scalar.
struct LikePattern: Hashable, Sendable {
    /// The pattern's bytes, folded as the texts are.
    let bytes: [UInt8]

    /// Whether the whole text fits.
    ///
    /// The text is gone through once, and back to behind the last `*` where what follows does not fit:
    /// O(text × pattern) at worst, without recursion.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        bytes.withUnsafeBytes { Self.matches(text, $0) }
    }

    private static func matches(_ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer) -> Bool {
        var textPlace = 0
        var place = 0
        var star = -1
        var starText = 0
        while textPlace < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = place
                starText = textPlace
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") {
                textPlace = next(textPlace, text)
                place += 1
            } else if place < pattern.count, pattern[place] == text[textPlace] {
                textPlace += 1
                place += 1
            } else if star >= 0 {
                // Byte by byte, for binary that is no UTF-8. Within a scalar nothing fits that does not fit from
                // its beginning on.
                starText += 1
                textPlace = starText
                place = star + 1
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
        return place == pattern.count
    }

    /// The place behind the scalar at a place.
    private static func next(_ place: Int, _ text: UnsafeRawBufferPointer) -> Int {
        var next = place + 1
        while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}
