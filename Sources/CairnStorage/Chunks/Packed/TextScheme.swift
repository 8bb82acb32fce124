/// Schemes `texts` and `text dictionary` (`docs/file-format.md`, section 10.4).
enum TextScheme {
    /// Reads `count` texts in order.
    static func read(
        _ reader: inout ByteReader, count: Int, into area: SlotArea, heap: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        let lengths = try NarrowNumbers(&reader, count: count)
        let content = try reader.bytes(reader.remainingByteCount)
        var unpacker = TextUnpacker(content, heap: heap)
        var offset = 0
        lengths.forEach { rank, length in
            area.store(unpacker.slot(at: offset, byteCount: length), at: rank)
            guard !unpacker.hasFailed else { return }
            offset &+= TextStream.contentByteCount(ofText: Int(truncatingIfNeeded: length))
        }
        guard !unpacker.hasFailed, offset == content.count, unpacker.heapByteCount == heap.count else {
            throw reader.damage("has texts that do not fill its bytes and its heap")
        }
    }

    /// Reads a dictionary and `count` numbers of its entries.
    static func readDictionary(
        _ reader: inout ByteReader, count: Int, into area: SlotArea, heap: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        let entryCount = try DictionaryScheme.readEntryCount(&reader)
        let numbers = try NarrowNumbers(&reader, count: count)
        let lengths = try NarrowNumbers(&reader, count: entryCount)
        let content = try reader.bytes(reader.remainingByteCount)
        var unpacker = TextUnpacker(content, heap: heap)
        let isSound = withUnsafeTemporaryAllocation(of: UInt32.self, capacity: PackedLayout.dictionaryLimit) {
            offsets in
            guard areOffsets(of: lengths, in: content, into: offsets) else { return false }
            return unpack(numbers, lengths, offsets, &unpacker, into: area)
        }
        guard isSound, !unpacker.hasFailed, unpacker.heapByteCount == heap.count else {
            throw reader.damage("refers to texts that its dictionary has not, or that do not fill its heap")
        }
    }

    /// Stores the texts of a dictionary by rank; false where there is a number of no entry.
    private static func unpack(
        _ numbers: NarrowNumbers, _ lengths: NarrowNumbers, _ offsets: UnsafeMutableBufferPointer<UInt32>,
        _ unpacker: inout TextUnpacker, into area: SlotArea
    ) -> Bool {
        var largest: UInt64 = 0
        numbers.forEach { rank, number in
            largest = max(largest, number)
            let entry = number < UInt64(lengths.count) ? Int(number) : 0
            area.store(unpacker.slot(at: Int(offsets[entry]), byteCount: lengths[entry]), at: rank)
        }
        return largest < UInt64(lengths.count)
    }

    /// Stores where each text begins in the content; false unless they are exactly it.
    private static func areOffsets(
        of lengths: NarrowNumbers, in content: UnsafeRawBufferPointer,
        into offsets: UnsafeMutableBufferPointer<UInt32>
    ) -> Bool {
        var offset = 0
        for entry in 0..<lengths.count {
            let length = lengths[entry]
            guard length <= UInt64(UInt32.max), offset <= content.count else { return false }
            offsets[entry] = UInt32(truncatingIfNeeded: offset)
            offset += TextStream.contentByteCount(ofText: Int(length))
        }
        return offset == content.count
    }
}

/// Finds out how texts are packed best.
struct TextPlan {
    private let slots: RankedSlots<SixteenBytes>
    private let heap: UnsafeRawPointer

    /// - Parameters:
    ///   - slots: the text slots by rank, at least one.
    ///   - heap: the chunk's heap, in which they lie.
    init(_ slots: RankedSlots<SixteenBytes>, heap: UnsafeRawPointer) {
        self.slots = slots
        self.heap = heap
    }

    func stream() -> TextStream { TextStream(count: slots.count) { slots[$0] } }

    /// The bytes of the scheme with a dictionary that is complete, nil when that would be over the budget or
    /// the texts are too many different ones.
    func dictionaryByteCount(budget: Int, dictionary: inout SlotDictionary) -> Int? {
        let limit = min(PackedLayout.dictionaryLimit, slots.count)
        var rest = budget
        let isComplete = dictionary.enter(
            slots.count, limit: limit, mixed: { mixed($0) }, areEqual: { areEqual($0, $1) },
            isEntered: { rank in
                rest &-= TextStream.contentByteCount(ofText: slots[rank].textByteCount)
                return rest > 0
            })
        guard isComplete else { return nil }
        let numbers = NarrowPlan(below: dictionary.count).byteCount(of: slots.count)
        let byteCount = 2 + numbers + entries(of: dictionary).byteCount
        return byteCount <= budget ? byteCount : nil
    }

    private func entries(of dictionary: SlotDictionary) -> TextStream {
        TextStream(count: dictionary.count) { slots[dictionary.rank(ofEntry: $0)] }
    }

    func write(_ stream: TextStream, to writer: inout PackedWriter) {
        stream.write(heap: heap, to: &writer) { slots[$0] }
    }

    func write(_ dictionary: SlotDictionary, to writer: inout PackedWriter) {
        writer.store(UInt16(dictionary.count))
        NarrowPlan(below: dictionary.count).write(count: slots.count, to: &writer) {
            UInt64(dictionary.entry(ofRank: $0))
        }
        entries(of: dictionary).write(heap: heap, to: &writer) { slots[dictionary.rank(ofEntry: $0)] }
    }

    /// Of a text in the heap: its length and prefix, and eight bytes of its middle and its end.
    @inline(__always)
    private func mixed(_ rank: Int) -> UInt64 {
        let slot = slots[rank]
        let length = slot.textByteCount
        guard length > TextSlot.inPlaceLimit, length <= TextSlot.heapLimit else { return slot.mixed }
        let start = heap + slot.heapOffset
        let middle = start.loadUnaligned(fromByteOffset: length >> 1 &- 4, as: UInt64.self)
        let end = start.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
        return SixteenBytes(low: slot.low ^ middle.mixed, high: end).mixed
    }

    @inline(__always)
    private func areEqual(_ left: Int, _ right: Int) -> Bool {
        let (first, second) = (slots[left], slots[right])
        guard first.low == second.low else { return false }
        let length = first.textByteCount
        guard length > TextSlot.inPlaceLimit, length <= TextSlot.heapLimit else {
            return first.high == second.high
        }
        return haveEqualBytes(heap + first.heapOffset, heap + second.heapOffset, length)
    }

    /// Whether two texts of at least 13 bytes are the same: whole words, the last of which overlaps.
    private func haveEqualBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ length: Int) -> Bool {
        guard left != right else { return true }
        func isEqual(_ offset: Int) -> Bool {
            left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        for offset in stride(from: 0, to: length &- 8, by: 8) where !isEqual(offset) { return false }
        return isEqual(length &- 8)
    }
}
