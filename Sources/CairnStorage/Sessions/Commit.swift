internal import CairnLMDB

/// One commit: everything that a session has changed, turned into puts and deletes in the order of
/// their keys, database by database.
///
/// The only place that writes what a transaction made (a spill writes ahead with the same
/// `ChunkWriter`), so that a journal can be put in front of it.
final class Commit {
    private let session: Session
    private let writer: WriteContext
    private let contents: StoreContents
    private var chunks: ChunkWriter
    private var recorder: ChangeRecorder
    /// Chunks that go: of blocks without rows, of dropped columns, of merged buckets.
    private var removedChunks: [ChunkKey] = []
    private let options: CommitOptions

    init(_ session: Session, _ writer: WriteContext, _ options: CommitOptions) {
        self.session = session
        self.writer = writer
        self.options = options
        contents = session.snapshot.contents
        chunks = ChunkWriter(contents: contents, version: writer.version)
        recorder = ChangeRecorder(before: session.snapshot, version: writer.version, origin: options.origin)
    }

    /// Writes everything but does not commit the LMDB transaction.
    ///
    /// - Returns: what the transaction changed; nil where that is nothing.
    func write() throws(StorageError) -> ChangeSet? {
        let owned = sortedChunks()
        let blocks = try settleDirectories(owned)
        try putChunks(owned, deadBlocks: blocks)
        collectRemovedBuckets()
        let changes = try recorder.changeSet(session, writer)
        try writeRest(changes)
        return changes
    }

    // MARK: Chunks

    private typealias Keyed = (key: ChunkKey, owned: WriteLayer.OwnedChunk, buffer: MutableChunk, index: Int)

    private func sortedChunks() -> [Keyed] {
        var result: [Keyed] = []
        for (index, owned) in writer.layers[0].owned.enumerated() {
            guard let buffer = owned.buffer else { continue }
            let key =
                switch owned.kind {
                case .directory: ChunkKey(owned.table, owned.block, .directory)
                case .column(let id): ChunkKey(owned.table, owned.block, id)
                case .bucket(let space): ChunkKey(space, owned.block, .bucket)
                }
            result.append((key, owned, buffer, index))
        }
        return result.sorted { $0.key < $1.key }
    }

    /// Finds the blocks that have no row left, takes dropped columns out of the directories, and
    /// counts.
    private func settleDirectories(_ chunks: [Keyed]) throws(StorageError) -> Set<ChunkKey> {
        var dead: Set<ChunkKey> = []
        for (key, owned, buffer, _) in chunks {
            guard case .directory = owned.kind, let table = session.openTable(owned.table) else { continue }
            let view = DirectoryView(buffer.pointer)
            let stored = try table.storedDirectory(owned.block)
            let wasLive = stored != nil
            let isLive = view.lastLiveSlot != nil
            recorder.noteDirectory(owned.table, owned.block, before: stored, after: view)
            if isLive {
                for id in view.columns where table.definition.position(of: id) == nil {
                    view.remove(id)
                    removedChunks.append(ChunkKey(owned.table, owned.block, id))
                }
            } else {
                dead.insert(key)
                let listed = Set(view.columns).union(stored.map { $0.columns } ?? [])
                removedChunks += listed.map { ChunkKey(owned.table, owned.block, $0) }
                removedChunks.append(key)
            }
            if wasLive != isLive {
                table.storedBlockCount = isLive ? table.storedBlockCount + 1 : table.storedBlockCount - 1
            }
        }
        for table in session.openTables { table.advanceFirstBlock() }
        return dead
    }

    private func putChunks(_ sorted: [Keyed], deadBlocks: Set<ChunkKey>) throws(StorageError) {
        var failure: StorageError?
        try writer.withTransaction { transaction throws(LMDBError) in
            for (key, owned, buffer, index) in sorted {
                switch owned.kind {
                case .directory:
                    if deadBlocks.contains(key) { continue }
                    try self.chunks.putDirectory(buffer, under: key, in: transaction)
                case .bucket(let space):
                    guard let table = self.session.openTable(owned.table),
                        table.hasBucket(owned.block, of: space)
                    else {
                        continue
                    }
                    try self.chunks.putBucket(MutableBucket(buffer), under: key, in: transaction)
                    self.release(index)
                case .column(let id):
                    guard let table = self.session.openTable(owned.table),
                        let position = table.definition.position(of: id),
                        !deadBlocks.contains(ChunkKey(owned.table, owned.block, .directory))
                    else { continue }
                    guard let directory = table.directory(owned.block) else {
                        failure = self.session.damage
                        return
                    }
                    self.recorder.noteColumn(
                        owned.table, id, owned.block, BlockBitmap(loadingFrom: buffer.changedSlots))
                    // The last block is still being filled: it will be written again soon, and would
                    // have to be unpacked for each row that is added.
                    let packs = self.options.packsChunks && owned.block + 1 < table.blockLimit
                    try self.chunks.put(
                        buffer, table.facts[position], directory: DirectoryView(directory), under: key,
                        packs: packs, in: transaction)
                    self.release(index)
                }
            }
        }
        if let failure { throw failure }
    }

