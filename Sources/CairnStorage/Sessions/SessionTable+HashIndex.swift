/// Hash indexes of a session: finding, adding and removing entries, splitting and merging buckets.
extension SessionTable {
    /// The row with a key in a hash index over one column, or nil.
    ///
    /// - Parameters:
    ///   - index: its place in `definition.indexes`.
    ///   - key: the value's stored bytes, nil for null.
    /// - Complexity: O(1): one bucket, and one value for each hash that fits.
    package func row(index: Int, key: UnsafeRawBufferPointer?) throws(StorageError) -> RowKey? {
        if openRow != nil { try finishRow() }
        let position = indexFacts[index].position
        return find(index: index, hash: hash(ofValue: key)) { row in
            StoredBytes.areEqual(self.storedBytes(row, position), key)
        }
    }

    /// The rows with a key in a hash index that is not unique, in no particular order.
    package func rows(index: Int, key: UnsafeRawBufferPointer?) throws(StorageError) -> [RowKey] {
        if openRow != nil { try finishRow() }
        let position = indexFacts[index].position
        var rows: [RowKey] = []
        _ = find(index: index, hash: hash(ofValue: key)) { row in
            if StoredBytes.areEqual(self.storedBytes(row, position), key) { rows.append(row) }
            return false
        }
        return rows
    }

    /// The row with a key in a hash index over several columns, or nil.
    package func row(index: Int, keys: [UnsafeRawBufferPointer?]) throws(StorageError) -> RowKey? {
        if openRow != nil { try finishRow() }
        let positions = indexPositions(index)
        precondition(keys.count == positions.count, "a key has as many parts as its index has columns")
        var hash: UInt64 = 0
        for (offset, key) in keys.enumerated() {
            hash = chain(hash, self.hash(ofValue: key), isFirst: offset == 0)
        }
        return find(index: index, hash: hash) { row in
            zip(positions, keys).allSatisfy { StoredBytes.areEqual(self.storedBytes(row, $0), $1) }
        }
    }

    /// Adds a row with its primary key.
    ///
    /// - Parameter key: the key's stored bytes, nil for null. They may lie in the table itself.
    /// - Throws: `duplicateKey` when a row has it; what `insert` throws.
    package func insert(key: UnsafeRawBufferPointer?) throws(StorageError) -> RowKey {
        // The first row of a block may make the session spill, and free the chunk that the key lies in.
        guard let key, RowKey(nextRowKey).block != insertBlock else { return try insertRow(key: key) }
        return try Array(key).withBytes { bytes throws(StorageError) in try insertRow(key: bytes) }
    }

    private func insertRow(key: UnsafeRawBufferPointer?) throws(StorageError) -> RowKey {
        let index = primaryKeyIndex
        precondition(index >= 0, "a row was added with a key to a table without a primary key")
        let position = indexFacts[index].position
        let hash = hash(ofValue: key)
        if openRow != nil { try finishRow() }
        let known = find(index: index, hash: hash) { row in
            StoredBytes.areEqual(self.storedBytes(row, position), key)
        }
        guard known == nil else { throw duplicate(index) }
        let row = try insertRow()
        // A fresh row's slot refers to nothing that would have to be given up, so a fixed-width key
        // is simply stored.
        if facts[position].shape == .text, let key {
            try storeText(row, position, key)
        } else {
            storeBytes(row, position, key)
        }
        addEntry(index, hash: hash, row: row)
        if indexCount == 1 { openRow = nil }
        return row
    }

    func duplicate(_ index: Int) -> StorageError {
        let names = indexPositions(index).map { definition.columns[$0].name }.joined(separator: ", ")
        return StorageError(
            .duplicateKey, "The table \(definition.name) has a row with this value of \(names) already.")
    }

    /// The positions of an index's columns.
    func indexPositions(_ index: Int) -> [Int] {
        definition.indexes[index].columns.map { id in
            guard let position = definition.position(of: id) else {
                preconditionFailure("an index names a column that is not there")
            }
            return position
        }
    }

    // MARK: Hashes

    /// The hash of one value under the file's seed; nil hashes as no bytes.
    func hash(ofValue bytes: UnsafeRawBufferPointer?) -> UInt64 {
        KeyHash(seed: hashSeed).hash(of: bytes)
    }

    func chain(_ before: UInt64, _ next: UInt64, isFirst: Bool) -> UInt64 {
        guard !isFirst else { return next }
        return KeyHash(seed: hashSeed).chained(before, next)
    }

    /// The hash of a row's key in an index.
    func hash(ofRow row: RowKey, index: Int) -> UInt64 {
        let only = indexFacts[index].position
        if only >= 0 { return hash(ofValue: storedBytes(row, only)) }
        var result: UInt64 = 0
        for (offset, position) in indexPositions(index).enumerated() {
            result = chain(result, hash(ofValue: storedBytes(row, position)), isFirst: offset == 0)
        }
        return result
    }

    // MARK: Entries

    /// The first row in the hash's bucket and with its bits for which the test is true.
    @inline(__always)
    func find(index: Int, hash: UInt64, where isWanted: (RowKey) -> Bool) -> RowKey? {
        let bucket = bucket(index, indexStates[index].hash.bucket(of: hash))
        let bits = Bucket.hashBits(of: hash)
        var matches = bucket.matches(bits)
        while let place = matches.next() {
            let row = bucket.rowKey(place)
            if contains(row), isWanted(row) { return row }
        }
        return nil
    }

