internal import Glibc

/// A bucket that a write session owns. It has the form of a stored one, and is replaced by a larger one when
/// it is full.
///
/// Its memory has the prefix of a `MutableChunk`, so that both are kept and freed alike.
package struct MutableBucket {
    package let chunk: MutableChunk

    private var pointer: UnsafeMutableRawPointer { chunk.pointer }
    package var view: Bucket { Bucket(pointer) }

    init(_ chunk: MutableChunk) {
        self.chunk = chunk
    }

    /// An empty one.
    package static func make(groupCount: Int, rowKeyByteCount: Int) -> MutableBucket {
        let byteCount = BucketLayout.byteCount(groupCount: groupCount, rowKeyByteCount: rowKeyByteCount)
        let bucket = MutableBucket(MutableChunk.raw(byteCount: byteCount))
        let pointer = bucket.pointer
        memset(pointer, 0, byteCount)
        pointer.storeBytes(of: ChunkLayout.currentFormat, toByteOffset: ChunkLayout.format, as: UInt8.self)
        pointer.storeBytes(
            of: ChunkEncoding.bucket.rawValue, toByteOffset: ChunkLayout.encoding, as: UInt8.self)
        pointer.storeBytes(
            of: UInt8(rowKeyByteCount), toByteOffset: BucketLayout.rowKeyByteCount, as: UInt8.self)
        pointer.storeBytes(of: UInt32(groupCount), toByteOffset: BucketLayout.groupCount, as: UInt32.self)
        return bucket
    }

    /// A copy.
    static func copy(of source: Bucket) -> MutableBucket {
        guard source.groupCount > 0 else { return make(groupCount: 1, rowKeyByteCount: 4) }
        let byteCount = source.byteCount
        let bucket = MutableBucket(MutableChunk.raw(byteCount: byteCount))
        memcpy(bucket.pointer, source.pointer, byteCount)
        return bucket
    }

    private func setCount(_ count: Int) {
        pointer.storeBytes(of: UInt32(count), toByteOffset: BucketLayout.count, as: UInt32.self)
    }

    /// Whether an entry can be added in place.
    package func hasRoom(for row: RowKey) -> Bool {
        view.count < BucketSize.entryLimit(groupCount: view.groupCount)
            && (view.rowKeyByteCount == 8 || row.value < UInt64(UInt32.max))
    }

    /// Adds an entry; `hasRoom` says that it may.
    ///
    /// - Returns: false where there is no place, which only damage brings about.
    @discardableResult @inline(__always)
    package func add(hashBits: UInt32, row: RowKey) -> Bool {
        let view = view
        let groupCount = view.groupCount
        var index = Bucket.home(of: hashBits, groupCount: groupCount)
        for _ in 0..<groupCount {
            let entryCount = view.entryCount(inGroup: index)
            if entryCount < BucketLayout.groupEntryCount {
                set(index << 3 | entryCount, hashBits, row.value &+ 1)
                setCount(view.count + 1)
                return true
            }
            index = index + 1 == groupCount ? 0 : index + 1
        }
        return false
    }

    @inline(__always)
    private func set(_ place: Int, _ hashBits: UInt32, _ stored: UInt64) {
        let group = UnsafeMutableRawPointer(mutating: view.group(place >> 3))
        let offset = place & 7
        group.storeBytes(of: hashBits, toByteOffset: offset &* 4, as: UInt32.self)
        if view.rowKeyByteCount == 4 {
            group.storeBytes(
                of: UInt32(truncatingIfNeeded: stored), toByteOffset: BucketLayout.rowKeys &+ offset &* 4,
                as: UInt32.self)
        } else {
            group.storeBytes(
                of: stored, toByteOffset: BucketLayout.rowKeys &+ offset &* 8, as: UInt64.self)
        }
    }

    private func move(_ from: Int, to place: Int) {
        set(place, view.hashBits(from), view.rowKey(from).value &+ 1)
    }

    /// Takes an entry out.
    package func remove(at place: Int) {
        setCount(max(0, view.count - 1))
        var gap = place
        while let moved = fill(gap) { gap = moved }
    }

    /// Fills a gap: with the last entry of its group; and where that group was full, so that a search went
    /// on behind it, with the nearest entry that a search would not find any more.
    ///
    /// - Returns: where the latter was, which is the next gap.
    private func fill(_ gap: Int) -> Int? {
        let view = view
        let groupCount = view.groupCount
        let group = gap >> 3
        let entryCount = view.entryCount(inGroup: group)
        let last = group << 3 | max(0, entryCount - 1)
        if last != gap { move(last, to: gap) }
        set(last, 0, 0)
        guard entryCount == BucketLayout.groupEntryCount else { return nil }
        for distance in 1..<max(1, groupCount) {
            let other = (group + distance) % groupCount
            let otherCount = view.entryCount(inGroup: other)
            for offset in 0..<otherCount {
                let home = Bucket.home(of: view.hashBits(other << 3 | offset), groupCount: groupCount)
                guard (other - home + groupCount) % groupCount >= distance else { continue }
                move(other << 3 | offset, to: last)
                return other << 3 | offset
            }
            if otherCount < BucketLayout.groupEntryCount { return nil }
        }
        return nil
    }

    /// The same bucket in other memory, with room for a number of entries and one of a row.
    package func resized(entryCount: Int, for row: RowKey) -> MutableBucket {
        let width = row.value < UInt64(UInt32.max) ? view.rowKeyByteCount : 8
        let groupCount = BucketSize.groupCount(entryCount: entryCount, rowKeyByteCount: width)
        let bucket = Self.make(groupCount: groupCount, rowKeyByteCount: width)
        let view = view
        view.forEachPlace { bucket.add(hashBits: view.hashBits($0), row: view.rowKey($0)) }
        return bucket
    }

    /// Writes the stored form; the checksum is left open.
    ///
    /// - Parameter target: `view.byteCount` bytes.
    func write(to target: UnsafeMutableRawPointer, version: UInt64) {
        memcpy(target, pointer, view.byteCount)
        target.storeBytes(of: version, toByteOffset: ChunkLayout.version, as: UInt64.self)
    }
}
