/// A set of identifiers of 12 or 16 bytes, for membership tests a row: two words each, side by side in one
/// buffer, so that a test is one look at memory.
struct IdentifierSet: Sendable {
    /// Two words a place, a power of two of places, at least twice the members; both zero for a free one.
    private var words: [UInt64]
    private let mask: Int
    /// A bit for each member, by its hash: small enough to stay in the cache, and most of what is no member has
    /// none.
    private var bits: [UInt64]
    /// Two zeros cannot stand in a place.
    private var containsZero = false

    /// - Parameter identifiers: of 12 or of 16 bytes, all of one length.
    init(_ identifiers: [[UInt8]]) {
        var capacity = 16
        while capacity < identifiers.count * 2 { capacity *= 2 }
        words = Array(repeating: 0, count: capacity * 2)
        mask = capacity - 1
        bits = Array(repeating: 0, count: max(1, capacity * 2 / 64))
        for identifier in identifiers {
            identifier.withUnsafeBytes { bytes in
                insert(
                    Self.first(bytes.baseAddress, bytes.count), Self.second(bytes.baseAddress, bytes.count))
            }
        }
    }

    @inline(__always)
    private static func first(_ bytes: UnsafeRawPointer?, _ count: Int) -> UInt64 {
        guard let bytes, count >= 8 else { return 0 }
        return bytes.loadUnaligned(as: UInt64.self)
    }

    /// The rest: four bytes or eight.
    @inline(__always)
    private static func second(_ bytes: UnsafeRawPointer?, _ count: Int) -> UInt64 {
        guard let bytes, count >= 12 else { return 0 }
        return count >= 16
            ? bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            : UInt64(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }

    /// Object ids rise in their last bytes, UUIDs are random: a product of both words spreads either.
    @inline(__always)
    private static func hash(_ first: UInt64, _ second: UInt64) -> Int {
        let mixed = (first ^ second &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> 24)
    }

    private mutating func insert(_ first: UInt64, _ second: UInt64) {
        guard first | second != 0 else {
            containsZero = true
            return
        }
        let hash = Self.hash(first, second)
        let bit = hash & (bits.count * 64 - 1)
        bits[bit >> 6] |= 1 << UInt64(bit & 63)
        var place = hash >> 4 & mask
        while words[place * 2] | words[place * 2 + 1] != 0 {
            if words[place * 2] == first, words[place * 2 + 1] == second { return }
            place = (place + 1) & mask
        }
        words[place * 2] = first
        words[place * 2 + 1] = second
    }

    /// Whether the identifier at an address is a member.
    ///
    /// - Parameter count: its bytes, 12 or 16.
    @inline(__always)
    func contains(_ bytes: UnsafeRawPointer, count: Int) -> Bool {
        let first = Self.first(bytes, count)
        let second = Self.second(bytes, count)
        guard first | second != 0 else { return containsZero }
        let hash = Self.hash(first, second)
        let bit = hash & (bits.count &* 64 &- 1)
        let mayContain = bits.withUnsafeBufferPointer {
            $0[bit &>> 6] &>> UInt64(truncatingIfNeeded: bit & 63) & 1 != 0
        }
        guard mayContain else { return false }
        return words.withUnsafeBufferPointer { words in
            var place = hash &>> 4 & mask
            while true {
                let known = words[place &* 2]
                let other = words[place &* 2 &+ 1]
                if known == first, other == second { return true }
                if known | other == 0 { return false }
                place = (place &+ 1) & mask
            }
        }
    }
}
