import CairnLMDB
import CairnStorage

/// Checks what a closed file holds against itself, without a model: the invariants of
/// `docs/file-format.md`, section 11, the slow and simple way.
struct ContentAudit {
    private let options: StoreOptions

    init(_ options: StoreOptions) { self.options = options }

    func run() throws {
        let records = try StoredRecords(options)
        let store = try Store.open(options)
        let session = try store.makeSession()
        var used = RecordUse()
        for definition in session.schema.tables {
            let table = try session.table(definition.space)
            try TableAudit(session: session, table: table).run(&used)
        }
        try session.throwDamage()
        for directory in used.listDirectories {
            for piece in records.pieces[directory] ?? [] { try used.note(piece) }
        }
        try compare(records, used)
    }

    private func compare(_ records: StoredRecords, _ used: RecordUse) throws {
        try require(
            records.chunks == used.chunks,
            "chunks stored for nothing or missing: \(difference(records.chunks, used.chunks))")
        try require(
            records.values == used.values,
            "values stored for nothing or missing: \(difference(records.values, used.values))")
        try require(
            records.orderedCounts == used.orderedCounts,
            "entries of `ordered` by space: \(records.orderedCounts), wanted \(used.orderedCounts)")
        for (index, wanted) in used.bucketEntryCounts {
            let found = records.bucketEntryCounts[index] ?? 0
            try require(found == wanted, "the buckets of \(index) hold \(found) entries, wanted \(wanted)")
        }
        for space in records.bucketEntryCounts.keys {
            try require(
                used.bucketEntryCounts[space] != nil, "there are buckets of \(space), which is no index")
        }
    }

    private func difference<Key: Hashable>(_ stored: Set<Key>, _ used: Set<Key>) -> String {
        "for nothing \(stored.subtracting(used)), missing \(used.subtracting(stored))"
    }
}

/// Which records a file's contents refer to.
struct RecordUse {
    /// Directories and columns; buckets are counted apart.
    var chunks: Set<ChunkKey> = []
    var values: Set<ValueID> = []
    /// Those of `values` that list pieces.
    var listDirectories: Set<ValueID> = []
    var orderedCounts: [SpaceID: Int] = [:]
    var bucketEntryCounts: [SpaceID: Int] = [:]

    /// Notes a reference to a value, which must be the only one.
    mutating func note(_ value: ValueID) throws {
        try require(values.insert(value).inserted, "\(value) is referred to twice")
    }
}

/// The keys that a file has, read through LMDB alone.
struct StoredRecords {
    private(set) var chunks: Set<ChunkKey> = []
    private(set) var values: Set<ValueID> = []
    /// The pieces of each directory of a list.
    private(set) var pieces: [ValueID: [ValueID]] = [:]
    private(set) var orderedCounts: [SpaceID: Int] = [:]
    private(set) var bucketEntryCounts: [SpaceID: Int] = [:]
    /// The numbers of each index's buckets.
    private var buckets: [SpaceID: [UInt32]] = [:]

    init(_ options: StoreOptions) throws {
        let file = try StoreFile.open(options)
        // A transaction does not keep its file open.
        defer { withExtendedLifetime(file) {} }
        let transaction = try file.beginRead()
        try readChunks(transaction)
        try forEach("values", .integerKeys, transaction) { entry in
            values.insert(ValueID(entry.integerKey))
            let record = entry.value
            guard record[ValueRecordLayout.kind] == ValueRecord.Kind.listDirectory.rawValue else { return }
            pieces[ValueID(entry.integerKey)] = stride(
                from: ValueRecordLayout.payload, to: record.count, by: 12
            )
            .map { ValueID(record.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
        }
        try forEach("ordered", [], transaction) { entry in
            let space = SpaceID(UInt16(entry.key[0]) << 8 | UInt16(entry.key[1]))
            orderedCounts[space, default: 0] += 1
        }
        for (index, numbers) in buckets {
            try require(
                numbers == Array(0..<UInt32(numbers.count)),
                "the buckets of \(index) have the numbers \(numbers)")
        }
    }

    private mutating func readChunks(_ transaction: borrowing ReadTransaction) throws {
        try forEach("chunks", .integerKeys, transaction) { entry in
            let key = ChunkKey(entry.integerKey)
            guard entry.value[ChunkLayout.encoding] == ChunkEncoding.bucket.rawValue else {
                chunks.insert(key)
                return
            }
            buckets[key.space, default: []].append(key.block)
            let count = entry.value.loadUnaligned(fromByteOffset: BucketLayout.count, as: UInt32.self)
            bucketEntryCounts[key.space, default: 0] += Int(count)
        }
    }

    private func forEach(
        _ name: String, _ options: DatabaseOptions, _ transaction: borrowing ReadTransaction,
        _ body: (Cursor.Entry) throws -> Void
    ) throws {
        guard let database = try transaction.openDatabase(named: name, options) else {
            throw ModelFailure("the database \(name) is missing")
        }
        var cursor = try transaction.cursor(database)
        var entry = try cursor.first()
        while let found = entry {
            try body(found)
            entry = try cursor.next()
        }
    }
}
