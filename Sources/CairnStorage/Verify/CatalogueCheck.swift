internal import CairnLMDB

/// The records of a version's catalogue, as far as they could be read.
struct CheckedCatalogue {
    var definitions: [TableDefinition] = []
    /// By table; none where its record is missing or cannot be read.
    var states: [SpaceID: TableState] = [:]
    /// Nil where the record cannot be read.
    var counters: FileCounters? = FileCounters()
    /// Whether every definition could be read, so that whatever belongs to none belongs to nothing.
    var isComplete = true
}

/// Checks the database `catalog`: every record by itself, and against the others.
struct CatalogueCheck {
    private let reader: VersionReader
    private let recorder: VerifyRecorder
    private var result = CheckedCatalogue()
    private var hasIdentity = false
    private var hasCounters = false
    /// Nil for a record that is there and cannot be used.
    private var stateRecords: [SpaceID: UnsafeRawBufferPointer?] = [:]

    private init(_ reader: VersionReader, _ recorder: VerifyRecorder) {
        self.reader = reader
        self.recorder = recorder
    }

    static func run(
        _ reader: VersionReader, _ recorder: VerifyRecorder
    ) throws(StorageError) -> CheckedCatalogue {
        var check = CatalogueCheck(reader, recorder)
        try reader.forEachEntry(of: reader.contents.catalog) { entry throws(StorageError) in
            check.visit(Array(entry.key), entry.value)
        }
        check.readStates()
        check.checkPresence()
        check.checkSchema()
        return check.result
    }

    // MARK: Single records

    private mutating func visit(_ key: [UInt8], _ stored: UnsafeRawBufferPointer) {
        if key == CatalogueKey.identity.bytes {
            hasIdentity = true
            noteFailure { () throws(StorageError) in
                let record = try opened(stored, key)
                try refuse(record, unlike: IdentityRecord(record: record).record())
            }
        } else if key == CatalogueKey.counters.bytes {
            readCounters(stored, key)
        } else if key.count == 3, key[1] != 0 || key[2] != 0, key[0] == CatalogueKey.definitionTag {
            readDefinition(Self.space(key), stored, key)
        } else if key.count == 3, key[1] != 0 || key[2] != 0, key[0] == CatalogueKey.stateTag {
            stateRecords[Self.space(key)] = .some(nil)
            noteFailure(Self.space(key)) { () throws(StorageError) in
                stateRecords[Self.space(key)] = try opened(stored, key)
            }
        } else {
            recorder.note(.catalogStray, expected: nil, found: UInt64(key.count))
        }
    }

    private static func space(_ key: [UInt8]) -> SpaceID { SpaceID(UInt16(key[1]) << 8 | UInt16(key[2])) }

    private mutating func readCounters(_ stored: UnsafeRawBufferPointer, _ key: [UInt8]) {
        hasCounters = true
        result.counters = nil
        noteFailure { () throws(StorageError) in
            let record = try opened(stored, key)
            let counters = try FileCounters(record: record)
            result.counters = counters
            try refuse(record, unlike: counters.record())
        }
    }

    private mutating func readDefinition(
        _ space: SpaceID, _ stored: UnsafeRawBufferPointer, _ key: [UInt8]
    ) {
        var definition: TableDefinition?
        noteFailure(space) { () throws(StorageError) in
            let record = try opened(stored, key)
            let read = try TableDefinition(space: space, record: record)
            definition = read
            try refuse(record, unlike: read.record())
        }
        if let definition { result.definitions.append(definition) } else { result.isComplete = false }
    }

    private mutating func readStates() {
        for definition in result.definitions {
            guard let found = stateRecords.removeValue(forKey: definition.space) else {
                recorder.note(
                    .catalogMissing, VerifyFinding.Place(space: definition.space), reason: "It has no state.")
                continue
            }
            guard let record = found else { continue }
            noteFailure(definition.space) { () throws(StorageError) in
                let state = try TableState(record: record, definition: definition)
                result.states[definition.space] = state
                try refuse(record, unlike: state.record())
            }
        }
        // What is left has no definition.
        guard result.isComplete else { return }
        for space in stateRecords.keys.sorted() {
            recorder.note(.catalogStray, VerifyFinding.Place(space: space))
        }
    }

    private func opened(
        _ stored: UnsafeRawBufferPointer, _ key: [UInt8]
    ) throws(StorageError) -> UnsafeRawBufferPointer {
        let seed = key.withUnsafeBytes { ByteHash.hash($0, seed: 0) }
        let record = try reader.contents.codec.open(stored, key: seed)
        guard RecordSeal.holds(record, seed: seed) else {
            throw StorageError(.damaged, "The record does not match its checksum.")
        }
        return record
    }

    /// Whatever decoding drops, because it means nothing, is damage too.
    private func refuse(_ record: UnsafeRawBufferPointer, unlike expected: [UInt8]) throws(StorageError) {
        let isEqual = expected.withUnsafeBytes { expected in
            record.count == expected.count
                && record[RecordSeal.byteCount...].elementsEqual(expected[RecordSeal.byteCount...])
        }
        guard isEqual else { throw StorageError(.damaged, "The record has bits set that mean nothing.") }
    }

    private func noteFailure(_ space: SpaceID? = nil, _ body: () throws(StorageError) -> Void) {
        do throws(StorageError) {
            try body()
        } catch {
            recorder.note(.catalogRecord, VerifyFinding.Place(space: space), reason: error.message)
        }
    }
}

// MARK: - Records against each other

extension CatalogueCheck {
    private func checkPresence() {
        if !hasIdentity { recorder.note(.catalogMissing, reason: "The identity is not there.") }
        if !hasCounters, !result.definitions.isEmpty {
            recorder.note(.catalogMissing, reason: "The counters are not there.")
        }
    }

    private func checkSchema() {
        if result.isComplete, let fault = Schema(result.definitions).fault() {
            recorder.note(.schema, reason: "In the catalogue, \(fault).")
        }
        guard let counters = result.counters else { return }
        for definition in result.definitions {
            for space in definition.ownedSpaces where UInt32(space.value) >= counters.nextSpace {
                recorder.note(
                    .counter, VerifyFinding.Place(space: space), expected: UInt64(counters.nextSpace),
                    found: UInt64(space.value))
            }
        }
        if counters.catalogueVersion > reader.version.value {
            recorder.note(
                .counter, VerifyFinding.Place(version: Version(counters.catalogueVersion)),
                expected: reader.version.value, found: counters.catalogueVersion)
        }
    }
}

extension TableDefinition {
    /// Every space that the table takes: its own, those of its indexes and of its backlink columns.
    var ownedSpaces: [SpaceID] {
        [space] + indexes.map(\.space) + columns.compactMap(\.overflowSpace)
    }
}
