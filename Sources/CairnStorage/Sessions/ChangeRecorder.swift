/// Makes a transaction's change set out of what its commit writes anyway: the live rows of the
/// directories before and after, and the changed slots of each column chunk.
struct ChangeRecorder {
    private let before: Snapshot
    private let version: Version
    private let origin: UInt64
    private var inserted: [SpaceID: RowKeySet] = [:]
    private var deleted: [SpaceID: RowKeySet] = [:]
    private var modified: [SpaceID: [ColumnID: RowKeySet]] = [:]

    init(before: Snapshot, version: Version, origin: UInt64) {
        self.before = before
        self.version = version
        self.origin = origin
    }

    /// - Parameters:
    ///   - before: the block's directory in the snapshot, or nil.
    mutating func noteDirectory(_ table: SpaceID, _ block: UInt32, before: DirectoryView?, after: DirectoryView) {
        let old = before.map { BlockBitmap(loadingFrom: $0.pointer + ChunkLayout.bitmap) } ?? BlockBitmap()
        let new = BlockBitmap(loadingFrom: after.pointer + ChunkLayout.bitmap)
        let added = new.subtracting(old)
        let removed = old.subtracting(new)
        if !added.isEmpty { inserted[table, default: RowKeySet()].insert(added, of: block) }
        if !removed.isEmpty { deleted[table, default: RowKeySet()].insert(removed, of: block) }
    }

    mutating func noteColumn(_ table: SpaceID, _ column: ColumnID, _ block: UInt32, _ changed: BlockBitmap) {
        if !changed.isEmpty { modified[table, default: [:]][column, default: RowKeySet()].insert(changed, of: block) }
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
            versionBefore: before.version, version: version, origin: origin, catalogueChanged: catalogueChanged,
            tables: tables)
    }

    private func changes(of space: SpaceID, _ writer: WriteContext, _ table: TableDefinition) -> TableChanges? {
        let inserted = inserted[space] ?? RowKeySet()
        let deleted = deleted[space] ?? RowKeySet()
        var modified = self.modified[space] ?? [:]
        for (column, rows) in writer.spilledChanges[space] ?? [:] {
            modified[column, default: RowKeySet()].formUnion(rows)
        }
        for (column, rows) in modified {
            guard table.position(of: column) != nil else {
                modified[column] = nil
                continue
            }
            // A row that was added counts as that alone; one that was added and deleted as nothing.
            let kept = rows.subtracting(inserted).subtracting(deleted).filteredToLive(in: before, space)
            modified[column] = kept.isEmpty ? nil : kept
        }
        return TableChanges(inserted: inserted, deleted: deleted, modified: modified)
    }
}
