/// Makes a transaction's change set out of what its commit writes anyway: the live rows of the
/// directories before and after, and the changed slots of each column chunk.
struct ChangeRecorder {
    private let before: Snapshot
    private let version: Version
    private let origin: UInt64
    private var inserted: [SpaceID: RowKeySet] = [:]
    private var deleted: [SpaceID: RowKeySet] = [:]
    private var modified: [SpaceID: [ColumnID: RowKeySet]] = [:]
    /// Of blocks that got or lost rows, those that were live before and are live afterwards: the only
    /// ones that can have been modified.
    private var stayed: [SpaceID: [UInt32: BlockBitmap]] = [:]

    init(before: Snapshot, version: Version, origin: UInt64) {
        self.before = before
        self.version = version
        self.origin = origin
    }

    /// - Parameters:
    ///   - before: the block's directory in the snapshot, or nil.
    mutating func noteDirectory(
        _ table: SpaceID, _ block: UInt32, before: DirectoryView?, after: DirectoryView
    ) {
        let old = before.map { BlockBitmap(loadingFrom: $0.pointer + ChunkLayout.bitmap) } ?? BlockBitmap()
        let new = BlockBitmap(loadingFrom: after.pointer + ChunkLayout.bitmap)
        let added = new.subtracting(old)
        let removed = old.subtracting(new)
        if !added.isEmpty { inserted[table, default: RowKeySet()].insert(added, of: block) }
        if !removed.isEmpty { deleted[table, default: RowKeySet()].insert(removed, of: block) }
        stayed[table, default: [:]][block] = old.intersection(new)
    }

    mutating func noteColumn(_ table: SpaceID, _ column: ColumnID, _ block: UInt32, _ slots: BlockBitmap) {
        let changed = stayed[table]?[block].map { slots.intersection($0) } ?? slots
        if !changed.isEmpty {
            modified[table, default: [:]][column, default: RowKeySet()].insert(changed, of: block)
        }
    }

    /// The change set, or nil where nothing changed.
    func changeSet(_ session: Session, _ writer: WriteContext) throws(StorageError) -> ChangeSet? {
        let catalogueChanged = session.schema != before.schema
        var tables: [SpaceID: TableChanges] = [:]
        var spaces = Set(inserted.keys).union(deleted.keys).union(modified.keys)
        spaces.formUnion(writer.spilledChanges.keys)
        for space in spaces {
            guard let table = session.schema[space] else { continue }
            if let changes = changes(of: space, writer, table), !changes.isEmpty { tables[space] = changes }
        }
        let countersChanged = session.counters.schemaVersion != before.counters.schemaVersion
        guard catalogueChanged || countersChanged || !tables.isEmpty else { return nil }
        return ChangeSet(
            from: before.version, to: version, origin: origin, catalogueChanged: catalogueChanged,
            tables: tables)
    }

    private func changes(of space: SpaceID, _ writer: WriteContext, _ table: TableDefinition) -> TableChanges?
    {
        let inserted = inserted[space] ?? RowKeySet()
        let deleted = deleted[space] ?? RowKeySet()
        var modified = self.modified[space] ?? [:]
        for (column, rows) in writer.spilledChanges[space] ?? [:] {
            for entry in rows.entries {
                let kept = stayed[space]?[entry.block].map { entry.rows.intersection($0) } ?? entry.rows
                modified[column, default: RowKeySet()].insert(kept, of: entry.block)
            }
        }
        for column in Array(modified.keys) where table.position(of: column) == nil { modified[column] = nil }
        return TableChanges(inserted: inserted, deleted: deleted, modified: modified)
    }
}
