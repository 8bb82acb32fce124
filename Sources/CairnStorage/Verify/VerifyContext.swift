/// What the parts of one verification share.
final class VerifyContext {
    /// What owns the keys of a space.
    enum Owner {
        case table(VerifiedTable)
        case index(VerifiedIndex, of: VerifiedTable)
        case backlinks(VerifiedColumn)
    }

    let reader: VersionReader
    let recorder: VerifyRecorder
    let catalogue: CheckedCatalogue
    let tables: [VerifiedTable]
    let keyHash: KeyHash
    let values: ValueLedger
    private(set) var owners: [SpaceID: Owner] = [:]
    @exclusivity(unchecked) var counts = VerifyCounts()
    /// Called with the number of records read.
    private let progress: (UInt64) -> Void

    init(
        _ reader: VersionReader, _ recorder: VerifyRecorder, _ catalogue: CheckedCatalogue,
        pageByteCount: Int,
        progress: @escaping (UInt64) -> Void
    ) throws(StorageError) {
        self.reader = reader
        self.recorder = recorder
        self.catalogue = catalogue
        self.progress = progress
        keyHash = KeyHash(seed: reader.contents.identity.hashSeed)
        tables = catalogue.definitions.map { VerifiedTable($0, catalogue.states[$0.space]) }
        values = try ValueLedger(reader, recorder, pageByteCount: pageByteCount)
        for table in tables { own(table) }
        for table in tables { join(table) }
        if !catalogue.isComplete { values.noteMissingUses() }
    }

    private func own(_ table: VerifiedTable) {
        table.values = values
        owners[table.definition.space] = .table(table)
        for index in table.indexes { owners[index.definition.space] = .index(index, of: table) }
        for column in table.columns {
            if let space = column.definition.overflowSpace { owners[space] = .backlinks(column) }
        }
    }

    /// Finds the columns that mirror each other.
    private func join(_ table: VerifiedTable) {
        for column in table.columns where column.definition.target != nil {
            let other = column.definition.target.flatMap { space in
                tables.first { $0.definition.space == space }
            }
            if column.definition.kind == .link {
                column.target = other
                let mirror = column.definition.backlinkColumn.flatMap { other?.definition.position(of: $0) }
                column.mirror = mirror.flatMap { other?.columns[$0].mirror }
            } else {
                let origin = column.definition.originColumn.flatMap { other?.definition.position(of: $0) }
                if origin == nil { column.mirror?.noteIncomplete() }
            }
        }
    }

    /// Whether a space without an owner belongs to nothing, and not to a table that could not be read.
    var knowsAllOwners: Bool { catalogue.isComplete }

    var ledgers: [Ledger] { tables.flatMap(\.ledgers) + [values.ledger] }

    func beginPass() {
        counts = VerifyCounts()
        values.beginPass()
        for table in tables { table.beginPass() }
    }

    /// To be called after a record was counted: tells now and then.
    func step() {
        let total = counts.total
        if total & 1_023 == 0, !recorder.isMuted { progress(total) }
    }

    /// The records' own bytes; nil after noting that they cannot be opened.
    func opened(
        _ stored: UnsafeRawBufferPointer, key: UInt64, _ kind: VerifyFinding.Kind,
        _ place: VerifyFinding.Place
    ) -> UnsafeRawBufferPointer? {
        do throws(StorageError) {
            return try reader.contents.codec.open(stored, key: key)
        } catch {
            recorder.note(kind, place, reason: error.message)
            return nil
        }
    }
}

/// How many records were read of each database.
struct VerifyCounts {
    var chunks: UInt64 = 0
    var ordered: UInt64 = 0
    var values: UInt64 = 0
    var changes: UInt64 = 0

    var total: UInt64 { chunks + ordered + values + changes }
}
