internal import Glibc

extension UnsafeMutableRawPointer {
    /// Copies bytes to here; there may be none.
    fileprivate func copyBytes(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        copyMemory(from: base, byteCount: bytes.count)
    }
}

extension SessionTable {
    /// Copies bytes into the heap of a chunk that the layer owns, and tells where.
    ///
    /// The chunk may move in memory. The bytes may lie in its heap.
    func place(_ bytes: UnsafeRawBufferPointer, _ position: Int, _ block: UInt32, capacity: Int? = nil) -> Int
    {
        let shape = facts[position].shape
        let wanted = capacity ?? bytes.count
        let chunk = MutableChunk(ownChunk(position, block))
        let used = ChunkView(chunk.pointer).heapByteCount
        if used + wanted <= chunk.heapCapacity {
            (chunk.heap(shape) + used).copyBytes(bytes)
            ChunkView(chunk.pointer).setHeapByteCount(used + wanted)
            return used
        }
        let copy = Array(bytes)
        let roomy = makeRoom(wanted, position, block)
        let base = ChunkView(roomy.pointer).heapByteCount
        copy.withUnsafeBytes { (roomy.heap(shape) + base).copyBytes($0) }
        ChunkView(roomy.pointer).setHeapByteCount(base + wanted)
        return base
    }

    /// Rewrites the heap without its gaps where they are half of it, and else makes it larger.
    private func makeRoom(_ byteCount: Int, _ position: Int, _ block: UInt32) -> MutableChunk {
        let shape = facts[position].shape
        let old = MutableChunk(ownChunk(position, block))
        let used = ChunkView(old.pointer).heapByteCount
        // What is dead is counted roughly: slots at a default share one text. So the slots are asked too;
        // they also tell how much room each will need that gets a text of its own.
        let isSparse =
            old.deadHeapByteCount * 2 > used && heapByteCountInUse(old, shape) * 2 < used
        let capacity = isSparse ? max(256, used + byteCount) : max(256, (used + byteCount) * 2)
        let growth = capacity - old.heapCapacity
        let new: MutableChunk
        if isSparse {
            new = old.withHeapCapacity(capacity, shape: shape)
            compactHeap(new, shape)
        } else {
            new = old.withHeapCapacity(capacity, shape: shape)
        }
        session.requiredWriter.replaceBuffer(new, growth: growth)
        columns[position + 1].set(block, new.pointer, layer: layer)
        return new
    }

    /// The bytes that the slots refer to, each counted.
    private func heapByteCountInUse(_ chunk: MutableChunk, _ shape: SlotShape) -> Int {
        var byteCount = 0
        for slot in 0..<Block.slotCount {
            byteCount += SlotHeapUse.byteCount(chunk.pointer + ChunkLayout.slots + slot * 16, shape: shape)
        }
        return byteCount
    }

    /// Moves what live and dead slots refer to together.
    private func compactHeap(_ chunk: MutableChunk, _ shape: SlotShape) {
        let heap = chunk.heap(shape)
        let used = ChunkView(chunk.pointer).heapByteCount
        let old = UnsafeMutableRawPointer.allocate(byteCount: max(1, used), alignment: 8)
        defer { old.deallocate() }
        memcpy(old, heap, used)
        var next = 0
        for slot in 0..<Block.slotCount {
            let place = chunk.pointer + ChunkLayout.slots + slot * 16
            let byteCount = SlotHeapUse.byteCount(place, shape: shape)
            guard byteCount > 0 else { continue }
            let offset = Int(place.loadUnaligned(fromByteOffset: TextSlot.heapOffset, as: UInt32.self))
            memcpy(heap + next, old + offset, byteCount)
            place.storeBytes(of: UInt32(next), toByteOffset: TextSlot.heapOffset, as: UInt32.self)
            if shape != .text {
                let flags = place.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self)
                place.storeBytes(of: flags & ~HeapSlack.flag, toByteOffset: ListSlot.flags, as: UInt32.self)
            }
            next += byteCount
        }
        ChunkView(chunk.pointer).setHeapByteCount(next)
        chunk.deadHeapByteCount = 0
    }
}
