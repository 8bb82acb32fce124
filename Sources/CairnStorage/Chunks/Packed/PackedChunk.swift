/// Packing of column chunks: values by rank, narrow, for chunks that it at least halves
/// (`docs/file-format.md`, section 10). Pure functions over bytes.
package enum PackedChunk {
    /// Packs a plain chunk if that makes it at most half as large.
    ///
    /// Version, flags and zone map are copied; the checksum is left zero for the caller to write. What dead
    /// and null slots hold is dropped, and so is what no live slot uses of the heap.
    ///
    /// - Parameters:
    ///   - plain: a plain chunk that `ChunkValidator.validatePlain` lets through: its ranges are trusted.
    ///   - live: the seven words of the block's live rows.
    ///   - output: is replaced by the packed chunk; unspecified when false is returned. Its room is
    ///     used again, so one array for many chunks allocates once.
    /// - Returns: whether the chunk was packed.
    /// - Complexity: O(slot count + heap); what cannot be packed is given up after a pass or two.
    package static func encode(
        plain: UnsafeRawBufferPointer, live: UnsafePointer<UInt64>, into output: inout [UInt8]
    ) -> Bool {
        PackedEncoder.withEncoder(plain: plain, live: SlotSet(live)) { encoder in
            guard let byteCount = encoder.plan() else { return false }
            resize(&output, to: byteCount + PackedWriter.slack)
            output.withUnsafeMutableBytes { buffer in
                var writer = PackedWriter(buffer)
                encoder.write(to: &writer)
                assert(writer.offset == byteCount)
            }
            resize(&output, to: byteCount)
            return true
        }
    }

    private static func resize(_ output: inout [UInt8], to count: Int) {
        if output.count > count {
            output.removeLast(output.count - count)
        } else {
            output.append(contentsOf: repeatElement(0, count: count - output.count))
        }
    }

    /// The exact size of the plain chunk that a packed one decodes to.
    ///
    /// - Returns: at most the header, 448 slots, and a heap of 448 times what one slot of the shape can
    ///   use, whatever the bytes say.
    /// - Throws: `damaged` for a header that is not that of a packed chunk of the shape.
    /// - Complexity: O(1).
    package static func decodedByteCount(
        _ packed: UnsafeRawBufferPointer, shape: SlotShape
    ) throws(StorageError) -> Int {
        let header = try PackedHeader(packed, shape: shape)
        return ChunkLayout.slots + shape.slotAreaByteCount(slotCount: header.slotCount) + header.heapByteCount
    }

    /// Decodes a packed chunk into a plain one, which `ChunkValidator.validatePlain` lets through.
    ///
    /// - Parameters:
    ///   - shape: the shape of the column's slots.
    ///   - element: shape `list` only: what the payloads of lists are checked against; nil: not at all.
    ///   - output: exactly `decodedByteCount` bytes; unspecified when an error is thrown.
    ///     Its checksum is zero.
    /// - Throws: `damaged` for anything that packing cannot have made and reading could stumble over.
    /// - Complexity: O(slot count + heap).
    package static func decode(
        _ packed: UnsafeRawBufferPointer, shape: SlotShape, element: ListElement? = nil,
        into output: UnsafeMutableRawBufferPointer
    ) throws(StorageError) {
        var decoder = try PackedDecoder(packed, shape: shape, element: element, output: output)
        try decoder.decode()
    }

    /// How the values of a packed chunk stand, for statistics and tests.
    ///
    /// - Throws: `damaged` for a header that is not that of a packed chunk of the shape.
    package static func scheme(
        of packed: UnsafeRawBufferPointer, shape: SlotShape
    ) throws(StorageError) -> PackedScheme {
        try PackedHeader(packed, shape: shape).scheme
    }
}
