internal import CairnLMDB

/// Reads the records of the database `catalog`.
struct CatalogueReader {
    let contents: StoreContents

    /// The counters; those of a new file where the record is not there yet.
    func counters(_ transaction: borrowing ReadTransaction) throws(StorageError) -> FileCounters {
        guard let record = try record(.counters, transaction) else { return FileCounters() }
        return try named { () throws(StorageError) in try FileCounters(record: record) }
    }

    /// The state of a table; that of an empty one where the record is not there yet.
    func state(
        of table: TableDefinition, _ transaction: borrowing ReadTransaction
    ) throws(StorageError) -> TableState {
        guard let record = try record(.state(table.space), transaction) else {
            throw contents.damage("the state of the table \(table.name) is missing")
        }
        return try named { () throws(StorageError) in try TableState(record: record, definition: table) }
    }

    /// Every table's definition, in the order of their spaces.
    func schema(_ transaction: borrowing ReadTransaction) throws(StorageError) -> Schema {
        var tables: [TableDefinition] = []
        for (space, stored) in try storedDefinitions(transaction) {
            let record = try opened(stored, key: .definition(space))
            try named { () throws(StorageError) in
                tables.append(try TableDefinition(space: space, record: record))
            }
        }
        let schema = Schema(tables)
        if let fault = schema.fault() { throw contents.damage("in its catalogue \(fault)") }
        return schema
    }

    private func storedDefinitions(
        _ transaction: borrowing ReadTransaction
    ) throws(StorageError) -> [(SpaceID, UnsafeRawBufferPointer)] {
        do throws(LMDBError) {
            var result: [(SpaceID, UnsafeRawBufferPointer)] = []
            var cursor = try transaction.cursor(contents.catalog)
            var entry = try [CatalogueKey.definitionTag].withBytes { bytes throws(LMDBError) in
                try cursor.seek(atOrAfter: bytes)
            }
            while let found = entry, found.key.count == 3, found.key[0] == CatalogueKey.definitionTag {
                result.append((SpaceID(UInt16(found.key[1]) << 8 | UInt16(found.key[2])), found.value))
                entry = try cursor.next()
            }
            return result
        } catch {
            throw contents.failure(error, .reading)
        }
    }

    private func named<Record>(_ decode: () throws(StorageError) -> Record) throws(StorageError) -> Record {
        do throws(StorageError) { return try decode() } catch { throw error.naming(file: contents.path) }
    }

    private func record(
        _ key: CatalogueKey, _ transaction: borrowing ReadTransaction
    ) throws(StorageError) -> UnsafeRawBufferPointer? {
        let stored: UnsafeRawBufferPointer?
        do throws(LMDBError) {
            stored = try key.bytes.withBytes { bytes throws(LMDBError) in
                try transaction.get(contents.catalog, bytes)
            }
        } catch {
            throw contents.failure(error, .reading)
        }
        guard let stored else { return nil }
        return try opened(stored, key: key)
    }

    /// Checksums of the catalogue are always compared: it is small, and everything depends on it.
    private func opened(
        _ stored: UnsafeRawBufferPointer, key: CatalogueKey
    ) throws(StorageError) -> UnsafeRawBufferPointer {
        let record = try contents.codec.open(stored, key: key.seed)
        guard RecordSeal.holds(record, seed: key.seed) else {
            throw contents.damage("a record of its catalogue does not match its checksum")
        }
        return record
    }
}
