/// One bit for each row of a block: 448 bits in seven words, slot 0 in the lowest bit of the first.
///
///     word   0          1            …  6
///     slot   0 … 63     64 … 127        384 … 447
///
/// A plain value without a heap of its own; all operations go over the seven words. Written out in
/// full for other targets (`STYLE.md`, 1.2), since the inner loops of scans are made of it.
@usableFromInline @frozen
package struct BlockBitmap: Sendable, BitwiseCopyable {
    /// The words. Any bits are legal: there is no slot that a bitmap must leave out.
    @usableFromInline package var words: InlineArray<7, UInt64>

    /// A bitmap without a set bit.
    @inlinable
    package init() {
        words = InlineArray(repeating: 0)
    }

    /// A bitmap with the bits of a range set.
    ///
    /// - Precondition: the range lies within `0..<448`.
    @inlinable
    package init(_ slots: Range<Int>) {
        precondition(slots.lowerBound >= 0 && slots.upperBound <= Block.slotCount, "A slot is 0 … 447.")
        words = InlineArray(repeating: 0)
        for index in words.indices {
            let base = index &* 64
            let below = BlockBitmap.lowBits(slots.upperBound &- base)
            words[index] = below & ~BlockBitmap.lowBits(slots.lowerBound &- base)
        }
    }

    /// A bitmap with one bit set.
    @inlinable
    package init(slot: Int) {
        words = InlineArray(repeating: 0)
        words[slot >> 6] = 1 << UInt64(truncatingIfNeeded: slot & 63)
    }

    /// Every slot of a block.
    @inlinable package static var full: BlockBitmap { BlockBitmap(0..<Block.slotCount) }

    /// Reads the 56 bytes of a stored bitmap, which need no alignment.
    @inlinable
    package init(loadingFrom bytes: UnsafeRawPointer) {
        words = InlineArray(repeating: 0)
        for index in words.indices {
            let word = bytes.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
            words[index] = UInt64(littleEndian: word)
        }
    }

    /// Writes the 56 bytes of a stored bitmap, which need no alignment.
    @inlinable
    package func store(to bytes: UnsafeMutableRawPointer) {
        for index in words.indices {
            bytes.storeBytes(of: words[index].littleEndian, toByteOffset: index &* 8, as: UInt64.self)
        }
    }

    /// A word whose lowest `count` bits are set; none for a negative count, all from 64 on.
    @inlinable
    static func lowBits(_ count: Int) -> UInt64 {
        if count <= 0 { return 0 }
        if count >= 64 { return ~0 }
        return (1 &<< UInt64(truncatingIfNeeded: count)) &- 1
    }
}

// MARK: - Single slots

extension BlockBitmap {
    /// Whether the slot's bit is set. Traps unless the slot is 0 … 447, as do the others here.
    @inlinable
    package func contains(_ slot: Int) -> Bool {
        words[slot >> 6] & (1 &<< UInt64(truncatingIfNeeded: slot)) != 0
    }

    /// Sets the slot's bit; false when it was set.
    @inlinable @discardableResult
    package mutating func insert(_ slot: Int) -> Bool {
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
        let old = words[slot >> 6]
        words[slot >> 6] = old | bit
        return old & bit == 0
    }

    /// Clears the slot's bit; false when it was clear.
    @inlinable @discardableResult
    package mutating func remove(_ slot: Int) -> Bool {
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: slot)
        let old = words[slot >> 6]
        words[slot >> 6] = old & ~bit
        return old & bit != 0
    }

    /// Sets or clears the slot's bit.
    @inlinable
    package mutating func set(_ slot: Int, to value: Bool) {
        if value { insert(slot) } else { remove(slot) }
    }
}

// MARK: - Whole bitmaps

extension BlockBitmap {
    /// Whether no bit is set.
    @inlinable package var isEmpty: Bool {
        var all: UInt64 = 0
        for index in words.indices { all |= words[index] }
        return all == 0
    }

    /// The number of set bits.
    @inlinable package var count: Int {
        var count = 0
        for index in words.indices { count &+= words[index].nonzeroBitCount }
        return count
    }

    /// The number of set bits below a slot: the rank of that slot's row. 448 is allowed.
    @inlinable
    package func rank(of slot: Int) -> Int {
        var count = 0
        for index in words.indices {
            count &+= (words[index] & BlockBitmap.lowBits(slot &- index &* 64)).nonzeroBitCount
        }
        return count
    }

    /// The lowest set slot.
    @inlinable package var first: Int? {
        for index in words.indices where words[index] != 0 {
            return index &* 64 &+ words[index].trailingZeroBitCount
        }
        return nil
    }

    /// The highest set slot.
    @inlinable package var last: Int? {
        for index in words.indices.reversed() where words[index] != 0 {
            return index &* 64 &+ 63 &- words[index].leadingZeroBitCount
        }
        return nil
    }

    /// The set slots as one range, when they lie side by side and there is at least one.
    @inlinable package var contiguousRange: Range<Int>? {
        guard let first, let last, last &- first &+ 1 == count else { return nil }
        return first..<(last &+ 1)
    }

    /// This or other: keeps what is set in either.
    @inlinable
    package mutating func formUnion(_ other: BlockBitmap) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// This and other: keeps what is set in both.
    @inlinable
    package mutating func formIntersection(_ other: BlockBitmap) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    /// This and not other: keeps what is not set in the other.
    @inlinable
    package mutating func subtract(_ other: BlockBitmap) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    /// This or other.
    @inlinable
    package func union(_ other: BlockBitmap) -> BlockBitmap {
        var result = self
        result.formUnion(other)
        return result
    }

    /// This and other.
    @inlinable
    package func intersection(_ other: BlockBitmap) -> BlockBitmap {
        var result = self
        result.formIntersection(other)
        return result
    }

    /// This and not other.
    @inlinable
    package func subtracting(_ other: BlockBitmap) -> BlockBitmap {
        var result = self
        result.subtract(other)
        return result
    }

    /// Whether no slot is set in both.
    @inlinable
    package func isDisjoint(with other: BlockBitmap) -> Bool {
        intersection(other).isEmpty
    }
}

extension BlockBitmap: Hashable {
    @inlinable
    package static func == (left: BlockBitmap, right: BlockBitmap) -> Bool {
        var difference: UInt64 = 0
        for index in left.words.indices { difference |= left.words[index] ^ right.words[index] }
        return difference == 0
    }

    @inlinable
    package func hash(into hasher: inout Hasher) {
        for index in words.indices { hasher.combine(words[index]) }
    }
}
