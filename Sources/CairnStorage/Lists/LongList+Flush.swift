/// Where a list is after `LongList.flush`: what its slot has to say.
package enum FlushedList: Equatable, Sendable {
    /// In a chunk's heap, as this payload. Nothing of it is left in `values`.
    case inHeap(payload: [UInt8], count: Int)
    /// In pieces, under this directory.
    case inPieces(directory: ValueID, count: Int)
}

extension LongList {
    /// Takes the number of a new record.
    package typealias NewID = () throws(StorageError) -> ValueID
    /// Stores a record. The bytes are valid during the call; the first eight, the checksum's, are for
    /// the caller to fill.
    package typealias WriteRecord = (ValueID, UnsafeMutableRawBufferPointer) throws(StorageError) -> Void
    /// Removes a record.
    package typealias RemoveRecord = (ValueID) throws(StorageError) -> Void

    /// Writes what was changed since the last time: each edited piece and the directory under new
    /// ids. Removes the records they replace, each once, after that.
    ///
    /// A list whose payload fits the heap is taken out of `values` altogether. A stored list that was
    /// not changed stays as it is.
    ///
    /// The list can be edited on. It holds no piece in memory any more (unless it is in the heap), so
    /// its source must know the new records from now on. When it throws, the list is as it was, but
    /// some of the records may have been written or removed.
    ///
    /// - Complexity: O(bytes of the edited pieces + pieces).
    package mutating func flush(
        newID: NewID, write: WriteRecord, remove: RemoveRecord
    ) throws(StorageError) -> FlushedList {
        if let directory, !isChanged { return .inPieces(directory: directory, count: count) }
        if try fitsHeap() { return try flushToHeap(remove: remove) }
        var stored: [(piece: Int, id: ValueID)] = []
        for index in pieces.pieces.indices {
            guard let buffer = pieces.pieces[index].buffer else { continue }
            stored.append((index, try Self.store(buffer, newID, write)))
        }
        let newDirectory = try newID()
        let record = ListDirectory.record(pieces.pieces, newIDs: stored.map(\.id), count: count)
        try Self.writeDirectory(newDirectory, record, write)
        try removeRecords(abandoned, remove)
        for (piece, id) in stored { pieces.noteStored(piece: piece, under: id) }
        noteStored(under: newDirectory)
        return .inPieces(directory: newDirectory, count: count)
    }

    /// Whether all elements together are a payload short enough for the heap.
    ///
    /// Asks for as many pieces as it takes to pass the limit.
    private func fitsHeap() throws(StorageError) -> Bool {
        var byteCount = layout.payloadByteCount(count, textByteCount: 0)
        for piece in pieces.pieces.indices {
            guard byteCount <= limits.heapLimit else { return false }
            byteCount += try textByteCount(ofPiece: piece)
        }
        return byteCount <= limits.heapLimit
    }

    private mutating func flushToHeap(remove: RemoveRecord) throws(StorageError) -> FlushedList {
        let elements = ListBuffer(layout: layout)
        try forEachRun(in: 0..<count) { run, _ in elements.append(run) }
        let payload = [UInt8](unsafeUninitializedCapacity: elements.byteCount) { bytes, byteCount in
            elements.write(to: UnsafeMutableRawBufferPointer(bytes), at: 0)
            byteCount = elements.byteCount
        }
        try removeRecords(abandoned + pieces.pieces.compactMap(\.id), remove)
        let inMemory = ListSplice(ListRun(elements.payload)).pieces(target: limits.pieceTarget)
        withExtendedLifetime(elements) {}
        pieces.replacePieces(0..<pieces.pieces.count, with: inMemory)
        noteStored(under: nil)
        return .inHeap(payload: payload, count: count)
    }

    private static func store(
        _ buffer: ListBuffer, _ newID: NewID, _ write: WriteRecord
    ) throws(StorageError) -> ValueID {
        let record = UnsafeMutableRawBufferPointer.allocate(
            byteCount: ValueRecordLayout.payload + buffer.byteCount, alignment: 16)
        defer { record.deallocate() }
        ValueRecord.writeHeader(to: record, kind: .listPiece, count: buffer.count)
        buffer.write(to: record, at: ValueRecordLayout.payload)
        let id = try newID()
        try write(id, record)
        return id
    }

    private static func writeDirectory(
        _ id: ValueID, _ record: [UInt8], _ write: WriteRecord
    ) throws(StorageError) {
        var record = record
        let result = record.withUnsafeMutableBytes { bytes in
            Result { () throws(StorageError) in try write(id, bytes) }
        }
        try result.get()
    }

    private func removeRecords(_ ids: [ValueID], _ remove: RemoveRecord) throws(StorageError) {
        for id in ids { try remove(id) }
        if let directory { try remove(directory) }
    }

    private mutating func noteStored(under directory: ValueID?) {
        self.directory = directory
        abandoned = []
        isChanged = false
    }
}
