internal import CairnLMDB

/// The large values that slots and directories use, against those that are there, and the way to read one
/// from where it is used.
final class ValueLedger {
    /// Uses owe (id, kind and length), records are found.
    let ledger = Ledger()
    private let reader: VersionReader
    private let recorder: VerifyRecorder
    /// Bytes that may be read through uses: more than there are, since each value has one use.
    private let byteLimit: Int
    private var byteCount = 0

    init(_ reader: VersionReader, _ recorder: VerifyRecorder) throws(StorageError) {
        self.reader = reader
        self.recorder = recorder
        let size = try reader.statistics(of: reader.contents.values)
        byteLimit = (size.leafPageCount + size.overflowPageCount + 16) * 4_096 * 16
    }

    func beginPass() {
        byteCount = 0
    }

    static func detail(_ kind: ValueRecord.Kind, count: Int) -> UInt64 {
        UInt64(kind.rawValue) << 56 | UInt64(truncatingIfNeeded: count) & 0xFF_FFFF_FFFF
    }

    /// The payload of a value that is used, as a record of the kind and number of elements (of a text its
    /// bytes); nil where there is none, which the ledger will show.
    func use(_ id: ValueID, as kind: ValueRecord.Kind, count: Int) throws(StorageError)
        -> UnsafeRawBufferPointer?
    {
        ledger.owe(id.value, Self.detail(kind, count: count))
        guard let record = try record(id, kind), charge(record.payload.count) else { return nil }
        guard count == (kind == .text ? record.payload.count : record.count) else { return nil }
        return record.payload
    }

    /// A text that was used before.
    func text(_ id: ValueID, count: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
        guard byteCount <= byteLimit, let record = try record(id, .text), record.payload.count == count else {
            return nil
        }
        return record.payload
    }

    private func record(_ id: ValueID, _ kind: ValueRecord.Kind) throws(StorageError) -> ValueRecord? {
        guard let bytes = try bytes(id) else { return nil }
        return try? ValueRecord(bytes, id: id, kind: kind)
    }

    /// The opened bytes of a record.
    func bytes(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer? {
        guard let stored = try reader.value(id) else { return nil }
        return try? reader.contents.codec.open(stored, key: id.value)
    }

    /// Keeps a damaged file, in which many lists share their pieces, from being read for ever.
    private func charge(_ count: Int) -> Bool {
        guard byteCount <= byteLimit else { return false }
        byteCount += count
        if byteCount > byteLimit {
            ledger.noteIncomplete()
            recorder.note(.valueExcess, expected: UInt64(byteLimit), found: UInt64(byteCount))
        }
        return byteCount <= byteLimit
    }
}