    func addEntry(_ index: Int, hash: UInt64, row: RowKey) {
        let number = indexStates[index].hash.bucket(of: hash)
        let bits = Bucket.hashBits(of: hash)
        var bucket = ownBucket(index, number)
        if !bucket.hasRoom(for: row) { bucket = grow(bucket, index, number, for: row) }
        // No place in spite of the header's count: damage, which is told by whoever misses an entry.
        if !bucket.add(hashBits: bits, row: row) {
            grow(bucket, index, number, for: row).add(hashBits: bits, row: row)
        }
        indexStates[index].entryCount += 1
        let average = session.limits.hashGrowth
        if indexStates[index].entryCount > UInt64(indexStates[index].hash.bucketCount) * UInt64(average) {
            splitBucket(index)
        }
    }

    func removeEntry(_ index: Int, hash: UInt64, row: RowKey) {
        let number = indexStates[index].hash.bucket(of: hash)
        let bucket = ownBucket(index, number)
        guard let place = bucket.view.place(of: row, hashBits: Bucket.hashBits(of: hash)) else {
            session.note(
                session.snapshot.contents.damage("a row of \(definition.name) is missing in its index"))
            return
        }
        bucket.remove(at: place)
        indexStates[index].entryCount -= 1
        let average = session.limits.hashShrinking
        let bucketCount = UInt64(indexStates[index].hash.bucketCount)
        if bucketCount > 1, indexStates[index].entryCount < (bucketCount - 1) * UInt64(average) {
            mergeBucket(index)
        }
    }

    private func splitBucket(_ index: Int) {
        guard indexStates[index].hash.bucketCount < 1 << 30 else { return }
        let (split, new) = indexStates[index].hash.grow()
        let hash = indexStates[index].hash
        let old = ownBucket(index, split)
        // There may be one from before the table shrank: what it has does not count.
        let stale = ownBucket(index, new)
        let view = old.view
        var movingCount = 0
        view.forEachPlace { if hash.bucket(of: UInt64(view.hashBits($0))) == new { movingCount += 1 } }
        let width = view.rowKeyByteCount
        let source = makeBucket(entryCount: view.count - movingCount, rowKeyByteCount: width)
        let target = makeBucket(entryCount: movingCount, rowKeyByteCount: width)
        view.forEachPlace { place in
            let bits = view.hashBits(place)
            let bucket = hash.bucket(of: UInt64(bits)) == new ? target : source
            bucket.add(hashBits: bits, row: view.rowKey(place))
        }
        replace(old, by: source, index, split)
        replace(stale, by: target, index, new)
    }

    private func mergeBucket(_ index: Int) {
        let (removed, into) = indexStates[index].hash.shrink()
        let views = [bucket(index, removed), ownBucket(index, into).view]
        let merged = makeBucket(
            entryCount: views.reduce(0) { $0 + $1.count },
            rowKeyByteCount: views.reduce(4) { max($0, $1.rowKeyByteCount) })
        for view in views {
            view.forEachPlace { merged.add(hashBits: view.hashBits($0), row: view.rowKey($0)) }
        }
        replace(ownBucket(index, into), by: merged, index, into)
    }

    // MARK: Owned buckets

    /// Every bucket of an index is stored, the first also while it is empty.
    func makeFirstBucket(_ index: Int) {
        _ = ownBucket(index, 0)
    }

    /// A bucket that the current layer owns.
    @inline(__always)
    private func ownBucket(_ index: Int, _ number: UInt32) -> MutableBucket {
        if let own = buckets[index].chunk(number, ownedBy: layer) { return MutableBucket(MutableChunk(own)) }
        return makeOwnBucket(index, number)
    }

    @inline(never)
    private func makeOwnBucket(_ index: Int, _ number: UInt32) -> MutableBucket {
        let source = bucket(index, number)
        let previousLayer = buckets[index].layer(number)
        let new = MutableBucket.copy(of: source)
        session.requiredWriter.take(
            WriteLayer.OwnedChunk(
                table: definition.space, kind: .bucket(indexFacts[index].space), block: number,
                buffer: new.chunk, byteCount: new.view.byteCount,
                previous: previousLayer > 0
                    ? MutableChunk(UnsafeMutableRawPointer(mutating: source.pointer)) : nil,
                previousLayer: previousLayer))
        buckets[index].set(number, new.chunk.pointer, layer: layer)
        return new
    }

    /// One of several buckets, which have room for twice the average: that many are in one before it is split.
    private func makeBucket(entryCount: Int, rowKeyByteCount: Int) -> MutableBucket {
        MutableBucket.make(
            groupCount: BucketSize.groupCount(
                entryCount: max(entryCount, session.limits.hashGrowth * 2), rowKeyByteCount: rowKeyByteCount),
            rowKeyByteCount: rowKeyByteCount)
    }

    @inline(never)
    private func grow(_ bucket: MutableBucket, _ index: Int, _ number: UInt32, for row: RowKey)
        -> MutableBucket
    {
        let new = bucket.resized(entryCount: max(bucket.view.count * 2, 1), for: row)
        replace(bucket, by: new, index, number)
        return new
    }

    private func replace(
        _ old: MutableBucket, by new: MutableBucket, _ index: Int, _ number: UInt32
    ) {
        new.chunk.entryIndex = old.chunk.entryIndex
        session.requiredWriter.replaceBuffer(new.chunk, growth: new.view.byteCount - old.view.byteCount)
        buckets[index].set(number, new.chunk.pointer, layer: layer)
        old.chunk.free()
    }
}
