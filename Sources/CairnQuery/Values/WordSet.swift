/// A set of 64-bit words, for membership tests a row: open addressing in one buffer.
struct WordSet: Sendable {
    /// A power of two, at least twice the members; 0 stands for a free place.
    private var places: [UInt64]
    private var mask: Int
    /// 0 cannot stand in a place.
    private var containsZero = false
    private(set) var count = 0

    init(_ words: some Collection<UInt64>) {
        var capacity = 16
        while capacity < words.count * 2 { capacity *= 2 }
        places = Array(repeating: 0, count: capacity)
        mask = capacity - 1
        for word in words { insert(word) }
    }

    private mutating func insert(_ word: UInt64) {
        guard word != 0 else {
            if !containsZero { count += 1 }
            containsZero = true
            return
        }
        var place = Self.start(word) & mask
        while places[place] != 0 {
            if places[place] == word { return }
            place = (place + 1) & mask
        }
        places[place] = word
        count += 1
    }

    @inline(__always)
    private static func start(_ word: UInt64) -> Int {
        // Fibonacci hashing: the high bits of a product with 2^64 divided by the golden ratio.
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }

    @inline(__always)
    func contains(_ word: UInt64) -> Bool {
        guard word != 0 else { return containsZero }
        return places.withUnsafeBufferPointer { places in
            var place = Self.start(word) & mask
            while places[place] != 0 {
                if places[place] == word { return true }
                place = (place &+ 1) & mask
            }
            return false
        }
    }

    /// The members, in no particular order.
    var words: [UInt64] { (containsZero ? [0] : []) + places.filter { $0 != 0 } }
}
