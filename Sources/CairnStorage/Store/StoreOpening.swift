internal import CairnLMDB

/// Opens the databases of a file, and makes them in a new one.
struct StoreOpening {
    private let file: StoreFile

    private struct Handles {
        let catalog: Database
        let chunks: Database
        let ordered: Database
        let values: Database
        let changes: Database
    }

    /// LMDB's own database of databases: its handle is fixed.
    private static let main = Database(handle: 1)

    init(_ file: StoreFile) {
        self.file = file
    }

    /// - Throws: `notADatabase` for an LMDB file of something else, `newerFormat`, `damaged`, and what
    ///   opening a transaction throws.
    func contents() throws(StorageError) -> StoreContents {
        if let known = try existing() { return known }
        guard !file.isReadOnly else {
            throw StorageError(
                .notADatabase,
                "The database '\(file.path)' is empty: nobody has written to it yet. Open it for writing once."
            )
        }
        return try make()
    }

    /// The databases of a file that has them; nil for a new file.
    private func existing() throws(StorageError) -> StoreContents? {
        let transaction = try file.beginRead()
        let handles: Handles?
        let identity: [UInt8]?
        let entryCount: Int
        do throws(LMDBError) {
            handles = try openAll { name, options throws(LMDBError) in
                try transaction.openDatabase(named: name, options)
            }
            entryCount = try transaction.statistics(Self.main).entryCount
            identity = try handles.flatMap { handles throws(LMDBError) -> [UInt8]? in
                try CatalogueKey.identity.bytes.withBytes { key throws(LMDBError) in
                    try transaction.get(handles.catalog, key).map(Array.init)
                }
            }
        } catch {
            throw file.error(error, .opening)
        }
        guard let handles, let identity else {
            // A process that ended while it made the file has left it empty; anything else is somebody's.
            guard entryCount == 0 else { throw foreign }
            return nil
        }
        return try contents(handles, identity)
    }

    /// Makes the databases in a new file; another process may have been faster.
    private func make() throws(StorageError) -> StoreContents {
        let transaction = try file.beginWrite()
        var failure: LMDBError?
        var made: (handles: Handles, identity: [UInt8])?
        do throws(LMDBError) {
            made = try FileSizeSignal.withBlocked { () throws(LMDBError) in try fill(transaction) }
            try transaction.commit()
        } catch {
            failure = error
        }
        if let failure { throw file.error(failure, .opening) }
        guard let made else { throw foreign }
        return try contents(made.handles, made.identity)
    }

    private func fill(
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> (handles: Handles, identity: [UInt8])? {
        let handles = try openAll { name, options throws(LMDBError) in
            try transaction.openDatabase(named: name, options.union(.create))
        }
        guard let handles else { return nil }
        let key = CatalogueKey.identity
        let known = try key.bytes.withBytes { bytes throws(LMDBError) in
            try transaction.get(handles.catalog, bytes).map(Array.init)
        }
        if let known { return (handles, known) }
        var record = IdentityRecord.make().record()
        RecordSeal.close(&record, seed: key.seed)
        let sealed = record
        try key.bytes.withBytes { keyBytes throws(LMDBError) in
            try sealed.withBytes { bytes throws(LMDBError) in
                try transaction.put(handles.catalog, keyBytes, bytes)
            }
        }
        return (handles, sealed)
    }

    private func openAll(
        _ open: (String, DatabaseOptions) throws(LMDBError) -> Database?
    ) throws(LMDBError) -> Handles? {
        guard let catalog = try open("catalog", []), let chunks = try open("chunks", .integerKeys),
            let ordered = try open("ordered", []), let values = try open("values", .integerKeys),
            let changes = try open("changes", .integerKeys)
        else { return nil }
        return Handles(catalog: catalog, chunks: chunks, ordered: ordered, values: values, changes: changes)
    }

    private func contents(_ handles: Handles, _ identity: [UInt8]) throws(StorageError) -> StoreContents {
        let record: IdentityRecord
        do throws(StorageError) {
            record = try identity.withBytes { bytes throws(StorageError) in try IdentityRecord(record: bytes)
            }
        } catch {
            throw error.naming(file: file.path)
        }
        return StoreContents(
            catalog: handles.catalog, chunks: handles.chunks, ordered: handles.ordered,
            values: handles.values,
            changes: handles.changes, identity: record, verifiesChecksums: file.options.verifyChecksums,
            cache: DecodedChunkCache(byteLimit: file.options.cacheByteCount), limits: file.options.limits,
            path: file.path)
    }

    private var foreign: StorageError {
        StorageError(
            .notADatabase,
            "The file '\(file.path)' is an LMDB file of another program, not a Cairn database. It was left as it was."
        )
    }
}
