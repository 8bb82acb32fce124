/// A table as a session sees it: where its chunks are, its state, and the ways to read and change it.
///
/// Columns are named by their *position*, their place in `definition.columns`. Positions and the
/// address of `columns` hold until the session's `schemaEpoch` changes.
///
/// Used by one thread at a time, that of its session.
@usableFromInline
package final class SessionTable {
    /// Lives as long as the session, which owns it.
    unowned(unsafe) let session: Session
    @exclusivity(unchecked)
    package internal(set) final var definition: TableDefinition
    /// The directory's table, then one a column. Raw, so that a read costs no reference count.
    @exclusivity(unchecked) @usableFromInline
    package private(set) final var columns: UnsafeMutablePointer<BlockTable>
    /// One a position.
    @exclusivity(unchecked) @usableFromInline
    final var facts: UnsafeMutablePointer<ColumnFacts>
    /// One an index.
    @exclusivity(unchecked) final var indexFacts: UnsafeMutablePointer<IndexFacts>
    /// The place of the primary key among the indexes, or -1.
    @exclusivity(unchecked) final var primaryKeyIndex = -1
    /// The seed of the file's hash indexes.
    let hashSeed: UInt64
    /// The other ends of link columns, by position, looked up when first needed; and the session's
    /// schema epoch that they hold for.
    @exclusivity(unchecked) final var counterparts: [Counterpart?] = []
    @exclusivity(unchecked) final var counterpartsEpoch: UInt64 = 0
    @exclusivity(unchecked) private(set) final var columnCount: Int
    /// One an index; those of ordered ones stay empty.
    @exclusivity(unchecked) final var buckets: UnsafeMutablePointer<BlockTable>
    @exclusivity(unchecked) private(set) final var indexCount: Int
    /// The number of the layer that changes go to; `noLayer` outside of a write.
    @exclusivity(unchecked) @usableFromInline
    final var layer: UInt16 = SessionTable.noLayer

    /// Rises with every value that is set in this session.
    @exclusivity(unchecked) @usableFromInline final var changeCount: UInt64 = 0

    // The state, apart because the hot path changes it for each row.
    @exclusivity(unchecked) final var nextRowKey: UInt64 = 0
    @exclusivity(unchecked) final var rowCountNow: UInt64 = 0
    var storedBlockCount: UInt64 = 0
    var firstBlock: UInt32 = 0
    @exclusivity(unchecked) final var indexStates: [IndexState] = []

    /// The table in the session's snapshot; nil for one that this write made.
    private(set) var snapshotTable: SnapshotTable?
    /// For each position the column's place in the snapshot's definition.
    private var snapshotPositions: [Int?] = []
    /// For each position a chunk with 448 slots at the column's default, made when it is needed.
    private var defaultChunks: [UnsafeMutableRawPointer?] = []
    /// Block tables of columns that this write dropped: an undone layer brings them back.
    private var retired: [ColumnID: BlockTable] = [:]
    private var retiredBuckets: [SpaceID: BlockTable] = [:]

    /// The block that rows are added to, prepared for it, and its directory.
    @exclusivity(unchecked) final var insertBlock = UInt32.max
    @exclusivity(unchecked) final var insertDirectory: UnsafeMutableRawPointer?
    /// The ranks of blocks, as far as they were asked for.
    @exclusivity(unchecked) final var blockRanks: BlockRanks?
    /// A row that was added and is not in the indexes yet.
    @exclusivity(unchecked) final var openRow: RowKey?

    /// The layer number that owns no chunk.
    @usableFromInline static let noLayer = UInt16.max

    init(session: Session, definition: TableDefinition, snapshotTable: SnapshotTable?) {
        self.session = session
        self.definition = definition
        columnCount = 0
        indexCount = 0
        columns = .allocate(capacity: 1)
        columns.initialize(to: BlockTable())
        facts = .allocate(capacity: 1)
        indexFacts = .allocate(capacity: 1)
        hashSeed = session.snapshot.contents.identity.hashSeed
        buckets = .allocate(capacity: 1)
        adopt(snapshotTable)
        state = snapshotTable?.state ?? TableState()
        rebuild(definition)
    }

    deinit {
        resetBlockTables()
        freeDefaults()
        columns.deallocate()
        facts.deallocate()
        indexFacts.deallocate()
        buckets.deallocate()
    }

    /// What the catalogue keeps of the table's state.
    var state: TableState {
        get {
            var state = TableState()
            state.nextRowKey = nextRowKey
            state.rowCount = rowCountNow
            state.blockCount = storedBlockCount
            state.firstBlock = firstBlock
            state.indexes = indexStates
            return state
        }
        set {
            nextRowKey = newValue.nextRowKey
            rowCountNow = newValue.rowCount
            storedBlockCount = newValue.blockCount
            firstBlock = newValue.firstBlock
            indexStates = newValue.indexes
            forgetInsertBlock()
        }
    }

    /// The number of rows.
    package var rowCount: Int { Int(rowCountNow) }

    /// The block behind the last one that may have a row.
    @usableFromInline
    package var blockLimit: UInt32 {
        UInt32(truncatingIfNeeded: (nextRowKey + UInt64(Block.slotCount) - 1) / UInt64(Block.slotCount))
    }

    /// Goes on behind the row keys that writes which were undone have handed out.
    func skipUsedRowKeys() {
        guard let floor = session.rowKeyFloors[definition.space] else { return }
        nextRowKey = max(nextRowKey, floor)
    }

    func forgetInsertBlock() {
        insertBlock = UInt32.max
        insertDirectory = nil
    }

    // MARK: Moving to another version or definition

    /// Takes the table of another snapshot, whose definition is the same.
    func move(to snapshotTable: SnapshotTable) {
        resetBlockTables()
        adopt(snapshotTable)
        state = snapshotTable.state
        openRow = nil
        if definition != snapshotTable.definition { rebuild(snapshotTable.definition) }
        mapPositions()
    }

    private func adopt(_ table: SnapshotTable?) {
        snapshotTable = table
    }

    /// Forgets every chunk: they belong to another version, or to a write that has ended.
    private func resetBlockTables() {
        for index in 0...columnCount { columns[index].reset() }
        for index in 0..<indexCount { buckets[index].reset() }
        for id in Array(retired.keys) { retired[id]?.reset() }
        for space in Array(retiredBuckets.keys) { retiredBuckets[space]?.reset() }
        retired = [:]
        retiredBuckets = [:]
        forgetInsertBlock()
    }

    /// Changes the definition: columns and indexes that stay keep their chunks.
    func rebuild(_ new: TableDefinition) {
        let old = definition
        rebuildColumns(from: old, to: new)
        rebuildBuckets(from: old, to: new)
        definition = new
        rebuildFacts(new)
        freeDefaults()
        defaultChunks = Array(repeating: nil, count: columnCount)
        mapPositions()
        session.state.pointee.schemaEpoch += 1
        forgetInsertBlock()
    }

    private func rebuildFacts(_ new: TableDefinition) {
        facts.deallocate()
        facts = .allocate(capacity: max(1, new.columns.count))
        for (position, column) in new.columns.enumerated() {
            let isIndexed = new.indexes.contains { $0.columns.contains(column.id) }
            (facts + position).initialize(to: ColumnFacts(column, isIndexed: isIndexed))
        }
        indexFacts.deallocate()
        indexFacts = .allocate(capacity: max(1, new.indexes.count))
        for (place, index) in new.indexes.enumerated() {
            (indexFacts + place).initialize(to: IndexFacts(index, in: new))
        }
        primaryKeyIndex = new.indexes.firstIndex(where: \.isPrimaryKey) ?? -1
        counterpartsEpoch = 0
    }

    private func rebuildColumns(from old: TableDefinition, to new: TableDefinition) {
        let tables = UnsafeMutablePointer<BlockTable>.allocate(capacity: new.columns.count + 1)
        tables.initialize(repeating: BlockTable(), count: new.columns.count + 1)
        tables[0] = columns[0]
        for position in 0..<columnCount { retired[old.columns[position].id] = columns[position + 1] }
        for (position, column) in new.columns.enumerated() {
            if let kept = retired.removeValue(forKey: column.id) {
                tables[position + 1] = kept
            }
        }
        // Default chunks are about to be freed and made anew: nothing may go on pointing to them.
        let defaults = Set(defaultChunks.compactMap { $0.map { UnsafeRawPointer($0) } })
        if !defaults.isEmpty {
            for position in new.columns.indices {
                tables[position + 1].forgetChunks { defaults.contains($0) }
            }
            for id in Array(retired.keys) { retired[id]?.forgetChunks { defaults.contains($0) } }
        }
        columns.deallocate()
        columns = tables
        columnCount = new.columns.count
    }

    private func rebuildBuckets(from old: TableDefinition, to new: TableDefinition) {
        let tables = UnsafeMutablePointer<BlockTable>.allocate(capacity: max(1, new.indexes.count))
        tables.initialize(repeating: BlockTable(), count: max(1, new.indexes.count))
        for position in 0..<indexCount { retiredBuckets[old.indexes[position].space] = buckets[position] }
        for (position, index) in new.indexes.enumerated() {
            if let kept = retiredBuckets.removeValue(forKey: index.space) { tables[position] = kept }
        }
        buckets.deallocate()
        buckets = tables
        indexCount = new.indexes.count
    }

    func setRetiredEntry(_ column: ColumnID, _ block: UInt32, _ pointer: UnsafeRawPointer?, _ layer: UInt16) {
        retired[column, default: BlockTable()].set(block, pointer, layer: layer)
    }

    func setRetiredBucket(_ index: SpaceID, _ bucket: UInt32, _ pointer: UnsafeRawPointer?, _ layer: UInt16) {
        retiredBuckets[index, default: BlockTable()].set(bucket, pointer, layer: layer)
    }

    /// Forgets chunks that are about to be freed, those of dropped columns and indexes among them.
    func forgetChunks(where isNamed: (UnsafeRawPointer) -> Bool) {
        for index in 0...columnCount { columns[index].forgetChunks(where: isNamed) }
        for index in 0..<indexCount { buckets[index].forgetChunks(where: isNamed) }
        for id in Array(retired.keys) { retired[id]?.forgetChunks(where: isNamed) }
        for space in Array(retiredBuckets.keys) { retiredBuckets[space]?.forgetChunks(where: isNamed) }
    }

    private func mapPositions() {
        snapshotPositions = definition.columns.map { column in
            snapshotTable?.definition.position(of: column.id)
        }
    }

    // MARK: Finding chunks

    /// A block's directory, or nil for a block without rows.
    @inlinable @inline(__always)
    package func directory(_ block: UInt32) -> UnsafeRawPointer? {
        columns.pointee.chunk(block) ?? missedDirectory(block)
    }

    @usableFromInline @inline(never)
    func missedDirectory(_ block: UInt32) -> UnsafeRawPointer? {
        guard let snapshotTable else { return nil }
        do throws(StorageError) {
            guard let found = try session.snapshot.directory(snapshotTable, block: block) else { return nil }
            columns[0].set(block, found, layer: 0)
            return found
        } catch {
            session.note(error)
            return nil
        }
    }

    /// A column's chunk in a block; the default chunk where the block has none.
    @inlinable @inline(__always)
    package func chunk(_ position: Int, _ block: UInt32) -> UnsafeRawPointer {
        columns[position &+ 1].chunk(block) ?? missedChunk(position, block)
    }

    @usableFromInline @inline(never)
    func missedChunk(_ position: Int, _ block: UInt32) -> UnsafeRawPointer {
        do throws(StorageError) {
            let found = try findChunk(position, block) ?? UnsafeRawPointer(defaultChunk(position))
            columns[position + 1].set(block, found, layer: 0)
            return found
        } catch {
            // A property read cannot throw: the damage is noted, and thrown by the next call that can.
            session.note(error)
            return UnsafeRawPointer(defaultChunk(position))
        }
    }

    private func findChunk(_ position: Int, _ block: UInt32) throws(StorageError) -> UnsafeRawPointer? {
        let column = definition.columns[position]
        guard let directory = directory(block), DirectoryView(directory).lists(column.id) else { return nil }
        let key = ChunkKey(definition.space, block, column.id)
        if let writer = session.writer, writer.spilled.contains(key) {
            return try writer.reload(key, shape: column.shape)
        }
        guard let snapshotTable, let snapshotPosition = snapshotPositions[position] else { return nil }
        // The directory may be the session's own: what the snapshot's chunk must cover is what was
        // live in the snapshot.
        guard let stored = try session.snapshot.directory(snapshotTable, block: block) else { return nil }
        if let room = session.decodedRoom {
            return try room.chunk(
                session.snapshot, snapshotTable, position: snapshotPosition, block: block,
                directory: DirectoryView(stored))
        }
        return try session.snapshot.chunk(
            snapshotTable, position: snapshotPosition, block: block, directory: DirectoryView(stored))
    }

    /// A bucket of a hash index.
    func bucket(_ index: Int, _ number: UInt32) -> Bucket {
        if let known = buckets[index].chunk(number) { return Bucket(known) }
        do throws(StorageError) {
            let found = try findBucket(index, number)
            buckets[index].set(number, found, layer: 0)
            return Bucket(found)
        } catch {
            session.note(error)
            return Bucket(Session.emptyBucket)
        }
    }

    private func findBucket(_ index: Int, _ number: UInt32) throws(StorageError) -> UnsafeRawPointer {
        let space = definition.indexes[index].space
        let key = ChunkKey(space, number, .bucket)
        if let writer = session.writer, writer.spilled.contains(key) { return try writer.reloadBucket(key) }
        guard let snapshotTable,
            let snapshotIndex = snapshotTable.definition.indexes.firstIndex(where: { $0.space == space })
        else { return Session.emptyBucket }
        guard number < snapshotTable.state.indexes[snapshotIndex].hash.bucketCount else {
            return Session.emptyBucket
        }
        return try session.snapshot.bucket(snapshotTable, index: snapshotIndex, bucket: number)
    }

    // MARK: What the snapshot has

    /// The block's directory in the snapshot, or nil.
    func storedDirectory(_ block: UInt32) throws(StorageError) -> DirectoryView? {
        guard let snapshotTable else { return nil }
        return try session.snapshot.directory(snapshotTable, block: block).map { DirectoryView($0) }
    }

    /// The rows that the block has in the snapshot.
    func storedRows(_ block: UInt32) -> BlockBitmap {
        do throws(StorageError) {
            guard let directory = try storedDirectory(block) else { return BlockBitmap() }
            return BlockBitmap(loadingFrom: directory.pointer + ChunkLayout.bitmap)
        } catch {
            session.note(error)
            return BlockBitmap()
        }
    }

    /// The state in the snapshot, its indexes those of the definition now.
    func storedState() -> TableState? { snapshotTable?.state }

    /// The buckets that an index has in the snapshot.
    func storedBucketCount(of index: SpaceID) -> UInt32 {
        snapshotTable?.state.indexes.first { $0.space == index }?.hash.bucketCount ?? 0
    }

    /// Whether a hash index of the definition has a bucket of that number.
    func hasBucket(_ number: UInt32, of index: SpaceID) -> Bool {
        indexStates.contains { $0.space == index && number < $0.hash.bucketCount }
            && definition.indexes.contains { $0.space == index }
    }

    /// Moves the first block behind those at the beginning that have no row left, at most to the block
    /// that the next row belongs to.
    func advanceFirstBlock() {
        let limit = RowKey(nextRowKey).block
        while firstBlock < limit {
            if let directory = directory(firstBlock), DirectoryView(directory).lastLiveSlot != nil { return }
            firstBlock += 1
        }
    }

    // MARK: Defaults

    /// A plain chunk with 448 slots at the column's default.
    func defaultChunk(_ position: Int) -> UnsafeMutableRawPointer {
        if let known = defaultChunks[position] { return known }
        let made = DefaultChunk.make(definition.columns[position])
        defaultChunks[position] = made
        return made
    }

    private func freeDefaults() {
        for chunk in defaultChunks { chunk?.deallocate() }
        defaultChunks = []
    }
}
