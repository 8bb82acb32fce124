internal import CHash
internal import Glibc

/// A bucket of a hash index (`docs/file-format.md`, section 5): the hashes of its entries, as far as they are
/// kept, then their row keys. A view over a validated bucket, or over one that a session owns.
struct Bucket {
    let pointer: UnsafeRawPointer

    init(_ pointer: UnsafeRawPointer) {
        self.pointer = pointer
    }

    /// What a bucket keeps of a hash: its lower 32 bits. They tell where an entry belongs when buckets
    /// are split, and which entries may be the wanted one.
    static func hashBits(of hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash) }

    var rowKeyByteCount: Int {
        Int(pointer.load(fromByteOffset: BucketLayout.rowKeyByteCount, as: UInt8.self))
    }
    var capacity: Int { Int(pointer.loadUnaligned(fromByteOffset: BucketLayout.capacity, as: UInt32.self)) }
    var count: Int { Int(pointer.loadUnaligned(fromByteOffset: BucketLayout.count, as: UInt32.self)) }

    /// The bytes of a bucket.
    static func byteCount(capacity: Int, rowKeyByteCount: Int) -> Int {
        BucketLayout.hashes + capacity * (4 + rowKeyByteCount)
    }

    func hashBits(_ index: Int) -> UInt32 {
        pointer.loadUnaligned(fromByteOffset: BucketLayout.hashes &+ index &* 4, as: UInt32.self)
    }

    func rowKey(_ index: Int) -> RowKey {
        let base = BucketLayout.hashes &+ capacity &* 4
        if rowKeyByteCount == 4 {
            return RowKey(UInt64(pointer.loadUnaligned(fromByteOffset: base &+ index &* 4, as: UInt32.self)))
        }
        return RowKey(pointer.loadUnaligned(fromByteOffset: base &+ index &* 8, as: UInt64.self))
    }

    /// The first entry from `start` on that has the bits.
    ///
    /// - Complexity: O(count), eight entries at a time.
    func firstMatch(_ bits: UInt32, from start: Int) -> Int? {
        let count = self.count
        let found = cairn_find32(pointer + BucketLayout.hashes, count, start, bits)
        return found < count ? found : nil
    }

    /// The place of the entry of a row, or nil.
    func index(of row: RowKey, hashBits: UInt32) -> Int? {
        var index = firstMatch(hashBits, from: 0)
        while let found = index {
            if rowKey(found) == row { return found }
            index = firstMatch(hashBits, from: found + 1)
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
        let capacity = max(32, count + max(room, count / 4))
        let bucket = MutableBucket(
            MutableChunk.raw(byteCount: Bucket.byteCount(capacity: capacity, rowKeyByteCount: width)))
        bucket.writeHeader(count: count, capacity: capacity, rowKeyByteCount: width)
        if let source {
            let sourceBase = source.pointer + BucketLayout.hashes
            memcpy(bucket.pointer + BucketLayout.hashes, sourceBase, count * 4)
            memcpy(
                bucket.pointer + BucketLayout.hashes + capacity * 4, sourceBase + source.capacity * 4,
                count * width)
        }
        return bucket
    }

    private func writeHeader(count: Int, capacity: Int, rowKeyByteCount: Int) {
        memset(pointer, 0, BucketLayout.hashes)
        pointer.storeBytes(of: ChunkLayout.currentFormat, toByteOffset: ChunkLayout.format, as: UInt8.self)
        pointer.storeBytes(
            of: ChunkEncoding.bucket.rawValue, toByteOffset: ChunkLayout.encoding, as: UInt8.self)
        pointer.storeBytes(
            of: UInt8(rowKeyByteCount), toByteOffset: BucketLayout.rowKeyByteCount, as: UInt8.self)
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
    func append(hashBits: UInt32, row: RowKey) {
        let index = view.count
        let width = view.rowKeyByteCount
        pointer.storeBytes(of: hashBits, toByteOffset: BucketLayout.hashes + index * 4, as: UInt32.self)
        setRowKey(row, at: index, width: width)
        setCount(index + 1)
    }

    private func setRowKey(_ row: RowKey, at index: Int, width: Int) {
        let base = BucketLayout.hashes + view.capacity * 4
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
            let bits = view.hashBits(last)
            pointer.storeBytes(of: bits, toByteOffset: BucketLayout.hashes + index * 4, as: UInt32.self)
            setRowKey(view.rowKey(last), at: index, width: view.rowKeyByteCount)
        }
        setCount(last)
    }

    /// The same bucket with row keys of eight bytes and more room, elsewhere in memory; the old
    /// memory is freed.
    func grown(for row: RowKey) -> MutableBucket {
        let width = row.value > UInt64(UInt32.max) ? 8 : view.rowKeyByteCount
        let capacity = max(32, view.count + view.count / 2)
        let bucket = MutableBucket(
            MutableChunk.raw(byteCount: Bucket.byteCount(capacity: capacity, rowKeyByteCount: width)))
        bucket.chunk.entryIndex = chunk.entryIndex
        bucket.writeHeader(count: 0, capacity: capacity, rowKeyByteCount: width)
        for index in 0..<view.count { bucket.append(hashBits: view.hashBits(index), row: view.rowKey(index)) }
        chunk.free()
        return bucket
    }

    /// Writes the stored form, which has no room to spare; the checksum is left open.
    ///
    /// - Parameter target: `Bucket.byteCount(capacity: count, …)` bytes.
    func write(to target: UnsafeMutableRawPointer, version: UInt64) {
        let count = view.count
        let width = view.rowKeyByteCount
        memcpy(target, pointer, BucketLayout.hashes + count * 4)
        memcpy(
            target + BucketLayout.hashes + count * 4,
            pointer + BucketLayout.hashes + view.capacity * 4, count * width)
        target.storeBytes(of: UInt32(count), toByteOffset: BucketLayout.capacity, as: UInt32.self)
        target.storeBytes(of: version, toByteOffset: ChunkLayout.version, as: UInt64.self)
    }
}
