internal import CairnLMDB

/// The large values that slots and directories use, against those that are there, and the way to read one
/// from where it is used.
final class ValueLedger {
    /// Uses of values that are there owe (id, 0), records are found.
    let ledger = Ledger()
    /// Whether uses are missing, because a chunk or directory could not be read: then it is not known which
    /// values nobody uses.
    private(set) var missesUses = false
    private let reader: VersionReader
    private let recorder: VerifyRecorder
    /// Bytes that may be read through uses: more than there are, since each value has one use.
    private let byteLimit: Int
    private var byteCount = 0

    init(
        _ reader: VersionReader, _ recorder: VerifyRecorder, pageByteCount: Int
    ) throws(StorageError) {
        self.reader = reader
        self.recorder = recorder
        let size = try reader.statistics(of: reader.contents.values)
        byteLimit = (size.leafPageCount + size.overflowPageCount + 16) * pageByteCount
    }

    func beginPass() {
        byteCount = 0
    }

    func noteMissingUses() {
        missesUses = true
    }

    /// The record of a value that is used as one of a kind and with a number of elements (a text: of bytes).
    ///
    /// - Parameter place: of the user, for the finding where there is no such value.
    /// - Returns: nil where it is not there, not right, or too much was read already.
    func use(
        _ id: ValueID, as kind: ValueRecord.Kind, count: Int, at place: VerifyFinding.Place
    ) throws(StorageError) -> UnsafeRawBufferPointer? {
        var place = place
        place.value = id
        guard let bytes = try bytes(id) else {
            recorder.note(.valueMissing, place)
            return nil
        }
        ledger.owe(id.value, 0)
        guard charge(bytes.count) else { return nil }
        guard let record = try? ValueRecord(bytes, id: id, kind: kind),
            count == (kind == .text ? record.payload.count : record.count)
        else {
            recorder.note(.valueMismatch, place, expected: UInt64(count))
            return nil
        }
        return bytes
    }

    /// The payload of a text that was used before.
    func text(_ id: ValueID, count: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
        guard byteCount <= byteLimit, let bytes = try bytes(id),
            let record = try? ValueRecord(bytes, id: id, kind: .text), record.payload.count == count
        else { return nil }
        return record.payload
    }

    private func bytes(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer? {
        guard let stored = try reader.value(id) else { return nil }
        return try? reader.contents.codec.open(stored, key: id.value)
    }

    /// Keeps a damaged file, in which many lists share their pieces, from being read for ever.
    private func charge(_ count: Int) -> Bool {
        guard byteCount <= byteLimit else { return false }
        byteCount += count
        if byteCount > byteLimit {
            missesUses = true
            recorder.note(.valueExcess, expected: UInt64(byteLimit), found: UInt64(byteCount))
        }
        return byteCount <= byteLimit
    }
}
