extension Session {
    /// Puts a layer on the write: everything from here on can be undone without the rest.
    ///
    /// - Complexity: O(tables in use).
    package func pushLayer() throws(StorageError) {
        let writer = requiredWriter
        try finishRows()
        writer.push(makeLayer(writer))
        enterLayer(writer.layerNumber)
    }

    /// The first layer of a write.
    func pushFirstLayer(_ writer: WriteContext) {
        for table in openTables { table.skipUsedRowKeys() }
        writer.nextValueID = counters.nextValueID
        writer.push(makeLayer(writer))
        self.writer = writer
        enterLayer(writer.layerNumber)
    }

    private func makeLayer(_ writer: WriteContext) -> WriteLayer {
        var states: [SpaceID: TableState] = [:]
        for table in openTables { states[table.definition.space] = table.state }
        return WriteLayer(
            schema: schema, counters: counters, tableStates: states, orderedMark: writer.ordered.mark(),
            longLists: writer.longLists, pendingRemovals: writer.pendingRemovals)
    }

    private func enterLayer(_ number: UInt16) {
        for table in openTables {
            table.layer = number
            table.forgetInsertBlock()
        }
    }

    /// The uppermost layer's changes become the one's below.
    package func mergeLayer() throws(StorageError) {
        let writer = requiredWriter
        precondition(writer.layers.count > 1, "the lowest layer of a write is ended by commit or cancel")
        try finishRows()
        let upper = writer.popLayer()
        let lower = writer.top
        writer.ordered.release(upper.orderedMark)
        for owned in upper.owned { merge(owned, into: lower, number: writer.layerNumber) }
        lower.addedValues.merge(upper.addedValues) { _, new in new }
        for id in upper.removedValues { writer.remove(id) }
        enterLayer(writer.layerNumber)
    }

    private func merge(_ owned: WriteLayer.OwnedChunk, into lower: WriteLayer, number: UInt16) {
        guard let buffer = owned.buffer else { return }
        if owned.previousLayer == number, let previous = owned.previous {
            // The lower layer has this chunk too: the newer buffer takes its place in the list.
            for index in 0..<Block.wordCount { buffer.changedSlots[index] |= previous.changedSlots[index] }
            buffer.entryIndex = previous.entryIndex
            let entry = lower.owned[previous.entryIndex]
            requiredWriter.count(owned.kind, -entry.byteCount)
            lower.owned[previous.entryIndex].buffer = buffer
            lower.owned[previous.entryIndex].byteCount = owned.byteCount
            previous.free()
        } else {
            buffer.entryIndex = lower.owned.count
            lower.owned.append(owned)
        }
        setEntry(owned, pointer: buffer.pointer, layer: number)
    }

    /// Undoes the uppermost layer.
    package func popLayer() throws(StorageError) {
        let writer = requiredWriter
        precondition(writer.layers.count > 1, "the lowest layer of a write is ended by commit or cancel")
        let layer = writer.popLayer()
        for owned in layer.owned {
            guard let buffer = owned.buffer else { continue }
            // Where no lower layer owns the chunk it is looked up anew when it is next needed.
            setEntry(
                owned, pointer: owned.previous?.pointer,
                layer: owned.previous == nil ? 0 : owned.previousLayer)
            writer.count(owned.kind, -owned.byteCount)
            buffer.free()
        }
        for record in layer.addedValues.values { writer.heldByteCount -= record.bytes.count }
        writer.ordered.rollBack(to: layer.orderedMark)
        writer.longLists = layer.longLists
        writer.pendingRemovals = layer.pendingRemovals
        try restore(layer)
        enterLayer(writer.layerNumber)
        state.pointee.epoch += 1
    }

    private func restore(_ layer: WriteLayer) throws(StorageError) {
        counters = layer.counters
        if schema != layer.schema {
            schema = layer.schema
            state.pointee.schemaEpoch += 1
        }
        takeBackRemovedTables()
        requiredWriter.removedIndexes.removeAll { removed in
            schema[removed.table]?.indexes.contains { $0.space == removed.index.space } ?? false
        }
        for table in Array(openTables) {
            let space = table.definition.space
            guard let definition = schema[space] else {
                close(space)
                continue
            }
            table.openRow = nil
            // A table without a state was opened after the layer was made, so the layer found it as it is
            // in the snapshot.
            let reached = table.nextRowKey
            if let state = layer.tableStates[space] {
                table.state = state
            } else {
                table.state = try snapshotState(space)
            }
            // Row keys that were handed out are not used again, also when their rows are undone:
            // somebody may still hold one.
            table.nextRowKey = max(table.nextRowKey, reached)
            if table.definition != definition { table.rebuild(definition) }
        }
    }

    private func snapshotState(_ space: SpaceID) throws(StorageError) -> TableState {
        guard let place = snapshot.schema.place(of: space) else { return TableState() }
        return try snapshot.table(place).state
    }

    /// Points a block table's entry elsewhere.
    private func setEntry(_ owned: WriteLayer.OwnedChunk, pointer: UnsafeRawPointer?, layer: UInt16) {
        guard let table = openTable(owned.table) else { return }
        table.setEntry(owned, pointer: pointer, layer: layer)
    }

    /// Enters every row that was added into the indexes.
    func finishRows() throws(StorageError) {
        for table in openTables where table.openRow != nil { try table.finishRow() }
    }
}

extension SessionTable {
    /// Points the entry of an owned chunk elsewhere, whether its column is in the definition or was
    /// dropped by this write.
    func setEntry(_ owned: WriteLayer.OwnedChunk, pointer: UnsafeRawPointer?, layer: UInt16) {
        switch owned.kind {
        case .directory:
            columns[0].set(owned.block, pointer, layer: layer)
        case .column(let id):
            if let position = definition.position(of: id) {
                columns[position + 1].set(owned.block, pointer, layer: layer)
            } else {
                setRetiredEntry(id, owned.block, pointer, layer)
            }
        case .bucket(let space):
            if let index = definition.indexes.firstIndex(where: { $0.space == space }) {
                buckets[index].set(owned.block, pointer, layer: layer)
            } else {
                setRetiredBucket(space, owned.block, pointer, layer)
            }
        }
    }
}
