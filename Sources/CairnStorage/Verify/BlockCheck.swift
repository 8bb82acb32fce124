/// Checks the chunks of one block of a table: the directory, each column against it, and what the rows owe
/// to indexes and mirrors.
struct BlockCheck {
    private let context: VerifyContext
    private let table: VerifiedTable
    private let block: ChunkWalk.Block
    private let scratch: ScratchMemory
    private var rows: VerifiedRows

    init(_ context: VerifyContext, _ block: ChunkWalk.Block, _ scratch: ScratchMemory) {
        self.context = context
        self.block = block
        self.scratch = scratch
        table = block.table
        rows = VerifiedRows(block: block.number, columnCount: block.table.columns.count)
    }

    mutating func run() throws(StorageError) {
        guard let directory = readDirectory() else { return table.noteUnreadable() }
        rows.live = BlockBitmap(loadingFrom: directory.pointer + ChunkLayout.bitmap)
        countRows()
        let listed = directory.columns
        compare(listed: listed)
        for (position, column) in table.columns.enumerated() {
            try check(column, position, isListed: listed.holds(column.definition.id))
        }
        try IndexPosting(context: context, table: table, rows: rows).run()
    }

    private func place(_ column: ColumnID? = nil) -> VerifyFinding.Place {
        VerifyFinding.Place(space: table.definition.space, column: column, block: block.number)
    }

    // MARK: Directory

    private func readDirectory() -> DirectoryView? {
        guard let first = block.chunks.first, first.column == .directory else {
            context.recorder.note(.directoryMissing, place())
            return nil
        }
        guard let bytes = opened(first.stored, first.column) else { return nil }
        do throws(StorageError) {
            try ChunkValidator.validateDirectory(bytes)
        } catch {
            context.recorder.note(.chunkInvalid, place(.directory), reason: error.message)
            return nil
        }
        return bytes.baseAddress.map { DirectoryView($0) }
    }

    /// Opens a chunk and looks at what all have in common: checksum and version.
    private func opened(_ stored: UnsafeRawBufferPointer, _ column: ColumnID) -> UnsafeRawBufferPointer? {
        let key = ChunkKey(table.definition.space, block.number, column)
        return context.openedChunk(stored, key: key)
    }

    private func countRows() {
        guard let last = rows.live.last, let first = rows.live.first else {
            context.recorder.note(.directoryEmpty, place())
            return
        }
        table.blockCount += 1
        table.rowCount += UInt64(rows.live.count)
        if table.firstBlock == nil { table.firstBlock = block.number }
        guard let state = table.state else { return }
        let lastRow = RowKey(block: block.number, slot: last)
        if lastRow.value >= state.nextRowKey || block.number < state.firstBlock {
            let row = lastRow.value >= state.nextRowKey ? lastRow : RowKey(block: block.number, slot: first)
            context.recorder.note(
                .rowOutside,
                VerifyFinding.Place(space: table.definition.space, block: block.number, row: row),
                expected: state.nextRowKey, found: row.value)
        }
    }

    /// Compares the columns that the directory lists with the chunks that are there. Both rise.
    private func compare(listed: [ColumnID]) {
        var chunks = block.chunks.dropFirst().map(\.column)[...]
        for column in listed {
            while let first = chunks.first, first < column {
                context.recorder.note(.chunkUnlisted, place(first))
                chunks.removeFirst()
            }
            if chunks.first == column {
                chunks.removeFirst()
            } else {
                context.recorder.note(.chunkMissing, place(column))
            }
            if UInt32(column.value) >= table.definition.nextColumn {
                context.recorder.note(
                    .counter, place(column), expected: UInt64(table.definition.nextColumn),
                    found: UInt64(column.value))
            }
        }
        for column in chunks { context.recorder.note(.chunkUnlisted, place(column)) }
    }

    // MARK: Columns

    private mutating func check(
        _ column: VerifiedColumn, _ position: Int, isListed: Bool
    ) throws(StorageError) {
        let definition = column.definition
        let stored = block.stored(definition.id)
        guard isListed, let stored else {
            if isListed {
                table.noteUnreadable(position)
            } else {
                rows.columns[position] = .absent
            }
            return
        }
        guard let bytes = opened(stored, definition.id) else { return table.noteUnreadable(position) }
        let chunk = ChunkCheck(
            recorder: context.recorder, column: column, place: place(definition.id), live: rows.live)
        guard let plain = chunk.plain(bytes, scratch, position) else { return table.noteUnreadable(position) }
        rows.columns[position] = .plain(plain)
        chunk.checkNulls(plain)
        try ContentCheck(
            context: context, table: table, column: column, position: position, rows: rows, chunk: plain
        ).run()
    }
}

extension ChunkWalk.Block {
    /// The stored bytes of a column's chunk, or nil.
    ///
    /// - Complexity: O(log columns): a table may have thousands.
    fileprivate func stored(_ column: ColumnID) -> UnsafeRawBufferPointer? {
        let place = chunks.partitioningIndex { $0.column >= column }
        return place < chunks.count && chunks[place].column == column ? chunks[place].stored : nil
    }
}

extension [ColumnID] {
    /// Whether the column is among these, which rise.
    fileprivate func holds(_ column: ColumnID) -> Bool {
        let place = partitioningIndex { $0 >= column }
        return place < count && self[place] == column
    }
}

extension Array {
    /// The first place for whose element the claim is true, as it is for all behind it; else the end.
    fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension VerifyContext {
    /// Opens a chunk or bucket and looks at what all have in common: checksum and version. Nil for one too
    /// short to have them.
    func openedChunk(_ stored: UnsafeRawBufferPointer, key: ChunkKey) -> UnsafeRawBufferPointer? {
        let place = VerifyFinding.Place(space: key.space, column: key.column, block: key.block)
        guard let bytes = opened(stored, key: key.value, .chunkInvalid, place) else { return nil }
        guard bytes.count >= ChunkLayout.format else {
            recorder.note(.chunkInvalid, place, reason: "It ends within its header.")
            return nil
        }
        if !RecordSeal.holds(bytes, seed: key.value) { recorder.note(.chunkChecksum, place) }
        let version = bytes.loadUnaligned(fromByteOffset: ChunkLayout.version, as: UInt64.self)
        if version > reader.version.value {
            recorder.note(.chunkVersion, place, expected: reader.version.value, found: version)
        }
        return bytes
    }
}
