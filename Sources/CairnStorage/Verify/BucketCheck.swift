/// Checks one bucket of a hash index, and posts its entries.
struct BucketCheck {
    let context: VerifyContext
    let table: VerifiedTable
    let index: VerifiedIndex
    let key: ChunkKey

    private var place: VerifyFinding.Place { VerifyFinding.Place(space: key.space, block: key.block) }

    func run(_ stored: UnsafeRawBufferPointer) throws(StorageError) {
        if let state = index.state {
            guard key.block < state.hash.bucketCount else {
                context.recorder.note(
                    .bucketStray, place, expected: UInt64(state.hash.bucketCount), found: UInt64(key.block))
                return
            }
            Self.noteMissing(index, upTo: UInt64(key.block), context.recorder)
            index.nextBucket = UInt64(key.block) + 1
        }
        guard let bytes = context.openedChunk(stored, key: key) else { return index.ledger.noteIncomplete() }
        do throws(StorageError) {
            try ChunkValidator.validateBucket(bytes)
        } catch {
            context.recorder.note(.chunkInvalid, place, reason: error.message)
            return index.ledger.noteIncomplete()
        }
        guard let start = bytes.baseAddress else { return }
        try visit(Bucket(start))
    }

    /// Notes the buckets that are missing before one.
    static func noteMissing(_ index: VerifiedIndex, upTo end: UInt64, _ recorder: VerifyRecorder) {
        guard index.nextBucket < end else { return }
        recorder.note(
            .bucketMissing,
            VerifyFinding.Place(
                space: index.definition.space, block: UInt32(truncatingIfNeeded: index.nextBucket)),
            expected: 0, found: end - index.nextBucket)
    }

    private func visit(_ bucket: Bucket) throws(StorageError) {
        let places = try places(in: bucket)
        index.entryCount += UInt64(places.count)
        for place in places {
            index.ledger.find(
                bucket.rowKey(place).value,
                VerifiedIndex.detail(bucket: key.block, hashBits: bucket.hashBits(place)))
        }
        if index.definition.isUnique, !context.recorder.isMuted { try checkUnique(bucket, places) }
    }

    /// The places of the entries, after noting what is wrong with them: a search must find each.
    private func places(in bucket: Bucket) throws(StorageError) -> [Int] {
        var places: [Int] = []
        var isSound = true
        for group in 0..<bucket.groupCount {
            let entryCount = bucket.entryCount(inGroup: group)
            for offset in 0..<BucketLayout.groupEntryCount {
                let place = group << 3 | offset
                if offset < entryCount {
                    places.append(place)
                    var matches = bucket.matches(bucket.hashBits(place))
                    var isFound = false
                    while !isFound, let match = matches.next() { isFound = match == place }
                    isSound = isSound && isFound
                } else {
                    isSound = isSound && bucket.isZero(place)
                }
            }
        }
        if places.count != bucket.count {
            context.recorder.note(
                .chunkInvalid, self.place, expected: UInt64(places.count), found: UInt64(bucket.count))
        } else if !isSound {
            context.recorder.note(
                .chunkInvalid, self.place, reason: "A bucket has an entry that a search does not find.")
        }
        return places
    }

    // MARK: Unique keys

    /// Equal keys are in one bucket and have the same bits of their hash: only entries that share those are
    /// looked at.
    private func checkUnique(_ bucket: Bucket, _ places: [Int]) throws(StorageError) {
        let order = places.sorted { bucket.hashBits($0) < bucket.hashBits($1) }
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, bucket.hashBits(order[end]) == bucket.hashBits(order[start]) {
                end += 1
            }
            if end - start > 1 { try compareKeys(order[start..<end].map { bucket.rowKey($0) }) }
            start = end
        }
    }

    private func compareKeys(_ rows: [RowKey]) throws(StorageError) {
        var known: [[UInt8]: RowKey] = [:]
        for row in Set(rows).sorted() {
            guard let key = try RowKeyReader(context, table).key(of: row, index) else { continue }
            if let other = known[key] {
                context.recorder.note(
                    .keyNotUnique,
                    VerifyFinding.Place(
                        space: index.definition.space, block: place.block, row: row, otherRow: other))
            } else {
                known[key] = row
            }
        }
    }
}

/// Reads the key of a single row in an index.
struct RowKeyReader {
    private let context: VerifyContext
    private let table: VerifiedTable

    init(_ context: VerifyContext, _ table: VerifiedTable) {
        self.context = context
        self.table = table
    }

    /// Bytes that are equal where the keys are; nil where they cannot be read, which is noted elsewhere.
    func key(of row: RowKey, _ index: VerifiedIndex) throws(StorageError) -> [UInt8]? {
        guard table.live.contains(row) else { return nil }
        var key = ByteWriter()
        for position in index.positions {
            guard try append(row, position, to: &key) else { return nil }
        }
        return key.bytes
    }

    private func append(_ row: RowKey, _ position: Int, to key: inout ByteWriter) throws(StorageError) -> Bool
    {
        let column = table.columns[position]
        let scratch = ScratchMemory()
        defer { withExtendedLifetime(scratch) {} }
        guard let values = try values(of: column, row, scratch) else { return false }
        defer { values.free() }
        switch try values.value(row.slot) {
        case .unreadable: return false
        case .null: key.integer(UInt64.max)
        case .bytes(let bytes):
            key.integer(UInt64(bytes.count))
            key.raw(bytes)
        }
        return true
    }

    private func values(
        of column: VerifiedColumn, _ row: RowKey, _ scratch: ScratchMemory
    ) throws(StorageError) -> IndexedValues? {
        let key = ChunkKey(table.definition.space, row.block, column.definition.id)
        guard let stored = try context.reader.chunk(key) else {
            return IndexedValues(defaultOf: column.definition, context.values)
        }
        // What is wrong with the chunk is noted where it is checked.
        let check = ChunkCheck(
            recorder: VerifyRecorder(), column: column, place: VerifyFinding.Place(),
            live: BlockBitmap(slot: row.slot))
        guard let bytes = try? context.reader.contents.codec.open(stored, key: key.value),
            let chunk = check.plain(bytes, scratch, 0)
        else { return nil }
        return IndexedValues(chunk, of: column.definition, context.values)
    }
}
