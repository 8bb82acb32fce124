internal import CairnLMDB

/// The record of a large value in memory of its own: readers may hold its bytes as long as it lives.
final class ValueBuffer {
    private let memory: UnsafeMutableRawBufferPointer

    init(copying bytes: UnsafeRawBufferPointer) {
        memory = .allocate(byteCount: bytes.count, alignment: 8)
        memory.copyMemory(from: bytes)
    }

    deinit {
        memory.deallocate()
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }

    /// Writes the checksum.
    func close(seed: UInt64) {
        RecordSeal.close(memory, seed: seed)
    }
}

extension WriteContext {
    /// The record of a value that this write has added, or nil where it must be in the file.
    func value(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer? {
        for layer in layers.reversed() {
            if let record = layer.addedValues[id] { return record.bytes }
        }
        guard spilledValues.contains(id) else { return nil }
        if let known = readBack[id] { return known.bytes }
        let found = try withTransaction { transaction throws(LMDBError) in
            try transaction.get(self.contents.values, id.value).map { ValueBuffer(copying: $0) }
        }
        guard let found else { throw contents.damage("a large value that this write has stored is missing") }
        keep(found, under: id)
        return found.bytes
    }

    /// Adds a record, its checksum still open.
    ///
    /// - Throws: `limitReached` when the file has used up its value ids.
    func add(_ record: [UInt8]) throws(StorageError) -> ValueID {
        let id = try makeValueID()
        record.withUnsafeBytes { add($0, under: id) }
        return id
    }

    func makeValueID() throws(StorageError) -> ValueID {
        guard nextValueID < UInt64.max else {
            throw StorageError(.limitReached, "The file has used up its numbers for large values.")
        }
        defer { nextValueID += 1 }
        return ValueID(nextValueID)
    }

    func add(_ record: UnsafeRawBufferPointer, under id: ValueID) {
        let buffer = ValueBuffer(copying: record)
        buffer.close(seed: id.value)
        top.addedValues[id] = buffer
        heldByteCount += record.count
    }

    /// Takes a record away that a slot or directory no longer refers to.
    func remove(_ id: ValueID) {
        if let own = top.addedValues.removeValue(forKey: id) {
            heldByteCount -= own.bytes.count
        } else {
            top.removedValues.insert(id)
        }
    }
}
