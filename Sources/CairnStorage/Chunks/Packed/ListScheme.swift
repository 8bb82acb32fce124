/// Scheme `lists`: numbers of elements, lengths, then payloads as they are (`docs/file-format.md`,
/// section 10.4).
struct ListScheme {
    private let slots: RankedSlots<SixteenBytes>
    private let heap: UnsafeRawPointer
    private let counts: NarrowPlan
    private let lengths: NarrowPlan
    private let contentByteCount: Int
    /// What the lists take in a chunk's heap.
    let heapByteCount: Int

    /// - Parameters:
    ///   - slots: the list slots by rank, at least one, none empty.
    ///   - heap: the chunk's heap, in which they lie.
    init(_ slots: RankedSlots<SixteenBytes>, heap: UnsafeRawPointer) {
        self.slots = slots
        self.heap = heap
        var smallestCount = Int64.max
        var largestCount: Int64 = 0
        var smallestLength = Int64.max
        var largestLength: Int64 = 0
        var sum = 0
        var heapSum = 0
        for rank in 0..<slots.count {
            let slot = slots[rank]
            let count = Int64(slot.low & 0xFFFF_FFFF)
            let length = Int64(slot.payloadByteCount)
            smallestCount = min(smallestCount, count)
            largestCount = max(largestCount, count)
            smallestLength = min(smallestLength, length)
            largestLength = max(largestLength, length)
            sum &+= length == 0 ? 8 : Int(length)
            heapSum &+= Int(length)
        }
        counts = NarrowPlan(minimum: smallestCount, maximum: largestCount)
        lengths = NarrowPlan(minimum: smallestLength, maximum: largestLength)
        contentByteCount = sum
        heapByteCount = heapSum
    }

    var byteCount: Int {
        counts.byteCount(of: slots.count) + lengths.byteCount(of: slots.count) + contentByteCount
    }

    func write(to writer: inout PackedWriter) {
        counts.write(count: slots.count, to: &writer) { slots[$0].low & 0xFFFF_FFFF }
        lengths.write(count: slots.count, to: &writer) { UInt64(slots[$0].payloadByteCount) }
        for rank in 0..<slots.count {
            let slot = slots[rank]
            let length = slot.payloadByteCount
            if length == 0 {
                writer.store(slot.high)
            } else {
                writer.copy(heap + slot.heapOffset, byteCount: length)
            }
        }
    }

    /// Reads `count` lists, at least one.
    ///
    /// - Parameter element: what the payloads are checked against, nil: not at all.
    static func read(
        _ reader: inout ByteReader, count: Int, into area: SlotArea, heap: UnsafeMutableRawBufferPointer,
        element: ListElement?
    ) throws(StorageError) {
        let counts = try NarrowNumbers(&reader, count: count)
        let lengths = try NarrowNumbers(&reader, count: count)
        var heapByteCount = 0
        for rank in 0..<count {
            let elementCount = counts[rank]
            let length = lengths[rank]
            guard 1...UInt64(UInt32.max) ~= elementCount, length <= UInt64(ListSlot.heapLimit) else {
                throw reader.damage("has a list without elements, or with too many or too large ones")
            }
            guard length > 0 else {
                area.store(try inPieces(&reader, elementCount), at: rank)
                continue
            }
            let payload = try reader.bytes(Int(length))
            guard payload.count <= heap.count - heapByteCount,
                element?.isPayload(payload, count: Int(elementCount)) ?? (elementCount <= length)
            else { throw reader.damage("has a list that does not fit its payload") }
            UnsafeMutableRawBufferPointer(rebasing: heap[heapByteCount...]).copyMemory(from: payload)
            area.store(SixteenBytes(low: elementCount, high: UInt64(heapByteCount) | length << 32), at: rank)
            heapByteCount += payload.count
        }
        guard heapByteCount == heap.count else { throw reader.damage("has lists that do not fill its heap") }
    }

    private static func inPieces(_ reader: inout ByteReader, _ count: UInt64) throws(StorageError)
        -> SixteenBytes
    {
        let valueID = try reader.integer(UInt64.self)
        guard valueID != 0 else { throw reader.damage("has a list in pieces without a value id") }
        return SixteenBytes(low: count | UInt64(ListSlot.inPieces) << 32, high: valueID)
    }
}

extension SixteenBytes {
    /// List slot: the bytes of the payload; 0 for a list in pieces.
    @inline(__always) fileprivate var payloadByteCount: Int { low >> 32 == 0 ? Int(high >> 32) : 0 }
}
