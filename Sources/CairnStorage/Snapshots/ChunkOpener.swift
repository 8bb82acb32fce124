internal import CairnLMDB

/// From stored bytes to a chunk that may be read: opened, checked, decoded. The one way in for column
/// chunks and large values, of snapshots and of write sessions that read back what they spilled.
struct ChunkOpener {
    let contents: StoreContents

    /// A plain chunk, and what keeps its memory alive where it is not the file's map.
    struct Plain {
        let pointer: UnsafeRawPointer
        let owner: DecodedChunk?
    }

    /// - Parameters:
    ///   - stored: what the file has under the key; valid at least as long as the result is used,
    ///     where that has no owner.
    ///   - usesCache: false for chunks of a version that may yet be undone.
    func plain(
        _ stored: UnsafeRawBufferPointer, key: ChunkKey, shape: SlotShape, usesCache: Bool = true
    ) throws(StorageError) -> Plain {
        do throws(StorageError) {
            let bytes = try contents.codec.open(stored, key: key.value)
            try checkSum(bytes, key: key)
            switch try ChunkValidator.columnEncoding(bytes, shape: shape) {
            case .plain:
                try ChunkValidator.validatePlain(bytes, shape: shape)
                guard let pointer = bytes.baseAddress else {
                    preconditionFailure("a validated chunk is never empty")
                }
                return Plain(pointer: pointer, owner: nil)
            case .packed, .directory, .bucket:
                let version = bytes.loadUnaligned(fromByteOffset: ChunkLayout.version, as: UInt64.self)
                let decoded =
                    usesCache
                    ? try contents.cache.chunk(key, version: version) { () throws(StorageError) in
                        try decode(bytes, shape)
                    } : try decode(bytes, shape)
                return Plain(pointer: decoded.pointer, owner: decoded)
            }
        } catch {
            throw contents.damage("the chunk of \(key) is not valid", cause: error)
        }
    }

    private func decode(
        _ packed: UnsafeRawBufferPointer, _ shape: SlotShape
    ) throws(StorageError) -> DecodedChunk {
        try DecodedChunk(byteCount: try PackedChunk.decodedByteCount(packed, shape: shape)) {
            memory throws(StorageError) in
            try PackedChunk.decode(packed, shape: shape, into: memory)
        }
    }

    /// The bytes of a directory or bucket, opened and their checksum compared where that is asked for.
    func opened(
        _ stored: UnsafeRawBufferPointer, key: ChunkKey,
        validate: (UnsafeRawBufferPointer) throws(StorageError) -> Void
    ) throws(StorageError) -> UnsafeRawPointer {
        do throws(StorageError) {
            let bytes = try contents.codec.open(stored, key: key.value)
            try validate(bytes)
            try checkSum(bytes, key: key)
            guard let pointer = bytes.baseAddress else {
                preconditionFailure("a validated chunk is never empty")
            }
            return pointer
        } catch {
            throw contents.damage("the chunk of \(key) is not valid", cause: error)
        }
    }

    /// A record of the database `values`.
    func value(
        _ id: ValueID, read: () throws(LMDBError) -> UnsafeRawBufferPointer?
    ) throws(StorageError) -> UnsafeRawBufferPointer {
        let stored: UnsafeRawBufferPointer?
        do throws(LMDBError) {
            stored = try read()
        } catch {
            throw contents.failure(error, .reading)
        }
        guard let stored else { throw contents.damage("\(id) is missing") }
        let record = try contents.codec.open(stored, key: id.value)
        guard record.count >= 16 else { throw contents.damage("\(id) ends within its header") }
        if contents.verifiesChecksums, !RecordSeal.holds(record, seed: id.value) {
            throw contents.damage("\(id) does not match its checksum")
        }
        return record
    }

    private func checkSum(_ bytes: UnsafeRawBufferPointer, key: ChunkKey) throws(StorageError) {
        guard contents.verifiesChecksums, !RecordSeal.holds(bytes, seed: key.value) else { return }
        throw StorageError(.damaged, "A chunk does not match its checksum. Run verify on the file.")
    }
}
