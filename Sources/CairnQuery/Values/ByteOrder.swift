internal import Glibc

/// Byte strings compared as unsigned bytes: the one order of strings and binary.
enum ByteOrder {
    @inline(__always)
    static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard left.count > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
            return true
        }
        return memcmp(leftBase, rightBase, left.count) == 0
    }

    /// Negative, zero or positive.
    @inline(__always)
    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let count = min(left.count, right.count)
        if count > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress {
            let order = Int(memcmp(leftBase, rightBase, count))
            if order != 0 { return order }
        }
        return left.count - right.count
    }

    static func hasPrefix(_ bytes: UnsafeRawBufferPointer, _ prefix: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= prefix.count
            && areEqual(UnsafeRawBufferPointer(rebasing: bytes[..<prefix.count]), prefix)
    }

    static func hasSuffix(_ bytes: UnsafeRawBufferPointer, _ suffix: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= suffix.count
            && areEqual(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - suffix.count)...]), suffix)
    }

    static func contains(_ bytes: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
        guard needle.count > 0, let needleBase = needle.baseAddress else { return true }
        guard bytes.count >= needle.count, var base = bytes.baseAddress else { return false }
        // The first byte by memchr, the rest by memcmp: texts are short, and needles too.
        var places = bytes.count - needle.count + 1
        let first = Int32(needle[0])
        while places > 0, let found = memchr(base, first, places) {
            let place = UnsafeRawPointer(found)
            if memcmp(place, needleBase, needle.count) == 0 { return true }
            places -= place - base + 1
            base = place + 1
        }
        return false
    }

    /// The first eight bytes as a big-endian number, zeros behind a shorter string: strings in order have
    /// prefixes in order.
    @inline(__always)
    static func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
        var result: UInt64 = 0
        for index in 0..<bytes.count { result |= UInt64(bytes[index]) << UInt64(56 - index * 8) }
        return result
    }
}
