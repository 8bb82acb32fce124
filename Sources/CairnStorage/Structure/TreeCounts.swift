/// What a walk over a tree has counted.
struct TreeCounts {
    var entries: UInt64 = 0
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0

    mutating func add(_ other: TreeCounts) {
        entries += other.entries
        branchPages += other.branchPages
        leafPages += other.leafPages
        overflowPages += other.overflowPages
    }
}
