/// The record of a change set in the database `changes` (`docs/file-format.md`, section 9).
///
///     0        8 9 10   12    16             24       32
///     | sum    |f|f| 0  |tables| version before| origin | table table …
///
///     table:   | space |flags| columns | inserted | deleted | column rows | column rows …
private enum ChangeRecord {
    static let format: UInt8 = 1
    /// Flag of the record: a definition changed.
    static let catalogueChanged: UInt8 = 1
    /// Flag of the record: every table counts as rewritten.
    static let tooLarge: UInt8 = 2
    /// Flag of a table: rewritten, and nothing follows.
    static let rewritten: UInt8 = 1
    static let headerByteCount = 32
    /// The bytes of a rewritten table, the fewest a table can take.
    static let tableByteCountMinimum = 3
}

// MARK: - Encoding

extension ChangeSet {
    /// The record, sealed for its version.
    ///
    /// - Parameter limit: the most bytes it may take. Tables become "rewritten", the largest first,
    ///   until the record fits; if they all are and it does not, the whole set becomes "too large",
    ///   in 32 bytes, whatever the limit.
    package func encoded(limit: Int = .max) -> [UInt8] {
        let parts = isTooLarge ? [] : encodedTables(limit: limit - ChangeRecord.headerByteCount)
        var flags: UInt8 = 0
        if catalogueChanged { flags |= ChangeRecord.catalogueChanged }
        if parts == nil || isTooLarge { flags |= ChangeRecord.tooLarge }

        var writer = ByteWriter()
        writer.integer(UInt64(0))
        writer.integer(ChangeRecord.format)
        writer.integer(flags)
        writer.integer(UInt16(0))
        writer.integer(UInt32(parts?.count ?? 0))
        writer.integer(versionBefore.value)
        writer.integer(origin)
        for part in parts ?? [] { writer.raw(part) }
        var record = writer.bytes
        RecordSeal.close(&record, seed: version.value)
        return record
    }

    /// The tables, rising by space, in no more than `limit` bytes; nil when that cannot be.
    private func encodedTables(limit: Int) -> [[UInt8]]? {
        let sorted = tables.sorted { $0.key < $1.key }
        var parts = sorted.map { ChangeSet.encode($0.value, of: $0.key) }
        var total = parts.reduce(0) { $0 + $1.count }
        let largestFirst = parts.indices.sorted { parts[$0].count > parts[$1].count }
        for index in largestFirst {
            if total <= limit { break }
            total -= parts[index].count
            parts[index] = ChangeSet.encode(.rewritten, of: sorted[index].key)
            total += parts[index].count
        }
        return total <= limit ? parts : nil
    }

    private static func encode(_ changes: TableChanges, of table: SpaceID) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(table.value)
        writer.integer(changes.isRewritten ? ChangeRecord.rewritten : 0)
        if changes.isRewritten { return writer.bytes }
        writer.varint(UInt64(changes.modified.count))
        changes.inserted.encode(into: &writer)
        changes.deleted.encode(into: &writer)
        for (column, rows) in changes.modified.sorted(by: { $0.key < $1.key }) {
            writer.varint(UInt64(column.value))
            rows.encode(into: &writer)
        }
        return writer.bytes
    }
}

// MARK: - Decoding

extension ChangeSet {
    /// Reads the record that is stored under a version.
    ///
    /// Trusts nothing: throws `.damaged` for a wrong checksum and for everything `encoded` could not
    /// have written, and allocates no more than in proportion to the bytes that are there.
    package init(decoding record: UnsafeRawBufferPointer, version: Version) throws(StorageError) {
        var reader = ByteReader(record, of: "change record of \(version)")
        guard RecordSeal.holds(record, seed: version.value) else {
            throw reader.damage("does not have the checksum of its content")
        }
        _ = try reader.integer(UInt64.self)
        let format = try reader.integer(UInt8.self)
        guard format == ChangeRecord.format else { throw reader.damage("has the unknown format \(format)") }
        let flags = try reader.integer(UInt8.self)
        let reserved = try reader.integer(UInt16.self)
        guard flags & ~(ChangeRecord.catalogueChanged | ChangeRecord.tooLarge) == 0, reserved == 0 else {
            throw reader.damage("has bits set that mean nothing")
        }
        let tableCount = Int(try reader.integer(UInt32.self))
        let versionBefore = Version(try reader.integer())
        guard versionBefore < version else { throw reader.damage("starts from the later \(versionBefore)") }
        let origin = try reader.integer(UInt64.self)
        let isTooLarge = flags & ChangeRecord.tooLarge != 0
        guard tableCount == 0 || !isTooLarge else {
            throw reader.damage("is too large and lists \(tableCount) tables")
        }
        let tables = try ChangeSet.decodeTables(tableCount, &reader)
        try reader.finish()

        self.init(
            from: versionBefore, to: version, origin: origin,
            catalogueChanged: flags & ChangeRecord.catalogueChanged != 0, tables: tables)
        if isTooLarge { noteTooLarge() }
    }

    private static func decodeTables(
        _ count: Int, _ reader: inout ByteReader
    ) throws(StorageError) -> [SpaceID: TableChanges] {
        guard count <= reader.remainingByteCount / ChangeRecord.tableByteCountMinimum else {
            throw reader.damage("announces \(count) tables, more than its bytes can hold,")
        }
        var tables: [SpaceID: TableChanges] = [:]
        var last = SpaceID(0)
        for _ in 0..<count {
            let table = SpaceID(try reader.integer())
            guard table > last else { throw reader.damage("lists \(table) behind \(last)") }
            last = table
            tables[table] = try decodeTable(&reader)
        }
        return tables
    }

    private static func decodeTable(_ reader: inout ByteReader) throws(StorageError) -> TableChanges {
        let flags = try reader.integer(UInt8.self)
        if flags == ChangeRecord.rewritten { return .rewritten }
        guard flags == 0 else { throw reader.damage("has bits set that mean nothing") }
        let columnCount = try reader.varint()
        let inserted = try RowKeySet(decoding: &reader)
        let deleted = try RowKeySet(decoding: &reader)
        let modified = try decodeColumns(columnCount, &reader)
        guard let changes = TableChanges(inserted: inserted, deleted: deleted, modified: modified) else {
            throw reader.damage("has a row in two sets of one table")
        }
        guard !changes.isEmpty else { throw reader.damage("lists a table without a change") }
        return changes
    }

    private static func decodeColumns(
        _ count: UInt64, _ reader: inout ByteReader
    ) throws(StorageError) -> [ColumnID: RowKeySet] {
        var modified: [ColumnID: RowKeySet] = [:]
        var last: UInt64 = 0
        // The count is only a bound of the loop: each round reads at least one byte, or throws.
        for _ in 0..<count {
            let column = try reader.varint()
            guard column > last, column <= UInt64(UInt16.max) else {
                throw reader.damage("lists the column \(column) behind \(last)")
            }
            last = column
            let rows = try RowKeySet(decoding: &reader)
            guard !rows.isEmpty else { throw reader.damage("lists a column without a change") }
            modified[ColumnID(UInt16(column))] = rows
        }
        return modified
    }
}
