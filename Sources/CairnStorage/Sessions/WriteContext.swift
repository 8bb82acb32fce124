internal import CairnLMDB

/// Everything a session has changed and not written yet, as a stack of layers.
///
/// Between begin and commit nothing is written to LMDB, unless the changes outgrow `spillLimit`.
final class WriteContext {
    private let runner: any WriteRunner
    /// Ends with commit or abort, on the runner's thread.
    private var transaction: WriteTransaction?
    let contents: StoreContents
    private let file: StoreFile
    /// Keeps the map from being replaced.
    private let hold: any Sendable
    /// What the first failure of LMDB's was: nothing of the transaction can be committed then.
    private(set) var failure: StorageError?
    /// The version that the commit makes.
    let version: Version
    /// The lowest is the transaction itself.
    private(set) var layers: [WriteLayer] = []
    /// Pending changes of the database `ordered`, of every index and backlink column.
    let ordered = OrderedDelta()
    /// Where keys of `ordered` are built.
    var orderedKey = OrderedKeyBuffer()
    /// Lists in pieces that were changed.
    var longLists: [ListPlace: LongList] = [:]
    /// Links that are to be taken out of long lists, and how often: done at the list's next use.
    var pendingRemovals: [ListPlace: [UInt64: Int]] = [:]

    /// Bytes of column chunks and values that are held in memory.
    var heldByteCount = 0
    /// Bytes of hash buckets that are held in memory.
    var heldBucketByteCount = 0
    let spillLimit: Int
    /// Above this much the session spills: the limit, or more where the last spill has left more.
    var nextSpillByteCount: Int
    /// Chunks and buckets that were written ahead of the commit and are not held any more.
    var spilled: Set<ChunkKey> = []
    /// Values that were written ahead of the commit.
    var spilledValues: Set<ValueID> = []
    /// Spilled values that were read back. Kept like chunks: readers may hold the bytes of several.
    private(set) var readBack: [ValueID: ValueBuffer] = [:]
    /// Not put back when a layer is undone: ids are never used again.
    var nextValueID: UInt64 = 1
    /// What the spilled chunks changed.
    var spilledChanges: [SpaceID: [ColumnID: RowKeySet]] = [:]
    /// Chunks that were read back; theirs is the memory that block tables point to.
    private var reloaded: [ChunkKey: MutableChunk] = [:]
    private var reloadedByteCount = 0
    /// Indexes whose buckets go with the commit.
    var removedIndexes: [RemovedIndex] = []

    struct RemovedIndex {
        let index: IndexDefinition
        let table: SpaceID
    }

    /// Begins the LMDB transaction, on the runner's thread: waits for the writers of other processes.
    ///
    /// - Parameter hold: what keeps the map from being replaced, from before this call on.
    init(
        runner: any WriteRunner, file: StoreFile, contents: StoreContents, holding hold: any Sendable
    ) throws(StorageError) {
        var begun: WriteTransaction?
        try runner.run { () throws(StorageError) in begun = try file.beginWrite() }
        guard let begun = begun.take() else { preconditionFailure("a write transaction was not begun") }
        version = Version(begun.id)
        self.runner = runner
        self.file = file
        self.hold = hold
        self.contents = contents
        spillLimit = file.options.spillByteCount
        nextSpillByteCount = spillLimit
        transaction = consume begun
    }

    deinit {
        for layer in layers { for owned in layer.owned { owned.buffer?.free() } }
        for chunk in reloaded.values { chunk.free() }
    }

    /// The number of the uppermost layer: 1 is the transaction.
    var layerNumber: UInt16 { UInt16(layers.count) }

    var top: WriteLayer {
        guard let layer = layers.last else { preconditionFailure("a write without a layer") }
        return layer
    }

    func push(_ layer: WriteLayer) {
        precondition(layers.count < Int(SessionTable.noLayer) - 1, "too many savepoints inside each other")
        layers.append(layer)
    }

    func popLayer() -> WriteLayer { layers.removeLast() }

    // MARK: Owned chunks

    /// Takes a chunk into the uppermost layer.
    func take(_ owned: WriteLayer.OwnedChunk) {
        owned.buffer?.entryIndex = top.owned.count
        top.owned.append(owned)
        count(owned.kind, owned.byteCount)
    }

    /// The buffer has moved in memory and grown.
    func replaceBuffer(_ buffer: MutableChunk, growth: Int) {
        let index = buffer.entryIndex
        top.owned[index].buffer = buffer
        top.owned[index].byteCount += growth
        count(top.owned[index].kind, growth)
    }

    func count(_ kind: WriteLayer.OwnedChunk.Kind, _ byteCount: Int) {
        switch kind {
        case .column: heldByteCount += byteCount
        case .bucket: heldBucketByteCount += byteCount
        case .directory: break
        }
    }

