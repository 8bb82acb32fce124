extension Session {
    /// Begins a write on a snapshot that was opened under the write lock.
    func begin(_ writer: WriteContext, on snapshot: Snapshot) throws(StorageError) {
        precondition(self.writer == nil, "a write began inside a write")
        forgetDamage()
        try move(to: snapshot)
        pushFirstLayer(writer)
    }

    /// Writes everything that the session has changed into the LMDB transaction, which is left open.
    ///
    /// - Returns: what was changed, or nil for nothing: then there is nothing to commit.
    /// - Throws: `duplicateKey`, damage that was met since the write began, and what writing throws.
    ///   The write can only be cancelled then.
    func writeChanges(_ options: CommitOptions) throws(StorageError) -> ChangeSet? {
        let writer = requiredWriter
        precondition(writer.layers.count == 1, "a write was committed with a savepoint open")
        // Of something that was written ahead: LMDB would refuse the rest without saying why.
        if let failure = writer.failure { throw failure }
        try finishRows()
        try flushLists(writer)
        if let damage { throw damage }
        let changes = try Commit(self, writer, options).write()
        if let damage { throw damage }
        return changes
    }

    /// Ends the write without moving: what the session held is freed, and its block tables are reset.
    ///
    /// - Parameter snapshot: where the session goes on.
    func end(movingTo snapshot: Snapshot) throws(StorageError) {
        writer = nil
        forgetDamage()
        try move(to: snapshot)
    }

    /// Writes the lists in pieces that were changed, and puts their places into their slots.
    private func flushLists(_ writer: WriteContext) throws(StorageError) {
        for place in Array(writer.pendingRemovals.keys) {
            let table = try table(place.table)
            guard let position = table.definition.position(of: place.column) else { continue }
            _ = try table.listCount(place.row, position)
        }
        for (place, list) in writer.longLists {
            guard let table = openTable(place.table), schema[place.table] != nil,
                let position = table.definition.position(of: place.column)
            else { continue }
            try table.flush(list, place.row, position)
        }
        writer.longLists = [:]
    }
}

extension SessionTable {
    fileprivate func flush(_ edited: LongList, _ row: RowKey, _ position: Int) throws(StorageError) {
        let writer = session.requiredWriter
        var list = edited
        let flushed = try list.flush(
            newID: { () throws(StorageError) in try writer.makeValueID() },
            write: { id, record throws(StorageError) in writer.add(UnsafeRawBufferPointer(record), under: id)
            },
            remove: { id throws(StorageError) in writer.remove(id) })
        switch flushed {
        case .inHeap(let payload, let count): writeHeapList(row, position, payload, count: count)
        case .inPieces(let directory, let count):
            let slot = ownChunk(position, row.block) + ChunkLayout.slots + row.slot * 16
            slot.storeBytes(of: UInt32(count), as: UInt32.self)
            slot.storeBytes(of: ListSlot.inPieces, toByteOffset: ListSlot.flags, as: UInt32.self)
            slot.storeBytes(of: directory.value, toByteOffset: ListSlot.valueID, as: UInt64.self)
        }
    }
}
