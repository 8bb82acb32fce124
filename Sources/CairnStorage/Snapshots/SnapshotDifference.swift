internal import Glibc

/// What differs between two versions, found by comparing them: for those who have fallen behind the
/// window of change records.
///
/// A chunk that neither version has written since the other is not looked at: its header names the
/// version that wrote it. So the work follows the blocks that were written, not the rows.
struct SnapshotDifference {
    private let old: Snapshot
    private let new: Snapshot

    init(from old: Snapshot, to new: Snapshot) {
        self.old = old
        self.new = new
    }

    /// - Throws: `damaged`.
    func changeSet() throws(StorageError) -> ChangeSet {
        var tables: [SpaceID: TableChanges] = [:]
        for definition in new.schema.tables {
            let changes = try changes(of: definition)
            if !changes.isEmpty { tables[definition.space] = changes }
        }
        return ChangeSet(
            from: old.version, to: new.version, origin: 0, catalogueChanged: old.schema != new.schema,
            tables: tables)
    }

    private func changes(of definition: TableDefinition) throws(StorageError) -> TableChanges {
        guard let newPlace = new.schema.place(of: definition.space) else { return TableChanges() }
        let newTable = try new.table(newPlace)
        let oldTable: SnapshotTable?
        if let place = old.schema.place(of: definition.space) {
            oldTable = try old.table(place)
        } else {
            oldTable = nil
        }
        var inserted = RowKeySet()
        var deleted = RowKeySet()
        var modified: [ColumnID: RowKeySet] = [:]
        let first = min(newTable.state.firstBlock, oldTable?.state.firstBlock ?? UInt32.max)
        let limit = max(newTable.state.blockLimit, oldTable?.state.blockLimit ?? 0)
        guard first < limit else { return TableChanges() }
        for block in first..<limit {
            let before = try oldTable.flatMap { table throws(StorageError) in
                try old.directory(table, block: block)
            }
            let after = try new.directory(newTable, block: block)
            let oldRows = before.map { BlockBitmap(loadingFrom: $0 + ChunkLayout.bitmap) } ?? BlockBitmap()
            let newRows = after.map { BlockBitmap(loadingFrom: $0 + ChunkLayout.bitmap) } ?? BlockBitmap()
            inserted.insert(newRows.subtracting(oldRows), of: block)
            deleted.insert(oldRows.subtracting(newRows), of: block)
            let both = oldRows.intersection(newRows)
            guard !both.isEmpty, let oldTable, let before, let after else { continue }
            let pair = BlockPair(
                block: block, oldTable: oldTable, newTable: newTable, before: DirectoryView(before),
                after: DirectoryView(after), rows: both)
            try compare(pair, &modified)
        }
        guard let changes = TableChanges(inserted: inserted, deleted: deleted, modified: modified) else {
            preconditionFailure("a row is in two sets of a difference")
        }
        return changes
    }

    private struct BlockPair {
        let block: UInt32
        let oldTable: SnapshotTable
        let newTable: SnapshotTable
        let before: DirectoryView
        let after: DirectoryView
        /// Live in both.
        let rows: BlockBitmap
    }

    private func compare(_ pair: BlockPair, _ modified: inout [ColumnID: RowKeySet]) throws(StorageError) {
        for (position, column) in pair.newTable.definition.columns.enumerated() {
            // Before a column was made its rows had its default.
            let oldPosition = pair.oldTable.definition.position(of: column.id)
            let wasListed = oldPosition != nil && pair.before.lists(column.id)
            let isListed = pair.after.lists(column.id)
            guard wasListed || isListed else { continue }
            var newChunk: UnsafeRawPointer?
            if isListed {
                let chunk = try new.chunk(
                    pair.newTable, position: position, block: pair.block, directory: pair.after)
                if wasListed, ChunkView(chunk).version <= old.version.value { continue }
                newChunk = chunk
            }
            var oldChunk: UnsafeRawPointer?
            if wasListed, let oldPosition {
                oldChunk = try old.chunk(
                    pair.oldTable, position: oldPosition, block: pair.block, directory: pair.before)
            }
            let rows = try changedSlots(column, oldChunk, newChunk, pair.rows)
            if !rows.isEmpty { modified[column.id, default: RowKeySet()].insert(rows, of: pair.block) }
        }
    }

    private func changedSlots(
        _ column: ColumnDefinition, _ before: UnsafeRawPointer?, _ after: UnsafeRawPointer?,
        _ rows: BlockBitmap
    ) throws(StorageError) -> BlockBitmap {
        let fallback = DefaultChunk.make(column)
        defer { fallback.deallocate() }
        let comparison = SlotComparison(
            shape: column.shape, left: before ?? UnsafeRawPointer(fallback),
            right: after ?? UnsafeRawPointer(fallback))
        var changed = BlockBitmap()
        for slot in 0..<Block.slotCount where rows.contains(slot) {
            if !comparison.areEqual(slot) { changed.insert(slot) }
        }
        return changed
    }
}

/// Compares a slot of two plain chunks of one column.
private struct SlotComparison {
    let shape: SlotShape
    let left: UnsafeRawPointer
    let right: UnsafeRawPointer

    /// Values and lists that are stored apart count as equal when it is the same record: records are
    /// written once. A row that was set to an equal large value is reported as changed.
    func areEqual(_ slot: Int) -> Bool {
        guard ChunkView(left).bit(slot) == ChunkView(right).bit(slot) else { return false }
        if shape == .bits { return ChunkView(left).valueBit(slot) == ChunkView(right).valueBit(slot) }
        let width = shape.slotByteCount
        let leftSlot = left + ChunkLayout.slots + slot * width
        let rightSlot = right + ChunkLayout.slots + slot * width
        let leftUse = SlotHeapUse.byteCount(leftSlot, shape: shape)
        let rightUse = SlotHeapUse.byteCount(rightSlot, shape: shape)
        guard leftUse == rightUse else { return false }
        if leftUse == 0 {
            // Rows with many links have them in `ordered`, where this does not look.
            if shape == .backlinks, isInOrdered(leftSlot) || isInOrdered(rightSlot) { return false }
            return memcmp(leftSlot, rightSlot, width) == 0
        }
        guard memcmp(leftSlot, rightSlot, 8) == 0 else { return false }
        return memcmp(heap(left, leftSlot), heap(right, rightSlot), leftUse) == 0
    }

    private func isInOrdered(_ slot: UnsafeRawPointer) -> Bool {
        slot.loadUnaligned(fromByteOffset: BacklinkSlot.flags, as: UInt32.self) & BacklinkSlot.inOrdered != 0
    }

    private func heap(_ chunk: UnsafeRawPointer, _ slot: UnsafeRawPointer) -> UnsafeRawPointer {
        let offset = Int(slot.loadUnaligned(fromByteOffset: TextSlot.heapOffset, as: UInt32.self))
        return chunk + ChunkLayout.slots + ChunkView(chunk).slotCount * 16 + offset
    }
}
