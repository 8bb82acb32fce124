internal import CairnStorage

/// Values as 64-bit numbers in the same order, for sorting.
enum SortBits {
    static func int(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ (1 << 63) }

    /// NaN before everything, then by number; both zeros alike.
    static func double(_ value: Double) -> UInt64 {
        if value.isNaN { return 0 }
        let bits = (value == 0 ? 0.0 : value).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
    }

    /// Whether equal numbers mean equal values.
    static func isExact(_ kind: ValueKind) -> Bool {
        switch kind {
        case .bool, .int, .float, .double, .date, .link: true
        case .string, .binary, .objectId, .uuid, .decimal, .backlinks: false
        }
    }

    /// Of the bytes of a value that is there.
    static func bits(_ bytes: UnsafeRawBufferPointer, _ kind: ValueKind) -> UInt64 {
        switch kind {
        case .bool: return UInt64(bytes[0])
        case .int: return int(bytes.loadUnaligned(as: Int64.self))
        case .float: return double(Double(bytes.loadUnaligned(as: Float.self)))
        case .double, .date: return double(bytes.loadUnaligned(as: Double.self))
        case .string, .binary, .objectId, .uuid: return ByteOrder.prefix(bytes)
        case .decimal:
            let number = DecimalNumber(bytes)
            // The nearest double is in the same order, but for numbers that share one.
            return double(number.doubleValue)
        case .link, .backlinks: return 0
        }
    }

    /// The order of two values whose bits are equal.
    static func compare(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ kind: ValueKind
    ) -> Int {
        guard kind == .decimal else { return ByteOrder.compare(left, right) }
        let leftNumber = DecimalNumber(left)
        let rightNumber = DecimalNumber(right)
        return leftNumber.compare(rightNumber)
    }
}

/// A row in a sort: its bits and where it stood.
struct SortEntry {
    var bits: UInt64
    var place: UInt32
}

enum RadixSort {
    /// Sorts by bits, stably.
    ///
    /// Least significant digit first, a byte at a time; bytes that are the same in all entries are left out.
    static func sort(_ entries: inout [SortEntry]) {
        guard entries.count > 256 else {
            entries.sort { ($0.bits, $0.place) < ($1.bits, $1.place) }
            return
        }
        var counts = [Int](repeating: 0, count: 8 * 256)
        for entry in entries {
            for byte in 0..<8 { counts[byte &* 256 &+ Int(entry.bits >> UInt64(byte &* 8) & 0xFF)] &+= 1 }
        }
        var other = [SortEntry](repeating: SortEntry(bits: 0, place: 0), count: entries.count)
        for byte in 0..<8 {
            let first = byte * 256
            let shift = UInt64(byte * 8)
            if counts[first + Int(entries[0].bits >> shift & 0xFF)] == entries.count { continue }
            var next = 0
            for digit in 0..<256 {
                let count = counts[first + digit]
                counts[first + digit] = next
                next += count
            }
            entries.withUnsafeBufferPointer { source in
                other.withUnsafeMutableBufferPointer { target in
                    counts.withUnsafeMutableBufferPointer { counts in
                        for entry in source {
                            let digit = first &+ Int(truncatingIfNeeded: entry.bits >> shift & 0xFF)
                            target[counts[digit]] = entry
                            counts[digit] &+= 1
                        }
                    }
                }
            }
            swap(&entries, &other)
        }
    }
}
