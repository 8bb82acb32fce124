internal import CairnLMDB

extension Session {
    /// Writes some of what the session holds ahead of the commit when that is too much.
    ///
    /// Called where nobody holds a pointer into an own chunk. Column chunks go first, the oldest
    /// blocks before the newer ones; large values with them; buckets of hash indexes, which are used
    /// at random, only when they alone take twice the limit. Directories stay. Of a stack of layers
    /// only what the lowest owns can be written: the others may be undone.
    func spillIfNeeded() throws(StorageError) {
        guard let writer else { return }
        if writer.heldByteCount > writer.nextSpillByteCount {
            try spillChunks(writer, until: writer.spillLimit / 2)
            // What higher layers own stays: looking for something else each time would take the time of all.
            writer.nextSpillByteCount = max(
                writer.spillLimit, writer.heldByteCount + writer.spillLimit / 8)
        }
        if writer.heldBucketByteCount > writer.spillLimit * 2 { try spillBuckets(writer) }
        if writer.holdsTooManyReloaded { dropReloaded(writer) }
    }

    /// Whether `spillIfNeeded` would do something.
    var holdsTooMuch: Bool {
        guard let writer else { return false }
        return writer.heldByteCount > writer.nextSpillByteCount
            || writer.heldBucketByteCount > writer.spillLimit * 2
            || writer.holdsTooManyReloaded
    }

    /// Bytes of column chunks and large values that the write holds in memory.
    package var heldByteCount: Int { writer?.heldByteCount ?? 0 }

    private func spillChunks(_ writer: WriteContext, until limit: Int) throws(StorageError) {
        for table in openTables { table.forgetInsertBlock() }
        let lowest = writer.layers[0]
        let candidates = lowest.owned.indices.compactMap { index -> (key: ChunkKey, index: Int)? in
            guard lowest.owned[index].buffer != nil, case .column(let id) = lowest.owned[index].kind else {
                return nil
            }
            return (ChunkKey(lowest.owned[index].table, lowest.owned[index].block, id), index)
        }
        let order = candidates.sorted { ($0.key.block, $0.key) < ($1.key.block, $1.key) }
        var chunks = ChunkWriter(contents: snapshot.contents, version: writer.version)
        try writer.withTransaction { transaction throws(LMDBError) in
            for (id, record) in lowest.addedValues {
                try transaction.put(
                    self.snapshot.contents.values, id.value,
                    self.snapshot.contents.codec.seal(record.bytes, key: id.value))
                writer.spilledValues.insert(id)
                writer.heldByteCount -= record.bytes.count
            }
            lowest.addedValues = [:]
            for candidate in order {
                guard writer.heldByteCount > limit else { return }
                try self.spill(candidate.index, candidate.key, of: lowest, writer, &chunks, transaction)
            }
        }
    }

    private func spill(
        _ index: Int, _ key: ChunkKey, of lowest: WriteLayer, _ writer: WriteContext,
        _ chunks: inout ChunkWriter, _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let owned = lowest.owned[index]
        // What is written are the rows of the directory. One of a higher layer may lack rows that come
        // back when that layer is undone.
        guard let buffer = owned.buffer, let table = openTable(key.space),
            let position = table.definition.position(of: key.column),
            table.columns[position + 1].layer(key.block) == 1, table.columns[0].layer(key.block) <= 1,
            let directory = table.directory(key.block)
        else { return }
        let view = DirectoryView(directory)
        guard view.lastLiveSlot != nil else { return }
        let packs = limits.packsChunks && key.block + 1 < table.blockLimit
        try chunks.put(
            buffer, table.facts[position], directory: view, under: key, packs: packs, in: transaction)
        // Rows that this write has added count as that alone: of a large import nothing is noted here.
        let changed = BlockBitmap(loadingFrom: buffer.changedSlots).intersection(table.storedRows(key.block))
        if !changed.isEmpty {
            writer.spilledChanges[key.space, default: [:]][key.column, default: RowKeySet()].insert(
                changed, of: key.block)
        }
        writer.spilled.insert(key)
        writer.dropReloaded(key)
        table.columns[position + 1].set(key.block, nil, layer: 0)
        lowest.owned[index].buffer = nil
        writer.heldByteCount -= owned.byteCount
        buffer.free()
    }

    private func spillBuckets(_ writer: WriteContext) throws(StorageError) {
        let lowest = writer.layers[0]
        var chunks = ChunkWriter(contents: snapshot.contents, version: writer.version)
        try writer.withTransaction { transaction throws(LMDBError) in
            for index in lowest.owned.indices {
                let owned = lowest.owned[index]
                guard case .bucket(let space) = owned.kind, let buffer = owned.buffer,
                    let table = self.openTable(owned.table),
                    let place = table.definition.indexes.firstIndex(where: { $0.space == space }),
                    table.buckets[place].layer(owned.block) == 1
                else { continue }
                let key = ChunkKey(space, owned.block, .bucket)
                try chunks.putBucket(MutableBucket(buffer), under: key, in: transaction)
                writer.spilled.insert(key)
                writer.dropReloaded(key)
                table.buckets[place].set(owned.block, nil, layer: 0)
                lowest.owned[index].buffer = nil
                writer.heldBucketByteCount -= owned.byteCount
                buffer.free()
            }
        }
    }

    private func dropReloaded(_ writer: WriteContext) {
        let pointers = writer.reloadedPointers
        for table in openTables { table.forgetChunks { pointers.contains($0) } }
        // An undone layer brings these back.
        for table in removedTables.values { table.forgetChunks { pointers.contains($0) } }
        writer.dropReloaded()
    }
}