    // MARK: The transaction

    /// Runs a body with the LMDB transaction, on its thread.
    func withTransaction<Result>(
        _ body: (borrowing WriteTransaction) throws(LMDBError) -> Result
    ) throws(StorageError) -> Result {
        try file.checkUsable()
        return try runner.run { () throws(StorageError) in
            guard let open = transaction.take() else { preconditionFailure("a write was used after its end") }
            let result: Swift.Result<Result, LMDBError>
            do throws(LMDBError) {
                result = .success(try FileSizeSignal.withBlocked { () throws(LMDBError) in try body(open) })
            } catch {
                result = .failure(error)
            }
            transaction = consume open
            do throws(LMDBError) {
                return try result.get()
            } catch {
                throw noted(contents.failure(error, .writing))
            }
        }
    }

    /// Makes what was put the next version.
    func commitTransaction() throws(StorageError) {
        try file.checkUsable()
        try runner.run { () throws(StorageError) in
            guard let open = transaction.take() else { preconditionFailure("a write was used after its end") }
            do throws(LMDBError) {
                try open.commit()
            } catch {
                throw noted(contents.failure(error, .writing))
            }
        }
    }

    private func noted(_ error: StorageError) -> StorageError {
        if failure == nil { failure = error }
        return error
    }

    func abortTransaction() {
        guard (try? file.checkUsable()) != nil else {
            // In the child of a fork: there is no other thread, and nothing of LMDB's is touched.
            transaction = nil
            return
        }
        // The runner passes on what the body throws, and this one throws nothing.
        try? runner.run { () throws(StorageError) in
            if let open = transaction.take() { open.abort() }
        }
    }

    // MARK: Reading back what was spilled

    /// A column chunk that was spilled, in memory of its own: LMDB's dirty pages move.
    func reload(_ key: ChunkKey, shape: SlotShape) throws(StorageError) -> UnsafeRawPointer {
        let copy = try copyBack(key) { stored throws(StorageError) in
            let plain = try ChunkOpener(contents: self.contents).plain(
                stored, key: key, shape: shape, usesCache: false)
            let view = ChunkView(plain.pointer)
            let byteCount =
                ChunkLayout.slots + shape.slotAreaByteCount(slotCount: view.slotCount) + view.heapByteCount
            let chunk = MutableChunk.raw(byteCount: byteCount)
            chunk.pointer.copyMemory(from: plain.pointer, byteCount: byteCount)
            return (chunk, byteCount)
        }
        return UnsafeRawPointer(copy.pointer)
    }

    /// The same for a bucket.
    func reloadBucket(_ key: ChunkKey) throws(StorageError) -> UnsafeRawPointer {
        let copy = try copyBack(key) { stored throws(StorageError) in
            let bucket = try ChunkOpener(contents: self.contents).opened(
                stored, key: key, validate: ChunkValidator.validateBucket)
            let chunk = MutableChunk.raw(byteCount: stored.count)
            chunk.pointer.copyMemory(from: bucket, byteCount: stored.count)
            return (chunk, stored.count)
        }
        return UnsafeRawPointer(copy.pointer)
    }

    private func copyBack(
        _ key: ChunkKey, _ copy: (UnsafeRawBufferPointer) throws(StorageError) -> (MutableChunk, Int)
    ) throws(StorageError) -> MutableChunk {
        if let known = reloaded[key] { return known }
        var result: Swift.Result<(MutableChunk, Int), StorageError>?
        try withTransaction { transaction throws(LMDBError) in
            guard let stored = try transaction.get(self.contents.chunks, key.value) else { return }
            do throws(StorageError) {
                result = .success(try copy(stored))
            } catch {
                result = .failure(error)
            }
        }
        guard let result else { throw contents.damage("a chunk that this write has stored is missing") }
        let (chunk, byteCount) = try result.get()
        reloaded[key] = chunk
        reloadedByteCount += byteCount
        return chunk
    }

    func keep(_ value: ValueBuffer, under id: ValueID) {
        readBack[id] = value
        reloadedByteCount += value.bytes.count
    }

    /// Whether chunks and values that were read back take more memory than they should.
    var holdsTooManyReloaded: Bool { reloadedByteCount > spillLimit / 2 }

    /// Frees what was read back; whoever pointed to it has forgotten it.
    func dropReloaded() {
        for chunk in reloaded.values { chunk.free() }
        reloaded = [:]
        readBack = [:]
        reloadedByteCount = 0
    }

    /// Frees one, which is held as an owned chunk from now on, or was replaced.
    func dropReloaded(_ key: ChunkKey) {
        reloaded.removeValue(forKey: key)?.free()
    }

    var reloadedPointers: Set<UnsafeRawPointer> { Set(reloaded.values.map { UnsafeRawPointer($0.pointer) }) }
}
