/// The byte layout of a record in the database `values` (`docs/file-format.md`, section 7).
///
///     0        8 9 10   12    16
///     | sum    |f|k| 0  |count| payload …
package enum ValueRecordLayout {
    package static let checksum = 0
    package static let format = checksum + RecordSeal.byteCount
    package static let kind = format + 1
    package static let reserved = kind + 1
    package static let count = reserved + 2
    /// Where the payload begins: the size of the header.
    package static let payload = count + 4

    /// The only record format so far.
    package static let currentFormat: UInt8 = 1
    /// The longest payload: LMDB takes values of less than 4 GiB.
    package static let payloadLimit = Int(UInt32.max) - payload
}

/// A record of the database `values`, opened: what it is, and where its payload lies.
///
/// Valid as long as the bytes it was opened from.
package struct ValueRecord {
    /// What a record holds. The raw values are stored.
    package enum Kind: UInt8, Sendable {
        /// A long string or binary.
        case text = 1
        /// Some of the elements of a long list.
        case listPiece = 2
        /// The pieces of a long list, in order.
        case listDirectory = 3
    }

    /// The number of elements: 0 for a text, that of the whole list for a directory.
    package let count: Int
    /// What stands behind the header.
    package let payload: UnsafeRawBufferPointer

    /// Opens a record. The checksum is the caller's to compare; the payload is not looked at.
    ///
    /// Throws `damaged` when the record is cut short, of another format or of another kind.
    ///
    /// - Parameters:
    ///   - id: its key, for the error's sentence.
    ///   - kind: what the record has to be.
    package init(_ bytes: UnsafeRawBufferPointer, id: ValueID, kind: Kind) throws(StorageError) {
        guard bytes.count >= ValueRecordLayout.payload else {
            throw Self.damage(id, "has only \(bytes.count) bytes")
        }
        guard bytes[ValueRecordLayout.format] == ValueRecordLayout.currentFormat else {
            throw Self.damage(id, "has the unknown record format \(bytes[ValueRecordLayout.format])")
        }
        guard bytes[ValueRecordLayout.kind] == kind.rawValue else {
            throw Self.damage(id, "is of kind \(bytes[ValueRecordLayout.kind]) and not a \(kind)")
        }
        let count = bytes.loadUnaligned(fromByteOffset: ValueRecordLayout.count, as: UInt32.self)
        self.count = Int(UInt32(littleEndian: count))
        payload = UnsafeRawBufferPointer(rebasing: bytes[ValueRecordLayout.payload...])
    }

    /// Writes the sixteen bytes of a header. The first eight of them, the checksum's, become zero.
    ///
    /// - Parameter record: at least as long as a header.
    package static func writeHeader(
        to record: UnsafeMutableRawBufferPointer, kind: Kind, count: Int
    ) {
        record.storeBytes(of: 0, toByteOffset: ValueRecordLayout.checksum, as: UInt64.self)
        record.storeBytes(of: 0, toByteOffset: ValueRecordLayout.format, as: UInt32.self)
        record[ValueRecordLayout.format] = ValueRecordLayout.currentFormat
        record[ValueRecordLayout.kind] = kind.rawValue
        record.storeBytes(
            of: UInt32(count).littleEndian, toByteOffset: ValueRecordLayout.count, as: UInt32.self)
    }

    /// A whole record, its checksum still zero.
    package static func build(
        kind: Kind, count: Int, payload: UnsafeRawBufferPointer
    ) -> [UInt8] {
        let byteCount = ValueRecordLayout.payload + payload.count
        return [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initializedCount in
            let record = UnsafeMutableRawBufferPointer(buffer)
            writeHeader(to: record, kind: kind, count: count)
            UnsafeMutableRawBufferPointer(rebasing: record[ValueRecordLayout.payload..<byteCount])
                .copyMemory(from: payload)
            initializedCount = byteCount
        }
    }

    /// The error for a record that says something impossible.
    package static func damage(_ id: ValueID, _ what: String) -> StorageError {
        StorageError(.damaged, "The record of \(id) \(what). Run verify on the file.")
    }
}