    /// Frees a chunk that was put: LMDB holds it now, and a large write should not be held twice.
    ///
    /// Nothing reads the session's chunks any more: either the commit succeeds or the write is undone.
    private func release(_ index: Int) {
        let lowest = writer.layers[0]
        guard let buffer = lowest.owned[index].buffer else { return }
        session.openTable(lowest.owned[index].table)?.setEntry(lowest.owned[index], pointer: nil, layer: 0)
        lowest.owned[index].buffer = nil
        buffer.free()
    }

    /// Buckets of dropped indexes, and those that an index has lost by shrinking.
    private func collectRemovedBuckets() {
        for removed in writer.removedIndexes where removed.index.kind == .hash {
            collectBuckets(of: removed.index.space, in: removed.table, from: 0)
        }
        for table in session.openTables {
            for (index, state) in zip(table.definition.indexes, table.indexStates) where index.kind == .hash {
                collectBuckets(of: index.space, in: table.definition.space, from: state.hash.bucketCount)
            }
        }
    }

    private func collectBuckets(of index: SpaceID, in table: SpaceID, from first: UInt32) {
        let stored = session.openTable(table)?.storedBucketCount(of: index) ?? 0
        if first < stored {
            for number in first..<stored { removedChunks.append(ChunkKey(index, number, .bucket)) }
        }
        guard !writer.spilled.isEmpty else { return }
        for key in writer.spilled where key.space == index && key.block >= max(first, stored) {
            removedChunks.append(key)
        }
    }

    // MARK: The rest

    private func writeRest(_ changes: ChangeSet?) throws(StorageError) {
        let removed = removedChunks.sorted()
        let lowest = writer.layers[0]
        let catalogue = try CatalogueChanges(session, writer)
        let record = changes.flatMap { changes -> [UInt8]? in
            guard options.window.keepsRecords else { return nil }
            return changes.encoded(limit: options.window.recordByteLimit)
        }
        try writer.withTransaction { transaction throws(LMDBError) in
            let contents = self.contents
            for key in removed { _ = try transaction.delete(contents.chunks, key.value) }
            for (id, value) in lowest.addedValues.sorted(by: { $0.key < $1.key }) {
                try transaction.put(
                    contents.values, id.value, contents.codec.seal(value.bytes, key: id.value))
            }
            for id in lowest.removedValues.sorted() { _ = try transaction.delete(contents.values, id.value) }
            try self.putOrdered(transaction)
            try catalogue.put(contents, transaction)
            if let record {
                try record.withBytes { bytes throws(LMDBError) in
                    try transaction.put(
                        contents.changes, self.writer.version.value,
                        contents.codec.seal(bytes, key: self.writer.version.value))
                }
            }
            if self.options.window.isDue(at: self.writer.version) { try self.trimChanges(transaction) }
        }
    }

    private func putOrdered(_ transaction: borrowing WriteTransaction) throws(LMDBError) {
        let tables = Set(session.schema.tables.flatMap { $0.columns.compactMap(\.overflowSpace) })
        let database = contents.ordered
        // `forEachSorted` takes the closure for the call only; the transaction is used on one thread.
        try writer.ordered.forEachSorted { key, change throws(LMDBError) in
            switch change {
            case .put(let payload):
                let space = SpaceID(UInt16(bigEndian: key.loadUnaligned(as: UInt16.self)))
                try withUnsafeTypedBytes(payload.littleEndian) { bytes throws(LMDBError) in
                    let value = tables.contains(space) ? bytes : UnsafeRawBufferPointer(start: nil, count: 0)
                    try transaction.put(database, key, value)
                }
            case .removal:
                _ = try transaction.delete(database, key)
            }
        }
    }

    private func withUnsafeTypedBytes(
        _ value: UInt32, _ body: (UnsafeRawBufferPointer) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        try withUnsafeBytes(of: value) { bytes in
            Result { () throws(LMDBError) in try body(bytes) }
        }.get()
    }

    /// Removes the records of versions that have left the window, the oldest first.
    private func trimChanges(_ transaction: borrowing WriteTransaction) throws(LMDBError) {
        var sizes: [(version: UInt64, byteCount: Int)] = []
        do {
            var cursor = try transaction.cursor(contents.changes)
            var entry = try cursor.first()
            while let found = entry {
                sizes.append((found.integerKey, found.value.count))
                entry = try cursor.next()
            }
        }
        var byteCount = sizes.reduce(0) { $0 + $1.byteCount }
        for (version, size) in sizes {
            guard options.window.trims(Version(version), newest: writer.version, byteCount: byteCount) else {
                return
            }
            _ = try transaction.delete(contents.changes, version)
            byteCount -= size
        }
    }
}

/// What a commit is told by the store.
struct CommitOptions: Sendable {
    /// Tells this process's store from others in change records.
    var origin: UInt64
    var window: ChangeWindow
    /// Whether chunks that become half as large are packed.
    var packsChunks = true
}
