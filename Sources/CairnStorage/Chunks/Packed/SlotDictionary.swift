/// Finds the different values among those of a chunk, up to 256, in memory that the caller lends.
struct SlotDictionary {
    /// The memory that a dictionary needs, aligned to two bytes.
    static let byteCount = placeCount * 2 + PackedLayout.dictionaryLimit * 2 + Block.slotCount

    private static let placeCount = 512
    /// The values that a first look takes, in neighbouring pairs.
    private static let sampleCount = 32
    /// How far a search goes from its place before it gives the dictionary up: no input can make it slow.
    private static let probeLimit = 32

    /// The number of different values.
    private(set) var count = 0
    /// Entry + 1, or 0, at a place that the upper nine bits of the mixed value choose.
    private let places: UnsafeMutablePointer<UInt16>
    /// The rank where each entry is met first.
    private let ranks: UnsafeMutablePointer<UInt16>
    /// The entry of each rank.
    private let entries: UnsafeMutablePointer<UInt8>

    /// - Parameter memory: `byteCount` bytes, for as long as the dictionary is used.
    init(in memory: UnsafeMutableRawPointer) {
        places = memory.bindMemory(to: UInt16.self, capacity: Self.placeCount)
        let behindPlaces = memory + Self.placeCount * 2
        ranks = behindPlaces.bindMemory(to: UInt16.self, capacity: PackedLayout.dictionaryLimit)
        let behindRanks = behindPlaces + PackedLayout.dictionaryLimit * 2
        entries = behindRanks.bindMemory(to: UInt8.self, capacity: Block.slotCount)
    }

    /// The rank where an entry, below `count`, is met first.
    @inline(__always)
    func rank(ofEntry entry: Int) -> Int { Int(ranks[entry]) }

    /// The entry of a rank.
    @inline(__always)
    func entry(ofRank rank: Int) -> Int { Int(entries[rank]) }

    /// Enters every value, and stops as soon as there are more than `limit` different ones.
    ///
    /// Values that repeat so seldom that a look at a few finds none twice are not entered at all: they
    /// would hardly halve a chunk.
    ///
    /// - Parameters:
    ///   - valueCount: at least 1.
    ///   - limit: 1 … 256.
    ///   - mixed: a mixture of the bits of a rank's value.
    ///   - isEntered: told the rank of each new entry; false stops too.
    /// - Returns: whether all values were entered.
    @inline(__always)
    mutating func enter(
        _ valueCount: Int, limit: Int, mixed: (Int) -> UInt64, areEqual: (Int, Int) -> Bool,
        isEntered: (Int) -> Bool
    ) -> Bool {
        if valueCount > Self.sampleCount {
            clear()
            for index in 0..<Self.sampleCount {
                let pair = (index >> 1) &* (valueCount &- 1) / (Self.sampleCount / 2)
                guard enter(pair &+ index & 1, limit: limit, mixed, areEqual) != nil else { return false }
            }
            guard count < Self.sampleCount else { return false }
        }
        clear()
        for rank in 0..<valueCount {
            let countBefore = count
            guard let entry = enter(rank, limit: limit, mixed, areEqual) else { return false }
            entries[rank] = UInt8(truncatingIfNeeded: entry)
            guard count == countBefore || isEntered(rank) else { return false }
        }
        return true
    }

    /// The entry of a rank's value, a new one if need be; nil when that would be over the limit or the search
    /// takes too long.
    @inline(__always)
    private mutating func enter(
        _ rank: Int, limit: Int, _ mixed: (Int) -> UInt64, _ areEqual: (Int, Int) -> Bool
    ) -> Int? {
        var place = Int(truncatingIfNeeded: mixed(rank) &>> 55)
        for _ in 0..<Self.probeLimit {
            let entry = Int(places[place]) &- 1
            if entry < 0 {
                guard count < limit else { return nil }
                ranks[count] = UInt16(truncatingIfNeeded: rank)
                count &+= 1
                places[place] = UInt16(truncatingIfNeeded: count)
                return count &- 1
            }
            if areEqual(Int(ranks[entry]), rank) { return entry }
            place = (place &+ 1) & (Self.placeCount &- 1)
        }
        return nil
    }

    private mutating func clear() {
        count = 0
        places.update(repeating: 0, count: Self.placeCount)
    }
}
