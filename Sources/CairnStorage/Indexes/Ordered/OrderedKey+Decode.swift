// The way back from an encoded value to the value as columns store it: for the smallest and largest
// of an index, and for `verify`.
extension OrderedKey {
    /// What an encoded value says.
    package enum Decoded: Sendable {
        case null
        /// The whole value.
        case value
        /// The beginning of a longer string or binary.
        case prefix
    }

    /// Writes the value's bytes as columns store them into `bytes`, replacing what is there.
    ///
    /// −0 was encoded as +0 and every NaN as one, so those come back as +0 and as the standard NaN.
    ///
    /// - Parameters:
    ///   - value: the encoded value, as `OrderedKey.Parts` or an entry of a cursor has it.
    ///   - kind: the index's kind, not `.backlinks`.
    /// - Throws: `.damaged` for bytes that no value is encoded as.
    /// - Complexity: O(n), n = the number of bytes.
    package static func decode(
        _ value: UnsafeRawBufferPointer, kind: ValueKind, into bytes: inout [UInt8]
    ) throws(StorageError) -> Decoded {
        bytes.removeAll(keepingCapacity: true)
        guard let marker = value.first, marker <= valueMarker else { throw damagedValue(kind) }
        if marker == nullMarker {
            guard value.count == 1 else { throw damagedValue(kind) }
            return .null
        }
        if let count = encodedByteCount(kind), count != value.count { throw damagedValue(kind) }
        switch kind {
        case .bool:
            guard value[1] <= 1 else { throw damagedValue(kind) }
            bytes.append(value[1])
        case .int:
            append(load(value, 1, as: UInt64.self) ^ (1 << 63), to: &bytes)
        case .float:
            let number = try decodeDouble(value, kind)
            let narrow = Float(number)
            guard number.isNaN || Double(narrow) == number else { throw damagedValue(kind) }
            append(narrow.bitPattern, to: &bytes)
        case .double, .date:
            append(try decodeDouble(value, kind).bitPattern, to: &bytes)
        case .objectId, .uuid:
            bytes.append(contentsOf: value[1...])
        case .string, .binary:
            return try decodeText(value, kind, into: &bytes) ? .prefix : .value
        case .decimal, .link, .backlinks:
            preconditionFailure("Values of the kind \(kind) are not in ordered indexes.")
        }
        return .value
    }

    private static func decodeDouble(
        _ value: UnsafeRawBufferPointer, _ kind: ValueKind
    ) throws(StorageError) -> Double {
        let code = load(value, 1, as: UInt64.self)
        if code == 0 { return .nan }
        let number = Double(bitPattern: code >> 63 == 1 ? code ^ (1 << 63) : ~code)
        // No NaN but the one above, and no −0, is ever written.
        guard !number.isNaN, number != 0 || number.sign == .plus else { throw damagedValue(kind) }
        return number
    }

    /// Takes out the escapes. True if the text was cut.
    private static func decodeText(
        _ value: UnsafeRawBufferPointer, _ kind: ValueKind, into bytes: inout [UInt8]
    ) throws(StorageError) -> Bool {
        bytes.reserveCapacity(value.count)
        var offset = 1
        while offset < value.count {
            let byte = value[offset]
            guard byte == escape else {
                bytes.append(byte)
                offset += 1
                continue
            }
            guard offset + 1 < value.count else { throw damagedValue(kind) }
            let second = value[offset + 1]
            offset += 2
            guard second != escapedZero else {
                bytes.append(0)
                continue
            }
            // The end, and nothing behind it. A cut one is as long as it can be, or one byte shorter
            // where an escape pair did not fit; a whole one is no longer than that.
            let contentCount = offset - 2
            let isCut = second == cut
            let fits = isCut ? textLimit - 1...textLimit : 1...textLimit
            guard isCut || second == end, offset == value.count, fits.contains(contentCount) else {
                throw damagedValue(kind)
            }
            return isCut
        }
        throw damagedValue(kind)
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func damagedValue(_ kind: ValueKind) -> StorageError {
        StorageError(
            .damaged, "A key in an ordered index holds no value of the kind \(kind). Run verify on the file.")
    }
}
