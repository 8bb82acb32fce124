internal import Glibc

/// Makes the stored plain form of a chunk out of a session's own: cut behind the last live row, heap
/// without gaps, zone map made.
struct ChunkEncoder {
    let shape: SlotShape
    let kind: ValueKind
    /// The block's directory, as it will be stored.
    let directory: DirectoryView

    /// What the stored chunk will measure.
    struct Plan {
        var slotCount: Int
        var heapByteCount: Int
        var byteCount: Int
    }

    /// - Complexity: O(448) for shapes with a heap, O(1) for others.
    func plan(_ chunk: UnsafeRawPointer) -> Plan {
        let slotCount = (directory.lastLiveSlot ?? -1) + 1
        var heapByteCount = 0
        if shape.hasHeap {
            forEachLiveSlot(limit: slotCount) { slot in
                heapByteCount += heapUse(chunk + ChunkLayout.slots + slot * 16)
            }
        }
        let byteCount = ChunkLayout.slots + shape.slotAreaByteCount(slotCount: slotCount) + heapByteCount
        return Plan(slotCount: slotCount, heapByteCount: heapByteCount, byteCount: byteCount)
    }

    /// Writes the chunk; the checksum is left open.
    ///
    /// - Parameters:
    ///   - target: at least `plan.byteCount` bytes.
    ///   - version: of the transaction that writes it.
    func write(_ chunk: UnsafeRawPointer, _ plan: Plan, version: UInt64, to target: UnsafeMutableRawPointer) {
        memcpy(target, chunk, ChunkLayout.slots)
        let header = ChunkView(target)
        header.setKind(encoding: .plain, shape: shape)
        header.setVersion(version)
        header.setSlotCount(plan.slotCount)
        header.setHeapByteCount(plan.heapByteCount)
        header.setFlags(0)
        keepLiveBits(at: target + ChunkLayout.bitmap)
        let area = shape.slotAreaByteCount(slotCount: plan.slotCount)
        if shape.hasHeap {
            memset(target + ChunkLayout.slots, 0, area)
            writeHeapSlots(chunk, plan, to: target)
        } else {
            memcpy(target + ChunkLayout.slots, chunk + ChunkLayout.slots, area)
            if shape == .bits { keepLiveBits(at: target + ChunkLayout.slots) }
        }
        ZoneMap.write(kind: kind, shape: shape, directory: directory, slotCount: plan.slotCount, into: target)
    }

    /// Clears the bits of dead rows, so that equal contents give equal bytes and aggregates may count bits.
    private func keepLiveBits(at bitmap: UnsafeMutableRawPointer) {
        for index in 0..<Block.wordCount {
            let word = bitmap.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            bitmap.storeBytes(of: word & directory.liveWord(index), toByteOffset: index * 8, as: UInt64.self)
        }
    }

    private func writeHeapSlots(_ chunk: UnsafeRawPointer, _ plan: Plan, to target: UnsafeMutableRawPointer) {
        let sourceHeap = chunk + ChunkLayout.slots + Block.slotCount * 16
        let targetHeap = target + ChunkLayout.slots + plan.slotCount * 16
        var heapOffset = 0
        forEachLiveSlot(limit: plan.slotCount) { slot in
            let source = chunk + ChunkLayout.slots + slot * 16
            let copy = target + ChunkLayout.slots + slot * 16
            memcpy(copy, source, 16)
            if shape != .text {
                let flags = copy.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self)
                copy.storeBytes(of: flags & ~HeapSlack.flag, toByteOffset: ListSlot.flags, as: UInt32.self)
            }
            let use = heapUse(source)
            guard use > 0 else { return }
            let offset = source.loadUnaligned(fromByteOffset: TextSlot.heapOffset, as: UInt32.self)
            memcpy(targetHeap + heapOffset, sourceHeap + Int(offset), use)
            copy.storeBytes(of: UInt32(heapOffset), toByteOffset: TextSlot.heapOffset, as: UInt32.self)
            heapOffset += use
        }
    }

    /// The bytes of the heap that a slot refers to.
    private func heapUse(_ slot: UnsafeRawPointer) -> Int {
        SlotHeapUse.byteCount(slot, shape: shape)
    }

    private func forEachLiveSlot(limit: Int, _ body: (Int) -> Void) {
        for index in 0..<((limit + 63) / 64) {
            var word = directory.liveWord(index)
            while word != 0 {
                body(index * 64 + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
    }
}

/// How much of its chunk's heap a slot refers to.
enum SlotHeapUse {
    /// - Parameter slot: a slot of a validated chunk or of a session's own.
    static func byteCount(_ slot: UnsafeRawPointer, shape: SlotShape) -> Int {
        let first = Int(slot.loadUnaligned(as: UInt32.self))
        let flags = slot.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self)
        switch shape {
        case .text:
            return first > TextSlot.inPlaceLimit && first <= TextSlot.heapLimit ? first : 0
        case .list:
            guard first > 0, flags & ListSlot.inPieces == 0 else { return 0 }
            return Int(slot.loadUnaligned(fromByteOffset: ListSlot.payloadByteCount, as: UInt32.self))
        case .backlinks:
            return first > 1 && flags & BacklinkSlot.inOrdered == 0 ? first * 8 : 0
        case .bits, .four, .eight, .twelve, .sixteen:
            return 0
        }
    }
}

/// Room that a list or backlink slot of a session's own chunk has in the heap beyond what it uses, so
/// that appending does not move it each time. Never stored.
enum HeapSlack {
    /// Flag in the slot: its place in the heap has `capacity(for:)` of what it uses.
    static let flag: UInt32 = 1 << 31

    /// The capacity of a place with slack that holds so many bytes: the next power of two, 64 at least.
    static func capacity(for byteCount: Int) -> Int {
        byteCount <= 64 ? 64 : 1 << (Int.bitWidth - (byteCount - 1).leadingZeroBitCount)
    }
}
