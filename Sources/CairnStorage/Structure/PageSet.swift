/// A set of page numbers from 0 up to a bound: a bit for each page.
struct PageSet {
    /// The number of pages that the set can hold: 0 ..< bound.
    let bound: UInt64
    private var words: [UInt64]
    private(set) var count: UInt64 = 0

    /// - Parameter bound: Comes from the length of the file, never from a field in it alone.
    init(bound: UInt64) {
        self.bound = bound
        words = Array(repeating: 0, count: Int(bound / Self.wordBitCount) + 1)
    }

    private static let wordBitCount = UInt64(UInt64.bitWidth)

    /// Adds a page.
    ///
    /// - Returns: False where it is in the set already, or past the bound.
    mutating func insert(_ page: UInt64) -> Bool {
        guard page < bound else { return false }
        let bit = UInt64(1) << (page % Self.wordBitCount)
        let word = Int(page / Self.wordBitCount)
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        count += 1
        return true
    }

    func contains(_ page: UInt64) -> Bool {
        guard page < bound else { return false }
        return words[Int(page / Self.wordBitCount)] >> (page % Self.wordBitCount) & 1 != 0
    }

    /// Calls a block for each page below a bound that neither set holds.
    ///
    /// - Precondition: Both sets have the same bound.
    func forEachMissing(alsoFrom other: PageSet, _ body: (UInt64) -> Void) {
        for word in words.indices where words[word] | other.words[word] != .max {
            forEachBit(~(words[word] | other.words[word]), ofWord: word, body)
        }
    }

    /// Calls a block for each page that both sets hold.
    ///
    /// - Precondition: Both sets have the same bound.
    func forEachShared(with other: PageSet, _ body: (UInt64) -> Void) {
        for word in words.indices where words[word] & other.words[word] != 0 {
            forEachBit(words[word] & other.words[word], ofWord: word, body)
        }
    }

    private func forEachBit(_ bits: UInt64, ofWord word: Int, _ body: (UInt64) -> Void) {
        var rest = bits
        while rest != 0 {
            let page = UInt64(word) * Self.wordBitCount + UInt64(rest.trailingZeroBitCount)
            guard page < bound else { return }
            body(page)
            rest &= rest - 1
        }
    }
}
