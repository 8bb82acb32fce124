/// The keys of the database `ordered` (`docs/file-format.md`, section 6): their layout, and reading
/// them back. `OrderedKeyBuffer` writes them.
///
///     0       2                                n − 8      n
///     | space | encoded value                  | row key  |   an ordered index
///     | space | target's row key               | origin's |   backlinks, n = 18
///
///     encoded value:  00                         nil
///                     01 8 bytes                 int, float, double, date
///                     01 bytes, escaped   00 01  string, binary
///                     01 477–478 bytes    00 02  a longer one, cut
///
/// Encoded values of one kind compare as the values do, and none is the beginning of another.
package enum OrderedKey {
    static var spaceByteCount: Int { 2 }
    static var rowKeyByteCount: Int { 8 }
    /// The shortest key: nil. Every key is at least this long.
    static var minimumByteCount: Int { spaceByteCount + 1 + rowKeyByteCount }
    /// The most an encoded string takes before its terminator: marker and escaped bytes.
    static var textLimit: Int { 478 }
    /// The longest key. LMDB's own limit is 511.
    package static var maximumByteCount: Int { spaceByteCount + textLimit + 2 + rowKeyByteCount }

    /// First byte of an encoded value: nil.
    static var nullMarker: UInt8 { 0x00 }
    /// First byte of an encoded value: not nil.
    static var valueMarker: UInt8 { 0x01 }
    /// Begins an escape pair and the terminator.
    static var escape: UInt8 { 0x00 }
    /// Behind `escape`: a byte 0 of the value.
    static var escapedZero: UInt8 { 0xFF }
    /// Behind `escape`: the value ends here.
    static var end: UInt8 { 0x01 }
    /// Behind `escape`: the key ends here, the value goes on.
    static var cut: UInt8 { 0x02 }

    /// Whether values of the kind can be indexed in order.
    package static func isIndexable(_ kind: ValueKind) -> Bool {
        switch kind {
        case .bool, .int, .float, .double, .date, .string, .binary, .objectId, .uuid: true
        case .decimal, .link, .backlinks: false
        }
    }

    /// The bytes of an encoded value that is not nil, its marker included; nil where they differ in
    /// length. For backlinks: the target.
    @inline(__always)
    static func encodedByteCount(_ kind: ValueKind) -> Int? {
        switch kind {
        case .bool: 2
        case .int, .float, .double, .date: 9
        case .objectId: 13
        case .uuid: 17
        case .backlinks: 8
        case .string, .binary, .decimal, .link: nil
        }
    }

    /// Writes an integer, big-endian.
    @inline(__always)
    static func store(_ value: some FixedWidthInteger, _ memory: UnsafeMutableRawPointer, _ offset: Int) {
        memory.storeBytes(of: value.bigEndian, toByteOffset: offset, as: type(of: value))
    }

    /// Reads a big-endian integer.
    @inline(__always)
    static func load<T: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, as type: T.Type
    ) -> T {
        T(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
}

// MARK: - Taking apart

extension OrderedKey {
    /// A key taken apart. Its bytes are the key's own: valid as long as those.
    package struct Parts {
        package let space: SpaceID
        /// The encoded value; for backlinks the target's row key, 8 bytes BE.
        package let value: UnsafeRawBufferPointer
        /// Whether `value` is only the beginning of a longer string's.
        package let isCut: Bool
        /// The row; for backlinks the origin.
        package let rowKey: RowKey

        /// Whether the value is nil.
        package var isNull: Bool { value.count == 1 }

        /// Backlinks only: the row that is linked to.
        package var target: RowKey { RowKey(OrderedKey.load(value, 0, as: UInt64.self)) }
    }

    /// Takes a key apart. Checks its shape and leaves the value's content to `parse`.
    ///
    /// - Parameter kind: the index's kind of values, or `.backlinks`.
    /// - Throws: `.damaged` for bytes that are no key of the kind.
    /// - Complexity: O(1).
    @inline(__always)
    package static func split(
        _ key: UnsafeRawBufferPointer, kind: ValueKind
    ) throws(StorageError) -> Parts {
        guard key.count >= minimumByteCount, key.count <= maximumByteCount else {
            throw damage(key, "is too short or too long")
        }
        let valueEnd = key.count &- rowKeyByteCount
        let value = UnsafeRawBufferPointer(rebasing: key[spaceByteCount..<valueEnd])
        let rowKey = load(key, valueEnd, as: UInt64.self)
        guard rowKey < RowKey.limit else { throw damage(key, "names a row that cannot be") }
        var isCut = false
        if let count = encodedByteCount(kind) {
            if value.count == count {
                if kind == .backlinks {
                    guard load(value, 0, as: UInt64.self) < RowKey.limit else {
                        throw damage(key, "names a target that cannot be")
                    }
                } else if value[0] != valueMarker {
                    throw damage(key, "begins with no known marker")
                }
            } else if kind == .backlinks || value.count != 1 || value[0] != nullMarker {
                throw damage(key, "has a value of the wrong length")
            }
        } else if value[0] == valueMarker {
            guard value.count >= 3, value[value.count &- 2] == escape else {
                throw damage(key, "has no end of its text")
            }
            let terminator = value[value.count &- 1]
            isCut = terminator == cut
            guard isCut || terminator == end else { throw damage(key, "has no end of its text") }
        } else if value.count != 1 || value[0] != nullMarker {
            throw damage(key, "begins with no known marker")
        }
        return Parts(
            space: SpaceID(load(key, 0, as: UInt16.self)), value: value, isCut: isCut,
            rowKey: RowKey(rowKey))
    }

    /// Takes a key apart and checks its value too: after it, the value is one that an
    /// `OrderedKeyBuffer` writes.
    ///
    /// - Throws: `.damaged`.
    /// - Complexity: O(n), n = the length of the key.
    package static func parse(
        _ key: UnsafeRawBufferPointer, kind: ValueKind
    ) throws(StorageError) -> Parts {
        let parts = try split(key, kind: kind)
        if kind != .backlinks {
            var ignored: [UInt8] = []
            _ = try decode(parts.value, kind: kind, into: &ignored)
        }
        return parts
    }

    /// The error for a key that cannot be. Names its space, never its value.
    @inline(never)
    static func damage(_ key: UnsafeRawBufferPointer, _ what: StaticString) -> StorageError {
        let place = key.count < 2 ? "" : " of \(SpaceID(load(key, 0, as: UInt16.self)))"
        return StorageError(.damaged, "A key\(place) in the ordered entries \(what). Run verify on the file.")
    }
}
