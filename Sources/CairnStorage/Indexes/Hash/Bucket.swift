internal import CHash
internal import Glibc

/// A bucket of a hash index (`docs/file-format.md`, section 5): the fingerprints of its entries, then
/// their row keys. A view over a validated bucket, or over one that a session owns.
struct Bucket {
    let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    /// The upper 16 bits of a hash.
    static func fingerprint(of hash: UInt64) -> UInt16 { UInt16(truncatingIfNeeded: hash >> 48) }

    var rowKeyByteCount: Int { Int(pointer.load(fromByteOffset: BucketLayout.rowKeyByteCount, as: UInt8.self)) }
    var capacity: Int { Int(pointer.loadUnaligned(fromByteOffset: BucketLayout.capacity, as: UInt32.self)) }
    var count: Int { Int(pointer.loadUnaligned(fromByteOffset: BucketLayout.count, as: UInt32.self)) }

    /// The bytes of a bucket.
    static func byteCount(capacity: Int, rowKeyByteCount: Int) -> Int {
        BucketLayout.fingerprints + capacity * (2 + rowKeyByteCount)
    }

    func fingerprint(_ index: Int) -> UInt16 {
        pointer.loadUnaligned(fromByteOffset: BucketLayout.fingerprints &+ index &* 2, as: UInt16.self)
    }

    func rowKey(_ index: Int) -> RowKey {
        let base = BucketLayout.fingerprints &+ capacity &* 2
        if rowKeyByteCount == 4 {
            return RowKey(UInt64(pointer.loadUnaligned(fromByteOffset: base &+ index &* 4, as: UInt32.self)))
        }
        return RowKey(pointer.loadUnaligned(fromByteOffset: base &+ index &* 8, as: UInt64.self))
    }

    /// The first entry from `start` on that has the fingerprint.
    ///
    /// - Complexity: O(count), sixteen entries at a time.
    func firstMatch(_ fingerprint: UInt16, from start: Int) -> Int? {
        let count = self.count
        let found = cairn_find16(pointer + BucketLayout.fingerprints, count, start, fingerprint)
        return found < count ? found : nil
    }

    /// The place of the entry of a row, or nil.
    func index(of row: RowKey, fingerprint: UInt16) -> Int? {
        var index = firstMatch(fingerprint, from: 0)
        while let found = index {
            if rowKey(found) == row { return found }
            index = firstMatch(fingerprint, from: found + 1)
        }
        return nil
    }
}

/// A bucket that a write session owns: it has room beyond its entries and grows.
///
/// Its memory has the prefix of a `MutableChunk`, so that both are kept and freed alike.
struct MutableBucket {
    let chunk: MutableChunk

    private var pointer: UnsafeMutableRawPointer { chunk.pointer }
    var view: Bucket { Bucket(pointer) }

    init(_ chunk: MutableChunk) {
        self.chunk = chunk
    }

    /// A copy with room for at least `room` entries more, or a new one.
    static func copy(of source: Bucket?, room: Int) -> MutableBucket {
        let count = source?.count ?? 0
        let width = source?.rowKeyByteCount ?? 4
        let capacity = max(32, count + max(room, count / 2))
        let bucket = MutableBucket(
            MutableChunk.raw(byteCount: Bucket.byteCount(capacity: capacity, rowKeyByteCount: width)))
        bucket.writeHeader(count: count, capacity: capacity, rowKeyByteCount: width)
        if let source {
            let sourceBase = source.pointer + BucketLayout.fingerprints
            memcpy(bucket.pointer + BucketLayout.fingerprints, sourceBase, count * 2)
            memcpy(
                bucket.pointer + BucketLayout.fingerprints + capacity * 2, sourceBase + source.capacity * 2,
                count * width)
        }
        return bucket
    }

