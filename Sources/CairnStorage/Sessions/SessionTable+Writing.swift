extension SessionTable {
    // MARK: Values

    /// Sets the value of a fixed-width column, whose stored type `T` must be.
    ///
    /// Outside of a write it traps.
    ///
    /// - Precondition: the row is live, and the column is neither a link nor a bool.
    /// - Throws: `duplicateKey` where a unique index has the value already.
    @inlinable @inline(__always)
    package func set<T: BitwiseCopyable>(
        _ row: RowKey, _ position: Int, _ value: T
    ) throws(StorageError) {
        if facts[position].isIndexed {
            try withUnsafePointer(value) { bytes throws(StorageError) in try setIndexed(row, position, bytes)
            }
            return
        }
        store(value, row.slot, in: try ownChunkWithRoom(position, row.block))
    }

    /// Sets the value without looking at indexes.
    @inlinable @inline(__always)
    func store<T: BitwiseCopyable>(_ row: RowKey, _ position: Int, _ value: T) {
        store(value, row.slot, in: ownChunk(position, row.block))
    }

    @inlinable @inline(__always)
    func store<T: BitwiseCopyable>(_ value: T, _ slot: Int, in chunk: UnsafeMutableRawPointer) {
        chunk.storeBytes(
            of: value, toByteOffset: ChunkLayout.slots &+ slot &* MemoryLayout<T>.stride, as: T.self)
        ChunkView(chunk).setBit(slot, false)
        MutableChunk(chunk).markChanged(slot)
    }

    @inlinable @inline(__always)
    func withUnsafePointer<T: BitwiseCopyable>(
        _ value: T, _ body: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) {
        var copy = value
        var failure: StorageError?
        withUnsafeBytes(of: &copy) { bytes in
            do throws(StorageError) { try body(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Sets the value of a bool column.
    @inlinable @inline(__always)
    package func setBool(_ row: RowKey, _ position: Int, _ value: Bool) throws(StorageError) {
        if facts[position].isIndexed {
            let byte: UInt8 = value ? 1 : 0
            try withUnsafePointer(byte) { bytes throws(StorageError) in try setIndexed(row, position, bytes) }
            return
        }
        let slot = row.slot
        let chunk = try ownChunkWithRoom(position, row.block)
        ChunkView(chunk).setValueBit(slot, value)
        ChunkView(chunk).setBit(slot, false)
        MutableChunk(chunk).markChanged(slot)
    }

    /// Makes the value of a nullable column null.
    package func setNull(_ row: RowKey, _ position: Int) throws(StorageError) {
        precondition(facts[position].isNullable, "a column that is not nullable was set to null")
        if facts[position].isIndexed { return try setIndexed(row, position, nil) }
        _ = try ownChunkWithRoom(position, row.block)
        storeBytes(row, position, nil)
    }

    /// Sets the bytes of a value of 12 or 16 bytes.
    @inlinable @inline(__always)
    package func setBytes(_ row: RowKey, _ position: Int, _ bytes: UnsafeRawBufferPointer)
        throws(StorageError)
    {
        if facts[position].isIndexed { return try setIndexed(row, position, bytes) }
        let slot = row.slot
        guard let chunk = columns[position &+ 1].chunk(row.block, ownedBy: layer) else {
            return try setFirst(row, position, bytes)
        }
        changeCount &+= 1
        (chunk + (ChunkLayout.slots &+ slot &* bytes.count)).copyMemory(
            from: bytes.baseAddress.unsafelyUnwrapped, byteCount: bytes.count)
        ChunkView(chunk).setBit(slot, false)
        MutableChunk(chunk).markChanged(slot)
    }

    /// Sets the bytes of a string or binary.
    ///
    /// - Throws: `limitReached` for more than 4 GiB, `duplicateKey` where a unique index has the value.
    @inlinable @inline(__always)
    package func setText(_ row: RowKey, _ position: Int, _ bytes: UnsafeRawBufferPointer) throws(StorageError)
    {
        if facts[position].isIndexed { return try setIndexed(row, position, bytes) }
        let slot = row.slot
        guard let chunk = columns[position &+ 1].chunk(row.block, ownedBy: layer) else {
            return try setFirst(row, position, bytes)
        }
        changeCount &+= 1
        let place = chunk + (ChunkLayout.slots &+ slot &* 16)
        // The common case: short before, short afterwards.
        if bytes.count <= TextSlot.inPlaceLimit, place.load(as: UInt32.self) <= UInt32(TextSlot.inPlaceLimit)
        {
            // Built apart: the bytes may be those of this very slot.
            let content = TextSlot.start(of: bytes)
            place.storeBytes(of: content[0], toByteOffset: 0, as: UInt64.self)
            place.storeBytes(of: content[1], toByteOffset: 8, as: UInt64.self)
            ChunkView(chunk).setBit(slot, false)
            MutableChunk(chunk).markChanged(slot)
            return
        }
        try storeText(row, position, bytes)
    }

    /// Sets any value but a link or collection from its stored bytes, without looking at indexes.
    func storeBytes(_ row: RowKey, _ position: Int, _ bytes: UnsafeRawBufferPointer?) {
        let shape = facts[position].shape
        let slot = row.slot
        let chunk = ownChunk(position, row.block)
        if shape == .text { releaseText(row, position) }
        if shape == .bits {
            ChunkView(chunk).setValueBit(slot, bytes.map { $0[0] != 0 } ?? false)
        } else {
            let width = shape.slotByteCount
            let place = UnsafeMutableRawBufferPointer(
                start: chunk + ChunkLayout.slots + slot * width, count: width)
            if let bytes {
                precondition(bytes.count == width, "a value of the wrong size was set")
                place.copyMemory(from: bytes)
            } else {
                place.initializeMemory(as: UInt8.self, repeating: 0)
            }
        }
        ChunkView(chunk).setBit(slot, bytes == nil)
        MutableChunk(chunk).markChanged(slot)
    }

    /// Sets a text of any length, without looking at indexes.
    @usableFromInline @inline(never)
    func storeText(_ row: RowKey, _ position: Int, _ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        guard bytes.count < ValueRecordLayout.payloadLimit else {
            throw StorageError(
                .limitReached, "A value of \(bytes.count) bytes is longer than the 4 GiB a value may have.")
        }
        // Before anything else: the bytes may be those of this very slot.
        let start = TextSlot.start(of: bytes)
        var rest: UInt64 = start[1]
        if bytes.count > TextSlot.heapLimit {
            let id = try session.requiredWriter.add(ValueRecord.build(kind: .text, count: 0, payload: bytes))
            releaseText(row, position)
            rest = id.value
        } else if bytes.count > TextSlot.inPlaceLimit {
            releaseText(row, position)
            // The bytes may lie in this very heap, so they are placed before anything moves for good.
            rest = UInt64(place(bytes, position, row.block))
        } else {
            releaseText(row, position)
        }
        let chunk = ownChunk(position, row.block)
        let slot = chunk + ChunkLayout.slots + row.slot * 16
        slot.storeBytes(of: start[0], as: UInt64.self)
        slot.storeBytes(of: rest, toByteOffset: TextSlot.heapOffset, as: UInt64.self)
        ChunkView(chunk).setBit(row.slot, false)
        MutableChunk(chunk).markChanged(row.slot)
    }

    /// Gives up what a text slot refers to. The slot is about to be overwritten.
    func releaseText(_ row: RowKey, _ position: Int) {
        let chunk = ownChunk(position, row.block)
        let slot = chunk + ChunkLayout.slots + row.slot * 16
        let count = Int(slot.load(as: UInt32.self))
        if count > TextSlot.heapLimit {
            session.requiredWriter.remove(
                ValueID(slot.loadUnaligned(fromByteOffset: TextSlot.valueID, as: UInt64.self)))
        } else if count > TextSlot.inPlaceLimit {
            MutableChunk(chunk).deadHeapByteCount += count
        }
        slot.storeBytes(of: UInt32(0), as: UInt32.self)
    }

    // MARK: Owned chunks

    /// The column's chunk, owned by the current layer.
    @inlinable @inline(__always)
    package func ownChunk(_ position: Int, _ block: UInt32) -> UnsafeMutableRawPointer {
        changeCount &+= 1
        return columns[position &+ 1].chunk(block, ownedBy: layer) ?? makeOwnChunk(position, block)
    }

    /// The same, after a spill where the session holds too much: a write that changes values only has no
    /// other occasion.
    ///
    /// For use where nobody holds a pointer into an own chunk.
    @inlinable @inline(__always)
    func ownChunkWithRoom(
        _ position: Int, _ block: UInt32
    ) throws(StorageError) -> UnsafeMutableRawPointer {
        if let own = columns[position &+ 1].chunk(block, ownedBy: layer) {
            changeCount &+= 1
            return own
        }
        return try makeOwnChunkWithRoom(position, block)
    }

    @usableFromInline @inline(never)
    func makeOwnChunkWithRoom(
        _ position: Int, _ block: UInt32
    ) throws(StorageError) -> UnsafeMutableRawPointer {
        try session.spillIfNeeded()
        return ownChunk(position, block)
    }

    /// Sets a text, or a value of 12 or 16 bytes, in a chunk that the layer does not own yet. The bytes may lie
    /// in a chunk that is spilled for it.
    @usableFromInline @inline(never)
    func setFirst(_ row: RowKey, _ position: Int, _ bytes: UnsafeRawBufferPointer) throws(StorageError) {
        guard session.holdsTooMuch else {
            _ = ownChunk(position, row.block)
            return try storeUnindexed(row, position, bytes)
        }
        try Array(bytes).withBytes { copy throws(StorageError) in
            _ = try makeOwnChunkWithRoom(position, row.block)
            try storeUnindexed(row, position, copy)
        }
    }

    private func storeUnindexed(
        _ row: RowKey, _ position: Int, _ bytes: UnsafeRawBufferPointer
    ) throws(StorageError) {
        if facts[position].shape == .text {
            try storeText(row, position, bytes)
        } else {
            storeBytes(row, position, bytes)
        }
    }

    @usableFromInline @inline(never)
    func makeOwnChunk(_ position: Int, _ block: UInt32) -> UnsafeMutableRawPointer {
        let writer = session.requiredWriter
        let column = definition.columns[position]
        let source = chunk(position, block)
        let previousLayer = columns[position + 1].layer(block)
        let new = MutableChunk.copy(of: source, shape: column.shape, fill: defaultChunk(position))
        let byteCount = MutableChunk.byteCount(shape: column.shape, heapCapacity: new.heapCapacity)
        writer.take(
            WriteLayer.OwnedChunk(
                table: definition.space, kind: .column(column.id), block: block, buffer: new,
                byteCount: byteCount,
                previous: previousLayer > 0 ? MutableChunk(UnsafeMutableRawPointer(mutating: source)) : nil,
                previousLayer: previousLayer))
        columns[position + 1].set(block, new.pointer, layer: layer)
        list(column.id, inDirectoryOf: block)
        return new.pointer
    }

    /// Sees to it that the block's directory lists the column.
    private func list(_ column: ColumnID, inDirectoryOf block: UInt32) {
        if let known = directory(block), DirectoryView(known).lists(column) { return }
        var directory = ownDirectory(block)
        if ChunkView(directory).extra == MutableChunk(directory).heapCapacity {
            directory = growDirectory(directory, block)
        }
        DirectoryView(directory).insert(column)
    }

    private func growDirectory(_ old: UnsafeMutableRawPointer, _ block: UInt32) -> UnsafeMutableRawPointer {
        let new = MutableChunk.directory(copying: old, columnCapacity: MutableChunk(old).heapCapacity * 2)
        new.entryIndex = MutableChunk(old).entryIndex
        session.requiredWriter.replaceBuffer(new, growth: 0)
        MutableChunk(old).free()
        columns[0].set(block, new.pointer, layer: layer)
        forgetInsertBlock()
        return new.pointer
    }

    /// The block's directory, owned by the current layer; a new one where the block had no row.
    func ownDirectory(_ block: UInt32) -> UnsafeMutableRawPointer {
        if let own = columns[0].chunk(block, ownedBy: layer) { return own }
        let writer = session.requiredWriter
        let source = directory(block)
        let previousLayer = columns[0].layer(block)
        let capacity = max(source.map { ChunkView($0).extra } ?? 0, definition.columns.count) + 4
        let new = MutableChunk.directory(copying: source, columnCapacity: capacity)
        writer.take(
            WriteLayer.OwnedChunk(
                table: definition.space, kind: .directory, block: block, buffer: new, byteCount: 0,
                previous: previousLayer > 0
                    ? source.map { MutableChunk(UnsafeMutableRawPointer(mutating: $0)) } : nil,
                previousLayer: previousLayer))
        columns[0].set(block, new.pointer, layer: layer)
        return new.pointer
    }

    // MARK: Rows

    /// Adds a row with every column at its default.
    ///
    /// A table with a primary key wants `insert(key:)`. The row enters the other indexes when it is
    /// finished (`finishRow`), so that its values may be set first without touching them twice.
    ///
    /// - Throws: `limitReached` when the table has used up its row keys; what a spill throws.
    /// - Complexity: O(1), and the copies of the block's chunks for the first row a layer adds to it.
    package func insert() throws(StorageError) -> RowKey {
        precondition(primaryKeyIndex < 0, "a row of a table with a primary key is added with its key")
        return try insertRow()
    }

    func insertRow() throws(StorageError) -> RowKey {
        if openRow != nil { try finishRow() }
        guard nextRowKey < RowKey.limit else {
            throw StorageError(.limitReached, "The table \(definition.name) has used up its row keys.")
        }
        let row = RowKey(nextRowKey)
        let block = row.block
        if block != insertBlock { try prepareInsert(block) }
        nextRowKey &+= 1
        rowCountNow &+= 1
        if let insertDirectory { ChunkView(insertDirectory).setBit(row.slot, true) }
        if indexCount > 0 { openRow = row }
        return row
    }

    /// Makes a block ready to get rows: every chunk it has gets all its slots.
    @inline(never)
    private func prepareInsert(_ block: UInt32) throws(StorageError) {
        try session.spillIfNeeded()
        if rowCountNow == 0 { firstBlock = block }
        let directory = ownDirectory(block)
        for id in DirectoryView(directory).columns {
            guard let position = definition.position(of: id) else { continue }
            _ = ownChunk(position, block)
        }
        insertDirectory = ownDirectory(block)
        insertBlock = block
        if let damage = session.damage { throw damage }
    }
}
