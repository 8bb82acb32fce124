internal import CHash

/// A bucket of a hash index (`docs/file-format.md`, section 5): a hash table of its own, in groups of eight
/// entries that are looked at together. A view over a validated bucket, or over one that a session owns.
///
/// An entry is in the group that its hash asks for, its home, or, where that was full, in the nearest one
/// after it that was not; behind the last comes the first. So a search ends at the first group with a free
/// place. Free places are at the end of their group and zero.
///
/// Places count through all groups: the n-th of group g is 8 g + n.
package struct Bucket {
    package let pointer: UnsafeRawPointer

    package init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    /// What a bucket keeps of a hash: its lower 32 bits. They tell where an entry belongs when buckets
    /// are split, and which entries may be the wanted one.
    static func hashBits(of hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) }

    var rowKeyByteCount: Int {
        Int(pointer.load(fromByteOffset: BucketLayout.rowKeyByteCount, as: UInt8.self))
    }
    var groupCount: Int {
        Int(pointer.loadUnaligned(fromByteOffset: BucketLayout.groupCount, as: UInt32.self))
    }
    /// The number of entries, as the header has it.
    package var count: Int { Int(pointer.loadUnaligned(fromByteOffset: BucketLayout.count, as: UInt32.self)) }
    var byteCount: Int {
        BucketLayout.byteCount(groupCount: groupCount, rowKeyByteCount: rowKeyByteCount)
    }
    var groupByteCount: Int { BucketLayout.groupByteCount(rowKeyByteCount: rowKeyByteCount) }

    func group(_ index: Int) -> UnsafeRawPointer {
        pointer + (BucketLayout.groups &+ index &* groupByteCount)
    }

    package func hashBits(_ place: Int) -> UInt32 {
        group(place >> 3).loadUnaligned(fromByteOffset: (place & 7) &* 4, as: UInt32.self)
    }

    /// The row of an entry; nothing that is one for a free place.
    package func rowKey(_ place: Int) -> RowKey {
        RowKey(Self.stored(group(place >> 3), place & 7, width: rowKeyByteCount) &- 1)
    }

    /// What stands for the row key: it and 1, or 0 for a free place.
    @inline(__always)
    static func stored(_ group: UnsafeRawPointer, _ offset: Int, width: Int) -> UInt64 {
        let rowKeys = group + BucketLayout.rowKeys
        return width == 4
            ? UInt64(rowKeys.loadUnaligned(fromByteOffset: offset &* 4, as: UInt32.self))
            : rowKeys.loadUnaligned(fromByteOffset: offset &* 8, as: UInt64.self)
    }

    /// The group that an entry belongs to. The upper bits choose it: the lower ones are those that all
    /// entries of a bucket share.
    @inline(__always)
    static func home(of hashBits: UInt32, groupCount: Int) -> Int {
        Int((UInt64(hashBits) &* UInt64(groupCount)) >> 32)
    }

    /// The number of entries in a group.
    @inline(__always)
    func entryCount(inGroup index: Int) -> Int {
        let group = group(index)
        guard rowKeyByteCount == 8 else {
            let free = cairn_matches8(group + BucketLayout.rowKeys, 0)
            return (free | 1 << UInt32(BucketLayout.groupEntryCount)).trailingZeroBitCount
        }
        var count = 0
        while count < BucketLayout.groupEntryCount, Self.stored(group, count, width: 8) != 0 { count += 1 }
        return count
    }

    /// Whether a place is free and nothing is in it.
    func isZero(_ place: Int) -> Bool {
        hashBits(place) == 0 && Self.stored(group(place >> 3), place & 7, width: rowKeyByteCount) == 0
    }

    /// The places of the entries that have the bits.
    @inline(__always)
    func matches(_ hashBits: UInt32) -> BucketMatches { BucketMatches(self, hashBits) }

    /// The place of the entry of a row, or nil.
    package func place(of row: RowKey, hashBits: UInt32) -> Int? {
        var matches = matches(hashBits)
        while let place = matches.next() { if rowKey(place) == row { return place } }
        return nil
    }

    /// Calls the body with the place of each entry.
    @inline(__always)
    package func forEachPlace(_ body: (Int) -> Void) {
        for group in 0..<groupCount {
            for offset in 0..<entryCount(inGroup: group) { body(group << 3 | offset) }
        }
    }

    /// Whether it has as many groups as fill a page, of 4-byte row keys.
    @inline(__always)
    var isOnePage: Bool {
        // Format, encoding, width and number of groups at once.
        pointer.loadUnaligned(fromByteOffset: ChunkLayout.format, as: UInt64.self) == BucketSize.onePage
    }
}

