internal import CairnLMDB

/// One version of the file, held as long as the object lives: what it shows never changes, whatever
/// other threads and processes write.
///
/// Any thread may read it. A held version keeps LMDB from using again the pages that later versions
/// freed (`docs/architecture.md`), so it should not be held longer than needed.
package final class Snapshot: @unchecked Sendable {
    // @unchecked: `transaction` is not for two threads at once; every use is under `state`'s lock.

    package let version: Version
    package let schema: Schema
    package let counters: FileCounters
    let contents: StoreContents
    // The order matters: stored properties are destroyed in the order of their declaration, and the
    // transaction has to end before the file may be closed.
    private let transaction: ReadTransaction
    /// The store's data file stays open as long as a snapshot of it lives.
    private let file: any Sendable
    private let state: Guarded<State>

    private struct State {
        var tables: [SnapshotTable?]
        var decoded: [DecodedChunk] = []
    }

    /// - Parameters:
    ///   - transaction: of the version.
    ///   - knownSchema: the schema of another snapshot, used again where the definitions are the same.
    init(
        _ transaction: consuming ReadTransaction, contents: StoreContents, file: any Sendable,
        knownSchema: KnownSchema?
    ) throws(StorageError) {
        version = Version(transaction.id)
        self.contents = contents
        self.file = file
        let catalogue = CatalogueReader(contents: contents)
        counters = try catalogue.counters(transaction)
        if let knownSchema, knownSchema.catalogueVersion == counters.catalogueVersion {
            schema = knownSchema.schema
        } else {
            schema = try catalogue.schema(transaction)
        }
        state = Guarded(State(tables: Array(repeating: nil, count: schema.tables.count)))
        self.transaction = transaction
    }

    /// A schema and the version that made it.
    struct KnownSchema: Sendable {
        let schema: Schema
        let catalogueVersion: UInt64
    }

    var knownSchema: KnownSchema { KnownSchema(schema: schema, catalogueVersion: counters.catalogueVersion) }

    /// The table at a place of `schema.tables`.
    package func table(_ place: Int) throws(StorageError) -> SnapshotTable {
        try locked { state throws(StorageError) in
            if let known = state.tables[place] { return known }
            let definition = self.schema.tables[place]
            let reader = CatalogueReader(contents: self.contents)
            let table = SnapshotTable(
                definition: definition, state: try reader.state(of: definition, self.transaction))
            state.tables[place] = table
            return table
        }
    }

    /// A block's directory, or nil for a block without rows.
    func directory(_ table: SnapshotTable, block: UInt32) throws(StorageError) -> UnsafeRawPointer? {
        guard block >= table.state.firstBlock, block < table.state.blockLimit else { return nil }
        let entries = table.columns[0]
        if let known = entries.chunk(block) { return known }
        let key = ChunkKey(table.definition.space, block, .directory)
        return try locked { state throws(StorageError) in
            if let known = entries.chunk(block) { return known }
            guard let bytes = try self.bytes(key) else { return nil }
            let directory = try ChunkOpener(contents: self.contents).opened(
                bytes, key: key, validate: ChunkValidator.validateDirectory)
            entries.publish(directory, at: block)
            return directory
        }
    }

    /// The chunk of a column that the block's directory lists, in its plain form.
    ///
    /// - Parameters:
    ///   - position: the column's place in the definition.
    ///   - directory: the block's.
    /// - Throws: `damaged` where the chunk is not there or not valid.
    func chunk(
        _ table: SnapshotTable, position: Int, block: UInt32, directory: DirectoryView
    ) throws(StorageError) -> UnsafeRawPointer {
        let entries = table.columns[position + 1]
        if let known = entries.chunk(block) { return known }
        return try locked { state throws(StorageError) in
            if let known = entries.chunk(block) { return known }
            let plain = try self.open(table, position, block, directory, usesCache: true)
            if let owner = plain.owner { state.decoded.append(owner) }
            entries.publish(plain.pointer, at: block)
            return plain.pointer
        }
    }

    /// The same, but that a packed one is decoded for the caller alone, who keeps it alive.
    func ownChunk(
        _ table: SnapshotTable, position: Int, block: UInt32, directory: DirectoryView
    ) throws(StorageError) -> ChunkOpener.Plain {
        if let known = table.columns[position + 1].chunk(block) {
            return ChunkOpener.Plain(pointer: known, owner: nil)
        }
        return try locked { _ throws(StorageError) in
            try self.open(table, position, block, directory, usesCache: false)
        }
    }

    private func open(
        _ table: SnapshotTable, _ position: Int, _ block: UInt32, _ directory: DirectoryView, usesCache: Bool
    ) throws(StorageError) -> ChunkOpener.Plain {
        let column = table.definition.columns[position]
        let key = ChunkKey(table.definition.space, block, column.id)
        guard let bytes = try bytes(key) else {
            throw contents.damage("the chunk of \(key) is missing")
        }
        let plain = try ChunkOpener(contents: contents).plain(
            bytes, key: key, shape: column.shape, usesCache: usesCache)
        guard ChunkView(plain.pointer).slotCount > (directory.lastLiveSlot ?? -1) else {
            throw contents.damage("the chunk of \(key) has too few slots")
        }
        return plain
    }

    /// A bucket of a hash index.
    func bucket(_ table: SnapshotTable, index: Int, bucket: UInt32) throws(StorageError) -> UnsafeRawPointer {
        let entries = table.buckets[index]
        if let known = entries.chunk(bucket) { return known }
        let key = ChunkKey(table.definition.indexes[index].space, bucket, .bucket)
        return try locked { state throws(StorageError) in
            if let known = entries.chunk(bucket) { return known }
            guard let bytes = try self.bytes(key) else {
                throw self.contents.damage("the bucket of \(key) is missing")
            }
            let pointer = try ChunkOpener(contents: self.contents).opened(
                bytes, key: key, validate: ChunkValidator.validateBucket)
            entries.publish(pointer, at: bucket)
            return pointer
        }
    }

    /// A record of the database `values`. Valid as long as the snapshot.
    ///
    /// - Throws: `damaged` where it is not there, or does not match its checksum (if they are compared).
    func value(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer {
        try locked { state throws(StorageError) in
            try ChunkOpener(contents: self.contents).value(id) { () throws(LMDBError) in
                try self.transaction.get(self.contents.values, id.value)
            }
        }
    }

    /// Runs a body that needs the read transaction itself; no other thread uses it meanwhile.
    func withTransaction<Result>(
        _ body: (borrowing ReadTransaction) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try locked { _ throws(StorageError) in try body(self.transaction) }
    }

    private func locked<Result>(
        _ body: (inout State) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try state.withLock(body)
    }

    private func bytes(_ key: ChunkKey) throws(StorageError) -> UnsafeRawBufferPointer? {
        do throws(LMDBError) {
            return try transaction.get(contents.chunks, key.value)
        } catch {
            throw contents.failure(error, .reading)
        }
    }
}

extension Snapshot {
    /// The payload of a key of the database `ordered`, or nil where it is not there.
    func orderedPayload(of key: UnsafeRawBufferPointer) throws(StorageError) -> UInt32? {
        try withTransaction { transaction throws(StorageError) in
            let found: UnsafeRawBufferPointer?
            do throws(LMDBError) {
                found = try transaction.get(self.contents.ordered, key)
            } catch {
                throw self.contents.failure(error, .reading)
            }
            guard let found else { return nil }
            guard found.count == 4 else { throw self.contents.damage("a link's number is not four bytes") }
            return UInt32(littleEndian: found.loadUnaligned(as: UInt32.self))
        }
    }
}
