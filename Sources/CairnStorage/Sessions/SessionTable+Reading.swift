extension SessionTable {
    /// Whether the row is there.
    package func contains(_ row: RowKey) -> Bool {
        guard row.value < nextRowKey, let directory = directory(row.block) else { return false }
        return DirectoryView(directory).isLive(row.slot)
    }

    /// Whether the value of a nullable column is null.
    @inlinable @inline(__always)
    package func isNull(_ row: RowKey, _ position: Int) -> Bool {
        ChunkView(chunk(position, row.block)).bit(row.slot)
    }

    /// The value of a fixed-width column, whose stored type `T` must be. Zero where it is null.
    ///
    /// - Precondition: the row is live.
    /// - Complexity: O(1); two dependent loads when the chunk was looked up before.
    @inlinable @inline(__always)
    package func value<T: BitwiseCopyable>(_ row: RowKey, _ position: Int, as type: T.Type = T.self) -> T {
        let offset = ChunkLayout.slots &+ row.slot &* MemoryLayout<T>.stride
        return chunk(position, row.block).loadUnaligned(fromByteOffset: offset, as: T.self)
    }

    /// The value of a bool column. False where it is null.
    @inlinable @inline(__always)
    package func bool(_ row: RowKey, _ position: Int) -> Bool {
        ChunkView(chunk(position, row.block)).valueBit(row.slot)
    }

    /// The bytes of a value of 12 or 16 bytes, in place. Valid until the session's next change, of any
    /// value (it may write chunks ahead and free them), or until it moves to another version.
    @inlinable @inline(__always)
    package func bytes(_ row: RowKey, _ position: Int, count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: chunk(position, row.block) + ChunkLayout.slots + row.slot &* count, count: count)
    }

    /// The row that a link leads to, or nil.
    @inlinable @inline(__always)
    package func link(_ row: RowKey, _ position: Int) -> RowKey? {
        let stored = value(row, position, as: UInt64.self)
        return stored == 0 ? nil : RowKey(stored &- 1)
    }

    /// The bytes of a string or binary; none where it is null. Valid until the session's next change, of
    /// any value, or until it moves to another version.
    ///
    /// - Complexity: O(1); a value over 1 KiB is looked up in the file.
    @inlinable @inline(__always)
    package func text(_ row: RowKey, _ position: Int) -> UnsafeRawBufferPointer {
        let chunk = chunk(position, row.block)
        let slot = chunk + (ChunkLayout.slots &+ row.slot &* 16)
        let count = Int(slot.loadUnaligned(as: UInt32.self))
        if count <= TextSlot.inPlaceLimit {
            return UnsafeRawBufferPointer(start: slot + TextSlot.inPlace, count: count)
        }
        return longText(slot, count: count, chunk: chunk)
    }

    @usableFromInline @inline(never)
    func longText(_ slot: UnsafeRawPointer, count: Int, chunk: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        if count <= TextSlot.heapLimit {
            let offset = Int(slot.loadUnaligned(fromByteOffset: TextSlot.heapOffset, as: UInt32.self))
            let heap = chunk + ChunkLayout.slots + ChunkView(chunk).slotCount * 16
            return UnsafeRawBufferPointer(start: heap + offset, count: count)
        }
        let id = ValueID(slot.loadUnaligned(fromByteOffset: TextSlot.valueID, as: UInt64.self))
        do throws(StorageError) {
            let record = try ValueRecord(try session.value(id), id: id, kind: .text)
            guard record.payload.count == count else {
                throw session.snapshot.contents.damage(
                    "\(id) does not have the length of the text that it is")
            }
            return record.payload
        } catch {
            session.note(error)
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    /// The stored bytes of any value that is not a collection, or nil for null: what indexes hash and
    /// order by. Valid until the next call, and as long as the value is not changed.
    package func storedBytes(_ row: RowKey, _ position: Int) -> UnsafeRawBufferPointer? {
        let facts = facts[position]
        if facts.isNullable, isNull(row, position) { return nil }
        switch facts.shape {
        case .text: return text(row, position)
        case .bits: return bool(row, position) ? Self.trueByte : Self.falseByte
        case .four, .eight, .twelve, .sixteen: return bytes(row, position, count: facts.shape.slotByteCount)
        case .list, .backlinks: preconditionFailure("a collection has no value of its own")
        }
    }

    // Written once, before anyone sees them.
    nonisolated(unsafe) private static let falseByte = constantByte(0)
    nonisolated(unsafe) private static let trueByte = constantByte(1)

    /// One byte that lives for ever.
    private static func constantByte(_ value: UInt8) -> UnsafeRawBufferPointer {
        let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
        byte.initialize(to: value)
        return UnsafeRawBufferPointer(start: byte, count: 1)
    }

    /// Calls the body with each block that has a row, in order.
    ///
    /// - Complexity: O(blocks between the first and the last).
    @inlinable
    package func forEachBlock<Failure: Error>(
        _ body: (UInt32, DirectoryView) throws(Failure) -> Void
    ) throws(Failure) {
        for block in firstLiveBlock..<max(firstLiveBlock, blockLimit) {
            guard let directory = directory(block) else { continue }
            try body(block, DirectoryView(directory))
        }
    }

    @usableFromInline var firstLiveBlock: UInt32 { firstBlock }

    /// Calls the body with each row, in order of insertion. The body may delete rows and add some: a
    /// row that is deleted before its turn is left out, rows that are added are not visited.
    package func forEachRow<Failure: Error>(_ body: (RowKey) throws(Failure) -> Void) throws(Failure) {
        let limit = nextRowKey
        for block in firstBlock..<max(firstBlock, blockLimit) {
            session.trimDecodedChunks()
            for word in 0..<Block.wordCount {
                guard let directory = directory(block) else { break }
                var rest = DirectoryView(directory).liveWord(word)
                while rest != 0 {
                    let slot = word * 64 + rest.trailingZeroBitCount
                    rest &= rest - 1
                    let row = RowKey(block: block, slot: slot)
                    guard row.value < limit else { return }
                    guard contains(row) else { continue }
                    try body(row)
                }
            }
        }
    }
}
