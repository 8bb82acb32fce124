internal import CairnLMDB

/// The records of the database `catalog` that a commit writes and removes.
struct CatalogueChanges {
    private var puts: [CatalogueKey: [UInt8]] = [:]
    private var removals: [CatalogueKey] = []

    init(_ session: Session, _ writer: WriteContext) throws(StorageError) {
        let before = session.snapshot
        let isChanged = session.schema != before.schema
        if isChanged {
            for definition in session.schema.tables where before.schema[definition.space] != definition {
                puts[.definition(definition.space)] = definition.record()
            }
            for definition in before.schema.tables where session.schema[definition.space] == nil {
                removals += [.definition(definition.space), .state(definition.space)]
            }
        }
        for table in session.openTables where table.state != table.storedState() {
            puts[.state(table.definition.space)] = table.state.record()
        }
        session.counters.nextValueID = writer.nextValueID
        if isChanged { session.counters.catalogueVersion = writer.version.value }
        if session.counters != before.counters { puts[.counters] = session.counters.record() }
    }

    /// Whether there is anything to write.
    var isEmpty: Bool { puts.isEmpty && removals.isEmpty }

    func put(_ contents: StoreContents, _ transaction: borrowing WriteTransaction) throws(LMDBError) {
        for (key, record) in puts.sorted(by: { $0.key < $1.key }) {
            var record = record
            RecordSeal.close(&record, seed: key.seed)
            let sealed = record
            try key.bytes.withBytes { keyBytes throws(LMDBError) in
                try sealed.withBytes { bytes throws(LMDBError) in
                    try transaction.put(contents.catalog, keyBytes, contents.codec.seal(bytes, key: key.seed))
                }
            }
        }
        for key in removals {
            try key.bytes.withBytes { bytes throws(LMDBError) in
                _ = try transaction.delete(contents.catalog, bytes)
            }
        }
    }
}
