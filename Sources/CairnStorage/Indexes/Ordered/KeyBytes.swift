/// How the keys of the database `ordered` are compared: byte by byte, and the shorter of two where
/// one begins with the other. LMDB's own order for keys that are bytes.
enum KeyBytes {
    /// Below zero, zero or above, as `left` comes before, is equal to, or comes after `right`.
    ///
    /// Eight bytes at a time: keys are short, and a call of `memcmp` costs as much as a comparison.
    ///
    /// - Complexity: O(n), n = the length of what both begin with.
    @inline(__always)
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        compare(left, right, from: 0)
    }

    /// The same for two keys that are known to agree in their first `start` bytes.
    @inline(__always)
    static func compare(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, from start: Int
    ) -> Int {
        let common = min(left.count, right.count)
        var offset = start
        while offset &+ 8 <= common {
            let leftWord = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let rightWord = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            if leftWord != rightWord { return leftWord < rightWord ? -1 : 1 }
            offset &+= 8
        }
        while offset < common {
            let leftByte = left[offset]
            let rightByte = right[offset]
            if leftByte != rightByte { return leftByte < rightByte ? -1 : 1 }
            offset &+= 1
        }
        return left.count &- right.count
    }

    /// Whether both are the same bytes.
    @inline(__always)
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        left.count == right.count && compare(left, right) == 0
    }
}
