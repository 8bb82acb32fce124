/// Texts one after the other: narrow lengths, then bytes (`docs/file-format.md`, section 10.4). The content of
/// both schemes for texts.
struct TextStream {
    let count: Int
    private let lengths: NarrowPlan
    private let contentByteCount: Int
    /// What the texts take in a chunk's heap.
    let heapByteCount: Int

    /// - Parameters:
    ///   - count: at least 1.
    ///   - slot: the text slot at an index.
    @inline(__always)
    init(count: Int, slot: (Int) -> SixteenBytes) {
        var minimum = Int.max
        var maximum = 0
        var sum = 0
        var heapSum = 0
        for index in 0..<count {
            let length = slot(index).textByteCount
            minimum = min(minimum, length)
            maximum = max(maximum, length)
            sum &+= Self.contentByteCount(ofText: length)
            heapSum &+= length > TextSlot.inPlaceLimit && length <= TextSlot.heapLimit ? length : 0
        }
        self.count = count
        lengths = NarrowPlan(minimum: Int64(minimum), maximum: Int64(maximum))
        contentByteCount = sum
        heapByteCount = heapSum
    }

    var byteCount: Int { lengths.byteCount(of: count) + contentByteCount }

    /// What a text of so many bytes takes behind the lengths.
    @inline(__always)
    static func contentByteCount(ofText byteCount: Int) -> Int {
        byteCount > TextSlot.heapLimit ? 12 : byteCount
    }

    /// Writes the texts of the slots the stream was made for.
    @inline(__always)
    func write(heap: UnsafeRawPointer, to writer: inout PackedWriter, slot: (Int) -> SixteenBytes) {
        lengths.write(count: count, to: &writer) { UInt64(slot($0).textByteCount) }
        for index in 0..<count {
            let text = slot(index)
            let length = text.textByteCount
            if length > TextSlot.inPlaceLimit, length <= TextSlot.heapLimit {
                writer.copy(heap + text.heapOffset, byteCount: length)
            } else {
                withUnsafeBytes(of: text) { bytes in
                    let inPlace = bytes.baseAddress.unsafelyUnwrapped + TextSlot.inPlace
                    writer.copyShort(inPlace, byteCount: length > TextSlot.heapLimit ? 12 : length)
                }
            }
        }
    }
}

extension SixteenBytes {
    /// Text slot: the length.
    @inline(__always) var textByteCount: Int { Int(low & 0xFFFF_FFFF) }
    /// Text or list slot: the offset in the heap.
    @inline(__always) var heapOffset: Int { Int(high & 0xFFFF_FFFF) }
}

/// Takes texts off a stream and makes slots and a heap of them. It remembers that something was wrong
/// instead of throwing, and then makes empty texts.
struct TextUnpacker {
    private let content: UnsafeRawBufferPointer
    private let heap: UnsafeMutableRawBufferPointer
    /// How much of the heap is written.
    private(set) var heapByteCount = 0
    /// Whether a text was outside the content or the heap, or without a value id.
    private(set) var hasFailed = false

    init(_ content: UnsafeRawBufferPointer, heap: UnsafeMutableRawBufferPointer) {
        self.content = content
        self.heap = heap
    }

    /// The slot of the text of so many bytes at an offset of the content.
    @inline(__always)
    mutating func slot(at offset: Int, byteCount: UInt64) -> SixteenBytes {
        let length = Int(truncatingIfNeeded: byteCount & 0xFFFF_FFFF)
        let size = TextStream.contentByteCount(ofText: length)
        guard byteCount <= UInt64(UInt32.max), size <= content.count &- offset else { return failed() }
        if length > TextSlot.inPlaceLimit, length <= TextSlot.heapLimit {
            return heapSlot(at: offset, length: length)
        }
        let inPlace = twelveBytes(at: offset, count: size)
        guard length <= TextSlot.heapLimit || inPlace.valueID != 0 else { return failed() }
        return SixteenBytes(low: byteCount | inPlace.low << 32, high: inPlace.low >> 32 | inPlace.high << 32)
    }

    @inline(__always)
    private mutating func heapSlot(at offset: Int, length: Int) -> SixteenBytes {
        guard length <= heap.count &- heapByteCount else { return failed() }
        let source = content.baseAddress.unsafelyUnwrapped + offset
        (heap.baseAddress.unsafelyUnwrapped + heapByteCount).copyMemory(from: source, byteCount: length)
        let prefix = UInt64(source.loadUnaligned(as: UInt32.self))
        defer { heapByteCount &+= length }
        return SixteenBytes(low: UInt64(length) | prefix << 32, high: UInt64(heapByteCount))
    }

    /// Up to twelve bytes of the content, zeros behind them.
    @inline(__always)
    private func twelveBytes(at offset: Int, count: Int) -> (low: UInt64, high: UInt64, valueID: UInt64) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        if content.count &- offset >= 12 {
            let source = content.baseAddress.unsafelyUnwrapped + offset
            low = source.loadUnaligned(as: UInt64.self) & Self.lowBytes(count)
            high =
                UInt64(source.loadUnaligned(fromByteOffset: 8, as: UInt32.self)) & Self.lowBytes(count &- 8)
        } else {
            for index in 0..<count {
                let byte = UInt64(content[offset &+ index])
                if index < 8 {
                    low |= byte << UInt64(index &* 8)
                } else {
                    high |= byte << UInt64(index &* 8 &- 64)
                }
            }
        }
        return (low, high, low >> 32 | high << 32)
    }

    @inline(__always)
    private static func lowBytes(_ count: Int) -> UInt64 {
        count >= 8 ? .max : count <= 0 ? 0 : (1 &<< UInt64(count &* 8)) &- 1
    }

    private mutating func failed() -> SixteenBytes {
        hasFailed = true
        return .zero
    }
}