    private func writeHeader(count: Int, capacity: Int, rowKeyByteCount: Int) {
        memset(pointer, 0, BucketLayout.fingerprints)
        pointer.storeBytes(of: ChunkLayout.currentFormat, toByteOffset: ChunkLayout.format, as: UInt8.self)
        pointer.storeBytes(of: ChunkEncoding.bucket.rawValue, toByteOffset: ChunkLayout.encoding, as: UInt8.self)
        pointer.storeBytes(of: UInt8(rowKeyByteCount), toByteOffset: BucketLayout.rowKeyByteCount, as: UInt8.self)
        pointer.storeBytes(of: UInt32(capacity), toByteOffset: BucketLayout.capacity, as: UInt32.self)
        setCount(count)
    }

    private func setCount(_ count: Int) {
        pointer.storeBytes(of: UInt32(count), toByteOffset: BucketLayout.count, as: UInt32.self)
    }

    /// Whether an entry can be added in place.
    func hasRoom(for row: RowKey) -> Bool {
        view.count < view.capacity && (view.rowKeyByteCount == 8 || row.value <= UInt64(UInt32.max))
    }

    /// Adds an entry; `hasRoom` says that it may.
    func append(fingerprint: UInt16, row: RowKey) {
        let index = view.count
        let width = view.rowKeyByteCount
        pointer.storeBytes(of: fingerprint, toByteOffset: BucketLayout.fingerprints + index * 2, as: UInt16.self)
        setRowKey(row, at: index, width: width)
        setCount(index + 1)
    }

    private func setRowKey(_ row: RowKey, at index: Int, width: Int) {
        let base = BucketLayout.fingerprints + view.capacity * 2
        if width == 4 {
            let narrow = UInt32(truncatingIfNeeded: row.value)
            pointer.storeBytes(of: narrow, toByteOffset: base + index * 4, as: UInt32.self)
        } else {
            pointer.storeBytes(of: row.value, toByteOffset: base + index * 8, as: UInt64.self)
        }
    }

    /// Takes an entry out; the last one takes its place.
    func remove(at index: Int) {
        let last = view.count - 1
        if index != last {
            let fingerprint = view.fingerprint(last)
            pointer.storeBytes(of: fingerprint, toByteOffset: BucketLayout.fingerprints + index * 2, as: UInt16.self)
            setRowKey(view.rowKey(last), at: index, width: view.rowKeyByteCount)
        }
        setCount(last)
    }

    /// The same bucket with row keys of eight bytes and more room, elsewhere in memory; the old
    /// memory is freed.
    func grown(for row: RowKey) -> MutableBucket {
        let width = row.value > UInt64(UInt32.max) ? 8 : view.rowKeyByteCount
        let capacity = max(32, view.count * 2)
        let bucket = MutableBucket(
            MutableChunk.raw(byteCount: Bucket.byteCount(capacity: capacity, rowKeyByteCount: width)))
        bucket.chunk.entryIndex = chunk.entryIndex
        bucket.writeHeader(count: 0, capacity: capacity, rowKeyByteCount: width)
        for index in 0..<view.count { bucket.append(fingerprint: view.fingerprint(index), row: view.rowKey(index)) }
        chunk.free()
        return bucket
    }

    /// Writes the stored form, which has no room to spare; the checksum is left open.
    ///
    /// - Parameter target: `Bucket.byteCount(capacity: count, …)` bytes.
    func write(to target: UnsafeMutableRawPointer, version: UInt64) {
        let count = view.count
        let width = view.rowKeyByteCount
        memcpy(target, pointer, BucketLayout.fingerprints + count * 2)
        memcpy(
            target + BucketLayout.fingerprints + count * 2,
            pointer + BucketLayout.fingerprints + view.capacity * 2, count * width)
        target.storeBytes(of: UInt32(count), toByteOffset: BucketLayout.capacity, as: UInt32.self)
        target.storeBytes(of: version, toByteOffset: ChunkLayout.version, as: UInt64.self)
    }
}
