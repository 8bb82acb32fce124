/// Finds the different values among those of a chunk, up to 256, in 2½ KiB on the stack.
struct SlotDictionary {
    /// The values that a sample looks at, in neighbouring pairs.
    private static let sampleCount = 32
    /// How far a search goes from its place before it gives the dictionary up: no input can make it slow.
    private static let probeLimit = 32

    /// The number of different values.
    private(set) var count = 0
    /// Entry + 1, or 0, at a place that the upper nine bits of the mixed value choose.
    private var places = InlineArray<512, UInt16>(repeating: 0)
    /// The rank where each entry is met first.
    private var ranks = InlineArray<256, UInt16>(repeating: 0)
    /// The entry of each rank.
    private var entries = InlineArray<448, UInt8>(repeating: 0)

    /// The rank where an entry, below `count`, is met first.
    @inline(__always)
    func rank(ofEntry entry: Int) -> Int { Int(ranks[entry]) }

    /// The entry of a rank.
    @inline(__always)
    func entry(ofRank rank: Int) -> Int { Int(entries[rank]) }

    /// Whether a look at a few values finds any twice. What it overlooks would hardly halve a chunk.
    @inline(__always)
    static func looksRepetitive(_ valueCount: Int, mixed: (Int) -> UInt64) -> Bool {
        guard valueCount > sampleCount else { return valueCount > 1 }
        var sample = InlineArray<32, UInt64>(repeating: 0)
        for index in 0..<sampleCount {
            sample[index] = mixed((index >> 1) &* (valueCount &- 1) / (sampleCount / 2) &+ index & 1)
        }
        for index in 1..<sampleCount {
            var isMet = false
            for earlier in 0..<index { isMet = sample[earlier] == sample[index] || isMet }
            if isMet { return true }
        }
        return false
    }

    /// Enters every value, and stops as soon as there are more than `limit` different ones.
    ///
    /// Only for a dictionary without entries.
    ///
    /// - Parameters:
    ///   - limit: 1 … 256.
    ///   - isEntered: told the rank of each new entry; false stops too.
    /// - Returns: whether all values were entered.
    @inline(__always)
    mutating func enter(
        _ valueCount: Int, limit: Int, mixed: (Int) -> UInt64, areEqual: (Int, Int) -> Bool,
        isEntered: (Int) -> Bool
    ) -> Bool {
        for rank in 0..<valueCount {
            var place = Int(truncatingIfNeeded: mixed(rank) >> 55)
            var probeCount = 0
            while places[place] != 0, !areEqual(Int(ranks[Int(places[place] &- 1)]), rank) {
                place = (place &+ 1) & 511
                probeCount &+= 1
                guard probeCount < Self.probeLimit else { return false }
            }
            if places[place] == 0 {
                guard count < limit, isEntered(rank) else { return false }
                ranks[count] = UInt16(truncatingIfNeeded: rank)
                count &+= 1
                places[place] = UInt16(truncatingIfNeeded: count)
            }
            entries[rank] = UInt8(truncatingIfNeeded: places[place] &- 1)
        }
        return true
    }
}
