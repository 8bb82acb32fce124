/// Writes the fields of a record one after the other.
package struct ByteWriter {
    /// What was written so far.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Appends an integer, little-endian.
    package mutating func integer<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends bytes as they are.
    package mutating func raw(_ source: some Sequence<UInt8>) {
        bytes.append(contentsOf: source)
    }

    /// Appends an unsigned LEB128 number.
    package mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Appends a 4-byte length and the text's UTF-8.
    package mutating func text(_ text: String) {
        let utf8 = Array(text.utf8)
        integer(UInt32(utf8.count))
        raw(utf8)
    }

    /// Overwrites an integer written before.
    package mutating func patch<T: FixedWidthInteger>(_ value: T, at offset: Int) {
        withUnsafeBytes(of: value.littleEndian) { source in
            for (index, byte) in source.enumerated() { bytes[offset + index] = byte }
        }
    }
}
