/// Packed chunks that one session has decoded for itself, so that it can let them go again: what a
/// snapshot has decoded stays as long as the snapshot, which others may use.
///
/// For sessions that go through all of a large table once.
final class DecodedRoom {
    private var chunks: [DecodedChunk] = []
    private(set) var byteCount = 0
    let byteLimit: Int

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// A chunk in its plain form, valid until `removeAll`.
    func chunk(
        _ snapshot: Snapshot, _ table: SnapshotTable, position: Int, block: UInt32, directory: DirectoryView
    ) throws(StorageError) -> UnsafeRawPointer {
        let plain = try snapshot.ownChunk(table, position: position, block: block, directory: directory)
        if let owner = plain.owner {
            chunks.append(owner)
            byteCount += owner.byteCount
        }
        return plain.pointer
    }

    /// The addresses of all chunks.
    var pointers: Set<UnsafeRawPointer> { Set(chunks.map(\.pointer)) }

    func removeAll() {
        chunks = []
        byteCount = 0
    }
}

extension Session {
    /// Has packed chunks decoded into memory of the session's own from here on, which
    /// `trimDecodedChunks` lets go. Until the session moves to another version.
    ///
    /// - Parameter byteLimit: about how much is kept.
    package func decodeSeparately(byteLimit: Int) {
        decodedRoom = DecodedRoom(byteLimit: byteLimit)
    }

    /// Lets decoded chunks go where they take more than the limit.
    ///
    /// For use where nobody holds a pointer into a chunk.
    package func trimDecodedChunks() {
        guard let decodedRoom, decodedRoom.byteCount > decodedRoom.byteLimit else { return }
        let pointers = decodedRoom.pointers
        for table in openTables { table.forgetChunks { pointers.contains($0) } }
        for table in removedTables.values { table.forgetChunks { pointers.contains($0) } }
        decodedRoom.removeAll()
    }

    /// Bytes of the chunks that were decoded separately.
    package var separatelyDecodedByteCount: Int { decodedRoom?.byteCount ?? 0 }
}
