/// Decides once, before a pointer to a chunk is published, whether every later read of it stays inside
/// its bytes (`docs/file-format.md`, sections 4 and 5).
///
/// What it does not decide is whether the *values* are right: that is for the checksum, and for
/// `verify`. It reads each slot once and allocates nothing unless it fails.
package enum ChunkValidator {
    /// The column chunk's encoding, when its header is sound and its slots have the shape of its
    /// column: `plain` (then `validatePlain` is next) or `packed` (then `PackedChunk.decode`).
    ///
    /// - Throws: `damaged` for everything else, directories and buckets among it.
    package static func columnEncoding(
        _ chunk: UnsafeRawBufferPointer, shape: SlotShape
    ) throws(StorageError) -> ChunkEncoding {
        let header = try ChunkHeader(chunk)
        guard header.encoding == .plain || header.encoding == .packed else {
            throw damage("is a directory where a column belongs")
        }
        guard header.storedShape == shape.rawValue else {
            throw damage("has slots of another shape than its column")
        }
        return header.encoding
    }

    /// Fails unless the bytes are a plain chunk of the shape: header, exact size, and for every slot below the
    /// slot count, live or dead, a heap range inside the heap or a value id that is one.
    ///
    /// - Parameters:
    ///   - shape: the shape of the column's slots.
    ///   - element: shape `list` only: what an element is. Given, the payload of each list is checked
    ///     against the number of its elements, end offsets of texts included; nil checks only that it
    ///     lies in the heap and could hold that many.
    /// - Throws: `damaged`.
    /// - Complexity: O(slot count); with texts as elements O(their number).
    package static func validatePlain(
        _ chunk: UnsafeRawBufferPointer, shape: SlotShape, element: ListElement? = nil
    ) throws(StorageError) {
        let header = try ChunkHeader(chunk)
        guard header.encoding == .plain, header.storedShape == shape.rawValue else {
            throw damage("is not a plain one with slots of its column's shape")
        }
        guard header.extra == 0, header.reserved == 0 else {
            throw damage("has something in fields that are zero")
        }
        guard shape.hasHeap || header.heapByteCount == 0 else {
            throw damage("has a heap that its slots cannot use")
        }
        let slotArea = shape.slotAreaByteCount(slotCount: header.slotCount)
        guard chunk.count == ChunkLayout.slots + slotArea + header.heapByteCount else {
            throw damage(
                "has \(chunk.count) bytes, which its \(header.slotCount) slots and its heap do not make")
        }
        guard shape.hasHeap else { return }
        let slots = UnsafeRawBufferPointer(
            rebasing: chunk[ChunkLayout.slots..<(ChunkLayout.slots + slotArea)])
        let heap = UnsafeRawBufferPointer(rebasing: chunk[(ChunkLayout.slots + slotArea)...])
        guard SlotCheck.allHold(slots, heap: heap, shape: shape, element: element) else {
            throw damage("has a slot that points outside its heap or contradicts itself")
        }
    }

    /// Fails unless the bytes are a directory: header, exact size, and columns that rise from 1.
    ///
    /// A directory without a live row passes, though none is in a file.
    ///
    /// - Throws: `damaged`.
    /// - Complexity: O(number of columns).
    package static func validateDirectory(_ chunk: UnsafeRawBufferPointer) throws(StorageError) {
        let header = try ChunkHeader(chunk)
        guard header.encoding == .directory else { throw damage("is not a directory") }
        guard header.heapByteCount == 0, header.reserved == 0 else {
            throw damage("is a directory and has something in fields that are zero")
        }
        let columnCount = Int(header.extra)
        guard chunk.count == ChunkLayout.slots + 2 * columnCount else {
            throw damage(
                "is a directory with \(chunk.count) bytes, which its \(columnCount) columns do not make")
        }
        var last: UInt16 = 0
        var isRising = true
        for offset in stride(from: ChunkLayout.slots, to: chunk.count, by: 2) {
            let column = UInt16(littleEndian: chunk.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            isRising = column > last && isRising
            last = column
        }
        guard isRising else { throw damage("is a directory whose columns do not rise") }
    }

    /// Fails unless the bytes are a hash bucket: header, row keys of 4 or 8 bytes, no more entries than
    /// there is room for, exact size.
    ///
    /// Where the entries are is not looked at: a search ends after the last group whatever they say.
    ///
    /// - Throws: `damaged`.
    /// - Complexity: O(1).
    package static func validateBucket(_ chunk: UnsafeRawBufferPointer) throws(StorageError) {
        guard try ChunkHeader.encoding(of: chunk) == .bucket, chunk.count >= BucketLayout.groups else {
            throw damage("is not a hash bucket")
        }
        func number(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: chunk.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        let width = Int(chunk[BucketLayout.rowKeyByteCount])
        guard width == 4 || width == 8 else { throw damage("is a bucket with row keys of \(width) bytes") }
        let groupCount = Int(number(BucketLayout.groupCount))
        let reserved = chunk[BucketLayout.reserved..<BucketLayout.groups]
        guard Int(number(BucketLayout.count)) <= groupCount * BucketLayout.groupEntryCount,
            chunk[BucketLayout.rowKeyByteCount + 1] == 0, reserved.allSatisfy({ $0 == 0 })
        else {
            throw damage("is a bucket with more entries than room, or something in fields that are zero")
        }
        guard
            groupCount > 0,
            chunk.count == BucketLayout.byteCount(groupCount: groupCount, rowKeyByteCount: width)
        else {
            throw damage("is a bucket with \(chunk.count) bytes, which its \(groupCount) groups do not make")
        }
    }

    /// The error for a chunk that says something impossible. The caller, who knows the key, adds it.
    @inline(never)
    static func damage(_ what: String) -> StorageError {
        StorageError(.damaged, "A chunk \(what). Run verify on the file.")
    }
}
