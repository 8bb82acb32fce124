/// The shape of a linear hash table (Litwin 1980): which bucket a hash belongs to while the table
/// grows and shrinks by one bucket at a time.
///
///     round 2, split position 1:     bucket 0  1  2  3 | 4
///                                           ^split      ^ what was split off bucket 0
package struct LinearHash: Hashable, Sendable {
    /// 2^round buckets are where the round began.
    package private(set) var round: UInt8 = 0
    /// The next bucket to be split; those below it have been.
    package private(set) var splitPosition: UInt32 = 0

    package init() {}

    /// Nil where the numbers cannot be: bucket numbers have 32 bits.
    package init?(round: UInt8, splitPosition: UInt32) {
        guard round < 31, splitPosition < UInt32(1) << round else { return nil }
        self.round = round
        self.splitPosition = splitPosition
    }

    package var bucketCount: UInt32 { (UInt32(1) << round) + splitPosition }

    /// The bucket of a hash. Only its lower 32 bits count, which buckets keep.
    @inline(__always)
    package func bucket(of hash: UInt64) -> UInt32 {
        let low = UInt32(truncatingIfNeeded: hash)
        let bucket = low & ((1 << round) - 1)
        return bucket < splitPosition ? low & ((2 << round) - 1) : bucket
    }

    /// Makes the table larger by one bucket.
    ///
    /// - Returns: the bucket whose entries are to be divided anew between itself and the new one,
    ///   which is the last.
    package mutating func grow() -> (split: UInt32, new: UInt32) {
        let result = (split: splitPosition, new: bucketCount)
        splitPosition += 1
        if splitPosition == UInt32(1) << round {
            round += 1
            splitPosition = 0
        }
        return result
    }

    /// Makes the table smaller by one bucket; it must have more than one.
    ///
    /// - Returns: the bucket that goes, which was the last, and the one that takes its entries.
    package mutating func shrink() -> (removed: UInt32, into: UInt32) {
        precondition(bucketCount > 1, "a hash table keeps its last bucket")
        if splitPosition == 0 {
            round -= 1
            splitPosition = UInt32(1) << round
        }
        splitPosition -= 1
        return (removed: (UInt32(1) << round) + splitPosition, into: splitPosition)
    }
}
