internal import Glibc

/// A plain chunk of 448 equal slots: what a block reads as where it has no chunk of a column.
enum DefaultChunk {
    /// Makes one; whoever asked frees it (`deallocate`).
    static func make(_ column: ColumnDefinition) -> UnsafeMutableRawPointer {
        let shape = column.shape
        let area = shape.slotAreaByteCount(slotCount: Block.slotCount)
        let heapByteCount = heapBytes(column).count
        let byteCount = ChunkLayout.slots + area + heapByteCount
        let chunk = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
        memset(chunk, 0, byteCount)
        let view = ChunkView(chunk)
        view.setKind(encoding: .plain, shape: shape)
        view.setSlotCount(Block.slotCount)
        view.setHeapByteCount(heapByteCount)
        switch column.defaultValue {
        case .zero: break
        case .null: memset(chunk + ChunkLayout.bitmap, 0xFF, Block.bitmapByteCount)
        case .bytes(let bytes): fill(chunk, shape, with: bytes)
        }
        return chunk
    }

    private static func heapBytes(_ column: ColumnDefinition) -> ArraySlice<UInt8> {
        guard column.shape == .text, case .bytes(let bytes) = column.defaultValue,
            bytes.count > TextSlot.inPlaceLimit
        else { return [] }
        return bytes[...]
    }

    private static func fill(_ chunk: UnsafeMutableRawPointer, _ shape: SlotShape, with bytes: [UInt8]) {
        let slots = chunk + ChunkLayout.slots
        if shape == .bits {
            memset(slots, bytes.first == 0 ? 0 : 0xFF, Block.bitmapByteCount)
            return
        }
        let slot = shape == .text ? textSlot(bytes) : bytes
        for index in 0..<Block.slotCount {
            slot.withUnsafeBytes { source in
                (slots + index * shape.slotByteCount).copyMemory(
                    from: source.baseAddress.unsafelyUnwrapped, byteCount: shape.slotByteCount)
            }
        }
        if shape == .text, bytes.count > TextSlot.inPlaceLimit {
            bytes.withUnsafeBytes { source in
                (slots + Block.slotCount * 16).copyMemory(
                    from: source.baseAddress.unsafelyUnwrapped, byteCount: bytes.count)
            }
        }
    }

    /// The slot of a text; one that is in the heap begins there at 0.
    private static func textSlot(_ bytes: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt32(bytes.count))
        if bytes.count <= TextSlot.inPlaceLimit {
            writer.raw(bytes)
            writer.raw(repeatElement(0, count: TextSlot.inPlaceLimit - bytes.count))
        } else {
            writer.raw(bytes.prefix(4))
            writer.integer(UInt64(0))
        }
        return writer.bytes
    }
}
