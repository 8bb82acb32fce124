internal import CairnLMDB

/// Turns a session's own chunks into what is stored, and puts it.
///
/// Works in buffers of its own, used again and again: encoding allocates nothing a chunk.
struct ChunkWriter: ~Copyable {
    private let contents: StoreContents
    private let version: UInt64
    private var plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
    private var packed: [UInt8] = []

    /// - Parameter version: what the transaction will make.
    init(contents: StoreContents, version: Version) {
        self.contents = contents
        self.version = version.value
    }

    deinit {
        plain.deallocate()
    }

    /// Puts a column chunk.
    ///
    /// - Parameter packs: whether it is packed if that makes it half as large.
    mutating func put(
        _ chunk: MutableChunk, _ column: ColumnFacts, directory: DirectoryView, under key: ChunkKey,
        packs: Bool, in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let encoder = ChunkEncoder(shape: column.shape, kind: column.kind, directory: directory)
        let plan = encoder.plan(chunk.pointer)
        let bytes = room(plan.byteCount)
        guard let base = bytes.baseAddress else { return }
        encoder.write(chunk.pointer, plan, version: version, to: base)
        if packs, pack(bytes, directory) {
            RecordSeal.close(&packed, seed: key.value)
            let packed = packed
            try packed.withBytes { stored throws(LMDBError) in
                try transaction.put(contents.chunks, key.value, contents.codec.seal(stored, key: key.value))
            }
            return
        }
        RecordSeal.close(bytes, seed: key.value)
        try transaction.put(
            contents.chunks, key.value, contents.codec.seal(UnsafeRawBufferPointer(bytes), key: key.value))
    }

    private mutating func pack(_ bytes: UnsafeMutableRawBufferPointer, _ directory: DirectoryView) -> Bool {
        let live = BlockBitmap(loadingFrom: directory.pointer + ChunkLayout.bitmap)
        return withUnsafePointer(to: live.words) { words in
            words.withMemoryRebound(to: UInt64.self, capacity: Block.wordCount) {
                PackedChunk.encode(plain: UnsafeRawBufferPointer(bytes), live: $0, into: &packed)
            }
        }
    }

    /// Puts a directory.
    mutating func putDirectory(
        _ directory: MutableChunk, under key: ChunkKey, in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let bytes = room(ChunkLayout.slots + ChunkView(directory.pointer).extra * 2)
        guard let base = bytes.baseAddress else { return }
        base.copyMemory(from: directory.pointer, byteCount: bytes.count)
        ChunkView(base).setVersion(version)
        RecordSeal.close(bytes, seed: key.value)
        try transaction.put(
            contents.chunks, key.value, contents.codec.seal(UnsafeRawBufferPointer(bytes), key: key.value))
    }

    /// Puts a bucket.
    mutating func putBucket(
        _ bucket: MutableBucket, under key: ChunkKey, in transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let bytes = room(bucket.view.byteCount)
        guard let base = bytes.baseAddress else { return }
        bucket.write(to: base, version: version)
        RecordSeal.close(bytes, seed: key.value)
        try transaction.put(
            contents.chunks, key.value, contents.codec.seal(UnsafeRawBufferPointer(bytes), key: key.value))
    }

    private mutating func room(_ byteCount: Int) -> UnsafeMutableRawBufferPointer {
        if byteCount > plain.count {
            plain.deallocate()
            plain = .allocate(byteCount: byteCount * 2, alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: plain[..<byteCount])
    }
}
