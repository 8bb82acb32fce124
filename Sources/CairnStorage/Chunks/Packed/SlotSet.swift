/// Some of the 448 slots of a block.
struct SlotSet: Equatable {
    /// Bit `slot % 64` of word `slot / 64`.
    private(set) var words: InlineArray<7, UInt64>

    /// No slot.
    init() { words = InlineArray(repeating: 0) }

    /// The slots from `first` on, `count` of them. Both together are at most 448.
    init(first: Int, count: Int) {
        self.init()
        for word in 0..<Block.wordCount {
            words[word] = Self.lowBits(first &+ count &- word &* 64) & ~Self.lowBits(first &- word &* 64)
        }
    }

    /// The slots of a bitmap of seven words.
    init(_ bitmap: UnsafePointer<UInt64>) {
        self.init()
        for word in 0..<Block.wordCount { words[word] = bitmap[word] }
    }

    /// The slots of a bitmap as it is stored: up to 56 bytes, no slot behind them.
    init(stored bytes: UnsafeRawBufferPointer) {
        self.init()
        for (index, byte) in bytes.prefix(Block.bitmapByteCount).enumerated() {
            words[index >> 3] |= UInt64(byte) << UInt64(index & 7 &* 8)
        }
    }

    /// A word with its lowest `count` bits set, any number.
    private static func lowBits(_ count: Int) -> UInt64 {
        count <= 0 ? 0 : count >= 64 ? .max : (1 << UInt64(count)) &- 1
    }

    /// The number of slots.
    var count: Int {
        var sum = 0
        for word in 0..<Block.wordCount { sum &+= words[word].nonzeroBitCount }
        return sum
    }

    /// The first slot, 448 where there is none.
    var first: Int {
        for word in 0..<Block.wordCount where words[word] != 0 {
            return word &* 64 &+ words[word].trailingZeroBitCount
        }
        return Block.slotCount
    }

    /// One past the last slot, 0 where there is none.
    var end: Int {
        for word in stride(from: Block.wordCount &- 1, through: 0, by: -1) where words[word] != 0 {
            return word &* 64 &+ 64 &- words[word].leadingZeroBitCount
        }
        return 0
    }

    func contains(_ slot: Int) -> Bool { words[slot >> 6] >> UInt64(slot & 63) & 1 == 1 }

    mutating func remove(_ slot: Int) { words[slot >> 6] &= ~(1 << UInt64(slot & 63)) }

    func intersection(_ other: SlotSet) -> SlotSet { combined(other) { $0 & $1 } }

    func subtracting(_ other: SlotSet) -> SlotSet { combined(other) { $0 & ~$1 } }

    private func combined(_ other: SlotSet, _ operation: (UInt64, UInt64) -> UInt64) -> SlotSet {
        var result = self
        for word in 0..<Block.wordCount { result.words[word] = operation(words[word], other.words[word]) }
        return result
    }

    static func == (left: SlotSet, right: SlotSet) -> Bool {
        var difference: UInt64 = 0
        for word in 0..<Block.wordCount { difference |= left.words[word] ^ right.words[word] }
        return difference == 0
    }

    /// Calls the body with each slot, rising.
    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        for word in 0..<Block.wordCount {
            var rest = words[word]
            while rest != 0 {
                body(word &* 64 &+ rest.trailingZeroBitCount)
                rest &= rest &- 1
            }
        }
    }

    /// Stores the first bytes of the bitmap: as many as there are, up to 56.
    func store(into bytes: UnsafeMutableRawBufferPointer) {
        for index in 0..<min(bytes.count, Block.bitmapByteCount) {
            bytes[index] = UInt8(truncatingIfNeeded: words[index >> 3] >> UInt64(index & 7 &* 8))
        }
    }
}
