/// Scheme `backlinks`: numbers of links, then all origins in the narrowest width (`docs/file-format.md`,
/// section 10.4).
struct BacklinkScheme {
    private let slots: RankedSlots<SixteenBytes>
    private let heap: UnsafeRawPointer
    private let counts: NarrowPlan
    private let origins: NarrowPlan
    private let originCount: Int
    /// What the links take in a chunk's heap.
    let heapByteCount: Int

    /// - Parameters:
    ///   - slots: the backlink slots by rank, at least one, none empty.
    ///   - heap: the chunk's heap, in which they lie.
    init(_ slots: RankedSlots<SixteenBytes>, heap: UnsafeRawPointer) {
        self.slots = slots
        self.heap = heap
        var smallestCount = Int64.max
        var largestCount: Int64 = 0
        var smallest = Int64.max
        var largest = Int64.min
        var sum = 0
        var heapSum = 0
        for rank in 0..<slots.count {
            let slot = slots[rank]
            let count = Int64(slot.backlinkCode)
            smallestCount = min(smallestCount, count)
            largestCount = max(largestCount, count)
            sum &+= slot.originCount
            heapSum &+= slot.originCount > 1 ? slot.originCount * 8 : 0
            for index in 0..<slot.originCount {
                let origin = Int64(bitPattern: slot.origin(index, heap: heap))
                smallest = min(smallest, origin)
                largest = max(largest, origin)
            }
        }
        counts = NarrowPlan(minimum: smallestCount, maximum: largestCount)
        origins = sum == 0 ? NarrowPlan(below: 1) : NarrowPlan(minimum: smallest, maximum: largest)
        originCount = sum
        heapByteCount = heapSum
    }

    var byteCount: Int { counts.byteCount(of: slots.count) + origins.byteCount(of: originCount) }

    func write(to writer: inout PackedWriter) {
        counts.write(count: slots.count, to: &writer) { slots[$0].backlinkCode }
        // The plan asks for the origins in order.
        var rank = 0
        var index = 0
        origins.write(count: originCount, to: &writer) { _ in
            while index >= slots[rank].originCount {
                rank &+= 1
                index = 0
            }
            defer { index &+= 1 }
            return slots[rank].origin(index, heap: heap)
        }
    }

    /// Reads the links of `count` rows, at least one.
    static func read(
        _ reader: inout ByteReader, count: Int, into area: SlotArea, heap: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        let counts = try NarrowNumbers(&reader, count: count)
        guard let originCount = originCount(of: counts) else {
            throw reader.damage("has a row with no links, or with more than fit the heap")
        }
        let origins = try NarrowNumbers(&reader, count: originCount.all)
        guard originCount.inHeap * 8 == heap.count else {
            throw reader.damage("has links that do not fill its heap")
        }
        var next = 0
        var heapByteCount = 0
        for rank in 0..<count {
            let links = counts[rank] >> 1
            if counts[rank] & 1 == 1 {
                area.store(SixteenBytes(low: links | UInt64(BacklinkSlot.inOrdered) << 32, high: 0), at: rank)
            } else if links == 1 {
                area.store(SixteenBytes(low: 1, high: origins[next]), at: rank)
                next += 1
            } else {
                area.store(SixteenBytes(low: links, high: UInt64(heapByteCount)), at: rank)
                for _ in 0..<Int(links) {
                    heap.storeBytes(
                        of: origins[next].littleEndian, toByteOffset: heapByteCount, as: UInt64.self)
                    next += 1
                    heapByteCount += 8
                }
            }
        }
    }

    /// The origins that follow the counts, and how many of them go to the heap; nil for a count that no row has.
    private static func originCount(of counts: NarrowNumbers) -> (all: Int, inHeap: Int)? {
        var single = 0
        var inHeap = 0
        for rank in 0..<counts.count {
            let links = counts[rank] >> 1
            let isInOrdered = counts[rank] & 1 == 1
            guard links > 0, links <= UInt64(isInOrdered ? Int(UInt32.max) : BacklinkSlot.heapLimit) else {
                return nil
            }
            guard !isInOrdered else { continue }
            if links == 1 { single += 1 } else { inHeap += Int(links) }
        }
        return (single + inHeap, inHeap)
    }
}

extension SixteenBytes {
    /// Backlink slot: the number of links × 2, + 1 if they are in `ordered`.
    @inline(__always) fileprivate var backlinkCode: UInt64 { (low & 0xFFFF_FFFF) << 1 | (low >> 32) & 1 }

    /// Backlink slot: the number of origins in the slot or in the heap.
    @inline(__always) fileprivate var originCount: Int { low >> 32 == 0 ? Int(low) : 0 }

    /// Backlink slot: the origin at an index below `originCount`.
    @inline(__always)
    fileprivate func origin(_ index: Int, heap: UnsafeRawPointer) -> UInt64 {
        guard originCount > 1 else { return high }
        return (heap + heapOffset).loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
    }
}
