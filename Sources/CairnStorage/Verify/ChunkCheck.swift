/// Checks one column's chunk as such: whether it can be read, and its nulls.
struct ChunkCheck {
    let recorder: VerifyRecorder
    let column: VerifiedColumn
    let place: VerifyFinding.Place
    let live: BlockBitmap

    /// The chunk in plain form; nil, and a finding, where it cannot be read.
    func plain(
        _ bytes: UnsafeRawBufferPointer, _ scratch: ScratchMemory, _ position: Int
    ) -> PlainChunk? {
        do throws(StorageError) {
            let chunk = PlainChunk(try validated(bytes, scratch, position), shape: column.definition.shape)
            guard chunk.slotCount > live.last ?? -1 else {
                recorder.note(
                    .slotCount, place, expected: UInt64((live.last ?? -1) + 1), found: UInt64(chunk.slotCount)
                )
                return nil
            }
            return chunk
        } catch {
            recorder.note(.chunkInvalid, place, reason: error.message)
            return nil
        }
    }

    private func validated(
        _ bytes: UnsafeRawBufferPointer, _ scratch: ScratchMemory, _ position: Int
    ) throws(StorageError) -> UnsafeRawPointer {
        let shape = column.definition.shape
        var plain = bytes
        if try ChunkValidator.columnEncoding(bytes, shape: shape) == .packed {
            let room = scratch.room(try PackedChunk.decodedByteCount(bytes, shape: shape), for: position)
            try PackedChunk.decode(bytes, shape: shape, element: column.element, into: room)
            plain = UnsafeRawBufferPointer(room)
        }
        try ChunkValidator.validatePlain(plain, shape: shape, element: column.element)
        guard let start = plain.baseAddress else { throw ChunkValidator.damage("is empty") }
        return start
    }

    /// Null is only where it may be, and a null slot is zero.
    func checkNulls(_ chunk: PlainChunk) {
        let nulls = chunk.nulls.intersection(live)
        guard let first = nulls.first else { return }
        let definition = column.definition
        guard definition.isNullable, definition.collection == .none else {
            recorder.note(.nullNotAllowed, at(first))
            return
        }
        nulls.forEachSlot { slot in
            if !isZero(chunk, slot) { recorder.note(.nullNotZero, at(slot)) }
        }
    }

    private func at(_ slot: Int) -> VerifyFinding.Place {
        var place = place
        place.row = place.block.map { RowKey(block: $0, slot: slot) }
        return place
    }

    private func isZero(_ chunk: PlainChunk, _ slot: Int) -> Bool {
        if chunk.shape == .bits { return !ChunkView(chunk.pointer).valueBit(slot) }
        return UnsafeRawBufferPointer(start: chunk.slot(slot), count: chunk.shape.slotByteCount)
            .allSatisfy { $0 == 0 }
    }
}
