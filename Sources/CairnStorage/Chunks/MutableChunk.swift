internal import Glibc

/// A chunk that a write session owns: plain, with room for every slot of its block, and a heap that
/// grows.
///
///     prefix (80)                               header (104)  slots (448 × width)  heap (capacity)
///     | changed slots | heap capacity | dead | entry | size |
///                                                           ^ the pointer everyone holds
///
/// Named by the pointer to its header, the same that readers use: what a reader sees of it is a
/// plain chunk with 448 slots. In a directory the area behind the header has room for the column
/// numbers instead.
@usableFromInline @frozen
package struct MutableChunk {
    /// Bytes before the header.
    @inlinable package static var prefixByteCount: Int { 80 }
    @inlinable static var changed: Int { -80 }
    static let heapCapacity = changed + Block.bitmapByteCount
    static let deadHeapByteCount = heapCapacity + 4
    static let entryIndex = deadHeapByteCount + 4
    static let allocatedByteCount = entryIndex + 4

    /// The header.
    @usableFromInline package let pointer: UnsafeMutableRawPointer

    @inlinable
    package init(_ pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
    }

    /// The bytes that are allocated for a chunk of the shape.
    package static func byteCount(shape: SlotShape, heapCapacity: Int) -> Int {
        prefixByteCount + ChunkLayout.slots + shape.slotAreaByteCount(slotCount: Block.slotCount)
            + heapCapacity
    }

    /// Allocates memory for a chunk; the header, the slots and the heap are left to the caller.
    private static func allocate(slotAreaByteCount: Int, heapCapacity: Int) -> MutableChunk {
        let chunk = raw(byteCount: ChunkLayout.slots + slotAreaByteCount + heapCapacity)
        chunk.heapCapacity = heapCapacity
        return chunk
    }

    /// A copy of a plain chunk, widened to every slot of the block.
    ///
    /// - Parameters:
    ///   - source: a validated plain chunk.
    ///   - shape: its shape.
    ///   - fill: a chunk of the shape with 448 slots, all at the column's default: what the slots
    ///     behind the source's last have.
    package static func copy(of source: UnsafeRawPointer, shape: SlotShape, fill: UnsafeRawPointer)
        -> MutableChunk
    {
        let header = ChunkView(source)
        let slotArea = shape.slotAreaByteCount(slotCount: Block.slotCount)
        let heapByteCount = shape.hasHeap ? header.heapByteCount : 0
        let heapRoom =
            shape.hasHeap ? 256 + heapByteCount + heapByteCount / 2 + ChunkView(fill).heapByteCount : 0
        let chunk = allocate(slotAreaByteCount: slotArea, heapCapacity: heapRoom)
        let slotCount = header.slotCount
        let sourceArea = shape.slotAreaByteCount(slotCount: slotCount)
        memcpy(chunk.pointer, source, ChunkLayout.slots + sourceArea)
        if heapByteCount > 0 {
            memcpy(chunk.heap(shape), source + ChunkLayout.slots + sourceArea, heapByteCount)
        }
        let target = ChunkView(chunk.pointer)
        if slotCount < Block.slotCount {
            chunk.fillSlots(from: slotCount, shape: shape, with: fill)
        }
        target.setSlotCount(Block.slotCount)
        target.setFlags(0)
        return chunk
    }

    /// Gives the slots from one on the default, bitmap included. Defaults in a heap are copied there
    /// once, and shared by the slots.
    private func fillSlots(from first: Int, shape: SlotShape, with fill: UnsafeRawPointer) {
        fillBits(from: first, at: ChunkLayout.bitmap, with: fill)
        if shape == .bits { return fillBits(from: first, at: ChunkLayout.slots, with: fill) }
        let width = shape.slotByteCount
        let target = pointer + ChunkLayout.slots + first * width
        memcpy(target, fill + ChunkLayout.slots + first * width, (Block.slotCount - first) * width)
        let fillHeap = ChunkView(fill).heapByteCount
        guard shape.hasHeap, fillHeap > 0 else { return }
        // The default is one text in the fill's heap, at offset 0; `copy` has left room for it.
        let base = ChunkView(pointer).heapByteCount
        memcpy(heap(shape) + base, fill + ChunkLayout.slots + Block.slotCount * width, fillHeap)
        ChunkView(pointer).setHeapByteCount(base + fillHeap)
        for slot in first..<Block.slotCount {
            let offset = ChunkLayout.slots + slot * width + TextSlot.heapOffset
            pointer.storeBytes(of: UInt32(base), toByteOffset: offset, as: UInt32.self)
        }
    }

    /// Takes the bits from one on from another bitmap at the same offset.
    private func fillBits(from first: Int, at offset: Int, with fill: UnsafeRawPointer) {
        for word in (first / 64)..<Block.wordCount {
            let kept: UInt64 = word == first / 64 ? (1 &<< UInt64(first % 64)) &- 1 : 0
            let own = pointer.loadUnaligned(fromByteOffset: offset + word * 8, as: UInt64.self)
            let other = fill.loadUnaligned(fromByteOffset: offset + word * 8, as: UInt64.self)
            pointer.storeBytes(
                of: own & kept | other & ~kept, toByteOffset: offset + word * 8, as: UInt64.self)
        }
    }

    /// A copy of a directory, or a new one, with room for the given number of columns, which
    /// `heapCapacity` then tells.
    package static func directory(copying source: UnsafeRawPointer?, columnCapacity: Int) -> MutableChunk {
        let chunk = allocate(slotAreaByteCount: columnCapacity * 2, heapCapacity: 0)
        chunk.heapCapacity = columnCapacity
        let header = ChunkView(chunk.pointer)
        if let source {
            memcpy(chunk.pointer, source, ChunkLayout.slots + ChunkView(source).extra * 2)
        } else {
            memset(chunk.pointer, 0, ChunkLayout.slots)
            header.setKind(encoding: .directory, shape: .bits)
        }
        return chunk
    }

    /// Memory for something else that a session owns and keeps like a chunk. Its content is left to
    /// the caller.
    static func raw(byteCount: Int) -> MutableChunk {
        let total = prefixByteCount + byteCount
        let memory = ChunkMemory.allocate(byteCount: total)
        memset(memory, 0, prefixByteCount)
        let chunk = MutableChunk(memory + prefixByteCount)
        chunk.pointer.storeBytes(of: UInt32(total), toByteOffset: allocatedByteCount, as: UInt32.self)
        return chunk
    }

    package func free() {
        let byteCount = Int(pointer.load(fromByteOffset: Self.allocatedByteCount, as: UInt32.self))
        ChunkMemory.free(pointer - Self.prefixByteCount, byteCount: byteCount)
    }

    /// The heap's first byte.
    package func heap(_ shape: SlotShape) -> UnsafeMutableRawPointer {
        pointer + ChunkLayout.slots + shape.slotAreaByteCount(slotCount: Block.slotCount)
    }

    /// Marks a slot as changed by this layer.
    @inlinable @inline(__always)
    package func markChanged(_ slot: Int) {
        let word = (pointer + (Self.changed &+ (slot &>> 6) &* 8)).assumingMemoryBound(to: UInt64.self)
        word.pointee |= 1 &<< UInt64(truncatingIfNeeded: slot & 63)
    }

    /// The slots that this layer changed.
    package var changedSlots: UnsafeMutablePointer<UInt64> {
        (pointer + Self.changed).assumingMemoryBound(to: UInt64.self)
    }

    package var heapCapacity: Int {
        get { Int(pointer.load(fromByteOffset: Self.heapCapacity, as: UInt32.self)) }
        nonmutating set {
            pointer.storeBytes(of: UInt32(newValue), toByteOffset: Self.heapCapacity, as: UInt32.self)
        }
    }

    /// Bytes of the heap that no slot refers to any more.
    package var deadHeapByteCount: Int {
        get { Int(pointer.load(fromByteOffset: Self.deadHeapByteCount, as: UInt32.self)) }
        nonmutating set {
            pointer.storeBytes(of: UInt32(newValue), toByteOffset: Self.deadHeapByteCount, as: UInt32.self)
        }
    }

    /// The chunk's place in its layer's list.
    package var entryIndex: Int {
        get { Int(pointer.load(fromByteOffset: Self.entryIndex, as: UInt32.self)) }
        nonmutating set {
            pointer.storeBytes(of: UInt32(newValue), toByteOffset: Self.entryIndex, as: UInt32.self)
        }
    }

    /// The same chunk with a heap of at least that capacity, elsewhere in memory; the old memory is
    /// freed. Whoever holds the pointer has to take the new one.
    package func withHeapCapacity(_ capacity: Int, shape: SlotShape) -> MutableChunk {
        let slotArea = shape.slotAreaByteCount(slotCount: Block.slotCount)
        let new = Self.allocate(slotAreaByteCount: slotArea, heapCapacity: capacity)
        let used = Self.prefixByteCount + ChunkLayout.slots + slotArea + ChunkView(pointer).heapByteCount
        let size = new.pointer.load(fromByteOffset: Self.allocatedByteCount, as: UInt32.self)
        memcpy(new.pointer - Self.prefixByteCount, pointer - Self.prefixByteCount, used)
        new.pointer.storeBytes(of: size, toByteOffset: Self.allocatedByteCount, as: UInt32.self)
        new.heapCapacity = capacity
        free()
        return new
    }
}