/// A search in a bucket: the places of the entries that have the same bits of their hash.
///
/// - Complexity: O(1) on average; O(entries) where most keys of an index are equal.
struct BucketMatches {
    private let bucket: Bucket
    private let hashBits: UInt32
    private let groupCount: Int
    private let width: Int
    private var group: Int
    /// The groups that come after this one.
    private var restCount: Int
    /// Those in this group that were not given yet, a bit each.
    private var mask: UInt32

    @inline(__always)
    init(_ bucket: Bucket, _ hashBits: UInt32) {
        self.bucket = bucket
        self.hashBits = hashBits
        // Apart, as nearly all buckets of a large index are one page: with a branch that is foreseen, the
        // processor asks for the group's line without waiting for the header's.
        if _fastPath(bucket.isOnePage) {
            groupCount = BucketSize.pageGroupCount
            width = 4
            group = Bucket.home(of: hashBits, groupCount: BucketSize.pageGroupCount)
            mask = cairn_matches8(
                bucket.pointer + (BucketLayout.groups &+ group &* BucketSize.groupByteCount), hashBits)
        } else {
            groupCount = bucket.groupCount
            width = bucket.rowKeyByteCount
            group = Bucket.home(of: hashBits, groupCount: groupCount)
            mask = groupCount > 0 ? cairn_matches8(bucket.group(group), hashBits) : 0
        }
        restCount = groupCount &- 1
    }

    /// The next place. It may be a free one, which has no row, where the bits are zero.
    @inline(__always)
    mutating func next() -> Int? {
        while mask == 0 {
            // The last place is taken when all are.
            guard restCount > 0, Bucket.stored(bucket.group(group), 7, width: width) != 0 else { return nil }
            restCount &-= 1
            group = group &+ 1 == groupCount ? 0 : group &+ 1
            mask = cairn_matches8(bucket.group(group), hashBits)
        }
        let offset = mask.trailingZeroBitCount
        mask &= mask &- 1
        return group << 3 | offset
    }
}

/// How many groups a bucket is made with. A reader of the file takes any number.
enum BucketSize {
    /// The groups of 4-byte row keys that fill one overflow page of LMDB exactly.
    static var pageGroupCount: Int { 63 }
    /// The bytes of such a group.
    static var groupByteCount: Int { 64 }
    /// The eight bytes from the format on of such a bucket.
    static var onePage: UInt64 { 0x0000_003F_0004_0301 }
    /// The first of LMDB's overflow pages has a header.
    private static let pageByteCount = 4_096
    private static let pageHeaderByteCount = 16
    /// Small ones, in leaf pages.
    private static let small = [1, 2, 4, 8, 16]

    /// The most entries that so many groups should have: nearly all, but a search ends at a free place.
    static func entryLimit(groupCount: Int) -> Int {
        let all = groupCount * BucketLayout.groupEntryCount
        return all - max(1, all / 32)
    }

    /// The fewest groups that have room for so many entries.
    static func groupCount(entryCount: Int, rowKeyByteCount: Int) -> Int {
        for count in small where entryCount <= entryLimit(groupCount: count) { return count }
        let groupByteCount = BucketLayout.groupByteCount(rowKeyByteCount: rowKeyByteCount)
        var pageCount = 1
        while true {
            let bytes = pageCount * pageByteCount - pageHeaderByteCount - BucketLayout.groups
            let count = bytes / groupByteCount
            if entryCount <= entryLimit(groupCount: count) { return count }
            pageCount += 1
        }
    }
}
