/// A packed chunk in its plain form. Lives as long as a snapshot uses it or the cache keeps it.
final class DecodedChunk: @unchecked Sendable {
    // @unchecked: the memory is raw. It is written before the object is shared and never again.

    /// The plain chunk's header.
    let pointer: UnsafeRawPointer
    let byteCount: Int

    /// - Parameter fill: writes the whole chunk; what it throws is passed on.
    init(byteCount: Int, fill: (UnsafeMutableRawBufferPointer) throws(StorageError) -> Void)
        throws(StorageError)
    {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        do {
            try fill(memory)
        } catch {
            memory.deallocate()
            throw error
        }
        guard let base = memory.baseAddress else { preconditionFailure("a chunk is never empty") }
        pointer = UnsafeRawPointer(base)
        self.byteCount = byteCount
    }

    deinit {
        pointer.deallocate()
    }
}

/// The decoded chunks of a store, by key, with the version that wrote them: a chunk that did not change
/// is decoded once for all snapshots.
///
/// Bounded: beyond `byteLimit` the longest unused ones that no snapshot holds go first. What
/// snapshots hold is theirs and does not count as the cache's to drop.
final class DecodedChunkCache: Sendable {
    private struct Entry {
        let version: UInt64
        let chunk: DecodedChunk
        var lastUse: UInt64
    }

    private struct State {
        /// The newest version of a chunk that was decoded: a commit writes another, and the one before
        /// it is of use only to those who hold it.
        var entries: [ChunkKey: Entry] = [:]
        var byteCount = 0
        var clock: UInt64 = 0
    }

    private let byteLimit: Int
    /// Guards the entries; decoding happens outside of it.
    private let state = Guarded(State())

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// The decoded form of a chunk, made by `decode` where it is not there.
    func chunk(
        _ key: ChunkKey, version: UInt64, decode: () throws(StorageError) -> DecodedChunk
    ) throws(StorageError) -> DecodedChunk {
        let known = state.withLock { state -> DecodedChunk? in
            state.clock += 1
            guard var entry = state.entries[key], entry.version == version else { return nil }
            entry.lastUse = state.clock
            state.entries[key] = entry
            return entry.chunk
        }
        if let known { return known }
        let chunk = try decode()
        state.withLock { state in
            // Another snapshot may have decoded it meanwhile, or a newer version of it.
            if let old = state.entries[key] {
                guard old.version <= version else { return }
                state.byteCount -= old.chunk.byteCount
            }
            state.entries[key] = Entry(version: version, chunk: chunk, lastUse: state.clock)
            state.byteCount += chunk.byteCount
            if state.byteCount > byteLimit { Self.trim(&state, to: byteLimit / 2) }
        }
        return chunk
    }

    /// The bytes that the cache keeps alive.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Drops the longest unused half, so that trimming costs little for each chunk decoded.
    private static func trim(_ state: inout State, to limit: Int) {
        for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            guard state.byteCount > limit else { return }
            state.entries[key] = nil
            state.byteCount -= entry.chunk.byteCount
        }
    }
}
