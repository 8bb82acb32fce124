internal import CairnLMDB

/// Goes through the database `chunks` in the order of its keys: block by block, and bucket by bucket.
struct ChunkWalk {
    /// The chunks of one block of a table.
    struct Block {
        let table: VerifiedTable
        let number: UInt32
        /// The columns, rising, and their stored bytes.
        var chunks: [(column: ColumnID, stored: UnsafeRawBufferPointer)] = []
    }

    private let context: VerifyContext
    private let scratch = ScratchMemory()
    private var block: Block?

    private init(_ context: VerifyContext) {
        self.context = context
    }

    static func run(_ context: VerifyContext) throws(StorageError) {
        var walk = ChunkWalk(context)
        try context.reader.forEachEntry(of: context.reader.contents.chunks) { entry throws(StorageError) in
            context.counts.chunks += 1
            context.step()
            try walk.visit(entry)
        }
        try walk.finishBlock()
        for table in context.tables { walk.finish(table) }
    }

    private mutating func visit(_ entry: Cursor.Entry) throws(StorageError) {
        guard entry.key.count == 8 else {
            context.recorder.note(.chunkStray)
            return
        }
        let key = ChunkKey(entry.integerKey)
        switch context.owners[key.space] {
        case .table(let table):
            if block?.table !== table || block?.number != key.block {
                try finishBlock()
                block = Block(table: table, number: key.block)
            }
            block?.chunks.append((key.column, entry.value))
        case .index(let index, let table) where index.definition.kind == .hash && key.column == .bucket:
            try BucketCheck(context: context, table: table, index: index, key: key).run(entry.value)
        case .index, .backlinks:
            noteStray(key)
        case nil:
            if context.knowsAllOwners { noteStray(key) }
        }
    }

    private func noteStray(_ key: ChunkKey) {
        context.recorder.note(
            .chunkStray, VerifyFinding.Place(space: key.space, column: key.column, block: key.block))
    }

    private mutating func finishBlock() throws(StorageError) {
        guard let block else { return }
        self.block = nil
        var check = BlockCheck(context, block, scratch)
        try check.run()
    }

    /// Compares what was counted with what the table's state says.
    private func finish(_ table: VerifiedTable) {
        let place = VerifyFinding.Place(space: table.definition.space)
        for index in table.indexes where index.definition.kind == .hash {
            BucketCheck.noteMissing(index, upTo: UInt64(index.state?.hash.bucketCount ?? 0), context.recorder)
        }
        guard let state = table.state, !table.live.isIncomplete else { return }
        if table.rowCount != state.rowCount {
            context.recorder.note(.rowCount, place, expected: state.rowCount, found: table.rowCount)
        }
        if table.blockCount != state.blockCount {
            context.recorder.note(.blockCount, place, expected: state.blockCount, found: table.blockCount)
        }
        // An empty table's is where rows are added next.
        let first =
            table.firstBlock
            ?? UInt32(truncatingIfNeeded: state.nextRowKey / UInt64(CairnStorage.Block.slotCount))
        if first != state.firstBlock {
            context.recorder.note(
                .firstBlock, place, expected: UInt64(first), found: UInt64(state.firstBlock))
        }
    }
}

/// Memory that packed chunks are decoded into: one piece a column, used again for each block.
final class ScratchMemory {
    private var pieces: [UnsafeMutableRawBufferPointer] = []

    deinit {
        for piece in pieces { piece.deallocate() }
    }

    /// Exactly so many bytes, valid until the same position is asked for again.
    func room(_ byteCount: Int, for position: Int) -> UnsafeMutableRawBufferPointer {
        while pieces.count <= position { pieces.append(.allocate(byteCount: 0, alignment: 16)) }
        if pieces[position].count < byteCount {
            pieces[position].deallocate()
            pieces[position] = .allocate(byteCount: byteCount + byteCount / 2, alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: pieces[position][..<byteCount])
    }
}
