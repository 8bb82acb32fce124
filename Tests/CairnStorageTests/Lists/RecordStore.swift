import CairnStorage
import Testing

/// The records of a file in memory, which keeps to the letter of `ListPieceSource`: the bytes it gave
/// are gone at the next call. Accounts for every record: none is written twice or removed twice.
final class RecordStore: ListPieceSource {
    /// What is stored now. A test that undoes something puts an earlier content back.
    var records: [ValueID: [UInt8]] = [:]
    private(set) var readCount = 0
    private(set) var written: [ValueID] = []
    private var nextID: UInt64 = 1
    private var lent: UnsafeMutableRawBufferPointer?

    deinit { lent?.deallocate() }

    func value(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer {
        readCount += 1
        takeBack()
        guard let record = records[id] else { throw StorageError(.damaged, "There is no \(id).") }
        // At the alignment of LMDB's leaf pages: even, and nothing more.
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: record.count + 2, alignment: 16)
        UnsafeMutableRawBufferPointer(rebasing: bytes[2...]).copyBytes(from: record)
        lent = bytes
        return UnsafeRawBufferPointer(rebasing: bytes[2...])
    }

    private func takeBack() {
        guard let lent else { return }
        for index in lent.indices { lent[index] = 0xDD }
        lent.deallocate()
        self.lent = nil
    }

    func flush(_ list: inout LongList) throws -> FlushedList {
        written = []
        return try list.flush(
            newID: { () throws(StorageError) in
                defer { nextID += 1 }
                return ValueID(nextID)
            },
            write: { (id, record) throws(StorageError) in
                #expect(records[id] == nil, "\(id) is written twice")
                RecordSeal.close(record, seed: id.value)
                records[id] = Array(record)
                written.append(id)
            },
            remove: { (id) throws(StorageError) in
                #expect(records.removeValue(forKey: id) != nil, "\(id) is removed and was not there")
            })
    }

    /// Checks that the store holds the records of the list and no others.
    func expectExactly(_ flushed: FlushedList, _ layout: ListElementLayout) throws {
        var expected: Set<ValueID> = []
        if case .inPieces(let directory, let count) = flushed {
            let reader = try LongListReader(layout: layout, directory: directory, count: count, source: self)
            expected = Set(reader.pieceIDs + [directory])
            #expect(expected.count == reader.pieceIDs.count + 1)
        }
        #expect(Set(records.keys) == expected)
        for (id, record) in records {
            #expect(record.withUnsafeBytes { RecordSeal.holds($0, seed: id.value) })
        }
    }
}
