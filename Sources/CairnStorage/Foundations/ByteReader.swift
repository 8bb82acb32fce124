/// Reads the fields of a record from bytes that are not trusted: every read is checked against the
/// end, and the first that would pass it throws.
package struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    /// What the record is, for the error's sentence.
    private let subject: String
    /// The offset of the next field.
    package private(set) var offset = 0

    /// - Parameter bytes: must stay valid while the reader is used.
    package init(_ bytes: UnsafeRawBufferPointer, of subject: String) {
        self.bytes = bytes
        self.subject = subject
    }

    /// The bytes that are left.
    package var remainingByteCount: Int { bytes.count - offset }

    /// The next integer, little-endian.
    package mutating func integer<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(StorageError) -> T {
        let size = MemoryLayout<T>.size
        guard size <= remainingByteCount else { throw damage("ends in the middle of a number") }
        defer { offset += size }
        return T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }

    /// The next `count` bytes. Valid as long as the reader's bytes.
    package mutating func bytes(_ count: Int) throws(StorageError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remainingByteCount else {
            throw damage("announces \(count) bytes and has \(remainingByteCount)")
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    }

    /// The next unsigned LEB128 number: at most ten bytes, and no more than 64 bits.
    package mutating func varint() throws(StorageError) -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try integer(UInt8.self)
            let part = UInt64(byte & 0x7F)
            guard shift < 63 || (shift == 63 && part <= 1) else { throw damage("has a number over 64 bits") }
            result |= part << shift
            if byte & 0x80 == 0 { return result }
            shift += 7
        }
    }

    /// The next text: a 4-byte length and that many bytes of UTF-8.
    package mutating func text() throws(StorageError) -> String {
        let count = try integer(UInt32.self)
        let bytes = try self.bytes(Int(count))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw damage("has text that is not UTF-8")
        }
        return text
    }

    /// Fails unless every byte was read.
    package func finish() throws(StorageError) {
        guard remainingByteCount == 0 else { throw damage("has \(remainingByteCount) bytes too many") }
    }

    /// The error for a record that says something impossible.
    package func damage(_ what: String) -> StorageError {
        StorageError(.damaged, "The \(subject) \(what), at its byte \(offset). Run verify on the file.")
    }
}
