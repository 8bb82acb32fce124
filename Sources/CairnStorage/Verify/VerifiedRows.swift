/// The live rows of one block, and their values.
struct VerifiedRows {
    /// How a column's values are to be had.
    enum Column {
        /// They could not be read.
        case unreadable
        /// There is no chunk: each is the column's default.
        case absent
        case plain(PlainChunk)
    }

    let block: UInt32
    var live = BlockBitmap()
    var columns: [Column]

    init(block: UInt32, columnCount: Int) {
        self.block = block
        columns = Array(repeating: .unreadable, count: columnCount)
    }

    func row(_ slot: Int) -> RowKey { RowKey(block: block, slot: slot) }
}

/// A chunk in plain form that was validated and has a slot for each live row.
struct PlainChunk {
    let pointer: UnsafeRawPointer
    let shape: SlotShape
    let slotCount: Int

    init(_ pointer: UnsafeRawPointer, shape: SlotShape) {
        self.pointer = pointer
        self.shape = shape
        slotCount = ChunkView(pointer).slotCount
    }

    /// The null slots.
    var nulls: BlockBitmap { BlockBitmap(loadingFrom: pointer + ChunkLayout.bitmap) }

    /// A slot, of a shape that is not bits.
    func slot(_ slot: Int) -> UnsafeRawPointer {
        pointer + (ChunkLayout.slots &+ slot &* shape.slotByteCount)
    }

    func word(_ slot: Int) -> UInt64 { self.slot(slot).loadUnaligned(as: UInt64.self) }

    /// The four fields of a 16-byte slot.
    func fields(_ slot: Int) -> (UInt32, UInt32, UInt32, UInt32) {
        let place = self.slot(slot)
        return (
            place.loadUnaligned(as: UInt32.self), place.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
            place.loadUnaligned(fromByteOffset: 8, as: UInt32.self),
            place.loadUnaligned(fromByteOffset: 12, as: UInt32.self)
        )
    }

    /// The upper eight bytes of a 16-byte slot.
    func upperWord(_ slot: Int) -> UInt64 {
        self.slot(slot).loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    /// Bytes of the heap, which validation has found to be there.
    func heap(_ offset: UInt32, _ byteCount: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: pointer + (ChunkLayout.slots &+ slotCount &* 16 &+ Int(offset)), count: byteCount)
    }
}
