/// The checksum at the head of a record: XXH3-64 of everything behind it, seeded with the record's
/// place, so that a record under another's key is damage too.
package enum RecordSeal {
    /// Where the record's own content begins.
    package static let byteCount = 8

    /// The checksum the record ought to carry.
    ///
    /// - Parameters:
    ///   - record: the whole record, at least eight bytes.
    ///   - seed: its integer key, or the hash of its key's bytes.
    package static func checksum(of record: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        ByteHash.hash(UnsafeRawBufferPointer(rebasing: record[byteCount...]), seed: seed)
    }

    /// Whether the record carries the checksum it ought to. False for one that has no room for it.
    package static func holds(_ record: UnsafeRawBufferPointer, seed: UInt64) -> Bool {
        guard record.count >= byteCount else { return false }
        return UInt64(littleEndian: record.loadUnaligned(as: UInt64.self)) == checksum(of: record, seed: seed)
    }

    /// Writes the checksum into the first eight bytes, which the caller has left free.
    package static func close(_ record: UnsafeMutableRawBufferPointer, seed: UInt64) {
        let sum = checksum(of: UnsafeRawBufferPointer(record), seed: seed)
        record.storeBytes(of: sum.littleEndian, as: UInt64.self)
    }

    /// The same for a record in an array.
    package static func close(_ record: inout [UInt8], seed: UInt64) {
        record.withUnsafeMutableBytes { close($0, seed: seed) }
    }
}
