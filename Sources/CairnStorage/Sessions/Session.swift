/// One user's view of the file: a version, and while it writes, what it has changed since.
///
/// Used by one thread at a time. `CairnStorage` does not check that; `state` holds what the object
/// layer checks it with.
package final class Session {
    /// What accessors look at. Lives as long as the session.
    package let state: UnsafeMutablePointer<SessionState>
    package private(set) var snapshot: Snapshot
    /// The schema as the session sees it: while it writes, with its own changes.
    package internal(set) var schema: Schema
    var counters: FileCounters
    /// One a table of the schema, made when first asked for.
    private var tables: [SpaceID: SessionTable] = [:]
    /// Tables that this write has removed.
    private(set) var removedTables: [SpaceID: SessionTable] = [:]
    let limits: EngineLimits
    var listLimits: ListLimits {
        ListLimits(pieceTarget: limits.listPieceByteCount, heapLimit: limits.listHeapByteCount)
    }
    private(set) lazy var pieceSource = SessionPieceSource(self)
    /// What the session has changed; nil outside of a write.
    var writer: WriteContext? {
        didSet { state.pointee.isWriting = writer != nil }
    }
    /// Where packed chunks are decoded to that are not shared with others; nil for the snapshot's.
    var decodedRoom: DecodedRoom?
    /// For each table the row key that the next row has at least: those below were handed out by writes
    /// of this process that were undone, and somebody may still hold one.
    var rowKeyFloors: [SpaceID: UInt64] = [:]
    /// The first damage that a read which cannot throw has met.
    package private(set) var damage: StorageError?
    /// Told of every damage met by a read that cannot throw, once each.
    package var onDamage: ((StorageError) -> Void)?

    package init(_ snapshot: Snapshot) {
        state = .allocate(capacity: 1)
        state.initialize(to: SessionState())
        self.snapshot = snapshot
        schema = snapshot.schema
        counters = snapshot.counters
        limits = snapshot.contents.limits
    }

    deinit {
        precondition(writer == nil, "a session was dropped in the middle of a write")
        state.deallocate()
    }

    /// The version that the session sees; inside a write the one that it began from.
    package var version: Version { snapshot.version }

    /// Whether it is writing.
    package var isWriting: Bool { writer != nil }

    /// Whether the write in progress has changed something, even if that was undone or led to equal values.
    package var hasChanges: Bool {
        guard let writer else { return false }
        return schema != snapshot.schema || !writer.spilled.isEmpty
            || writer.layers.contains {
                !$0.owned.isEmpty || !$0.addedValues.isEmpty || !$0.removedValues.isEmpty
            }
    }

    /// The write in progress. Traps outside of one.
    var requiredWriter: WriteContext {
        guard let writer else {
            preconditionFailure("the database was changed outside of a write transaction")
        }
        return writer
    }

    // MARK: Tables

    /// The table of that name, or nil.
    package func table(named name: String) throws(StorageError) -> SessionTable? {
        guard let definition = schema[name] else { return nil }
        return try table(definition.space)
    }

    /// The table with that space.
    ///
    /// - Throws: `notFound` where the schema has none; `damaged`.
    package func table(_ space: SpaceID) throws(StorageError) -> SessionTable {
        if let known = tables[space] { return known }
        guard let definition = schema[space] else {
            throw StorageError(.notFound, "There is no table with \(space) in this version of the file.")
        }
        var stored: SnapshotTable?
        if let place = snapshot.schema.place(of: space) { stored = try snapshot.table(place) }
        let table = SessionTable(
            session: self, definition: stored?.definition ?? definition, snapshotTable: stored)
        if table.definition != definition { table.rebuild(definition) }
        if let writer {
            table.layer = writer.layerNumber
            table.skipUsedRowKeys()
        }
        tables[space] = table
        return table
    }

    /// The tables that were asked for so far.
    var openTables: Dictionary<SpaceID, SessionTable>.Values { tables.values }

    /// A table that was asked for, also one that this write has removed; or nil.
    func openTable(_ space: SpaceID) -> SessionTable? { tables[space] ?? removedTables[space] }

    /// Forgets a table that this write made and that is undone.
    func close(_ space: SpaceID) {
        tables[space] = nil
    }

    /// Puts a table aside that this write removes: its chunks are needed until the commit, and all of
    /// it when the removal is undone.
    func setAside(_ table: SessionTable) {
        tables[table.definition.space] = nil
        removedTables[table.definition.space] = table
    }

    /// Takes back the tables whose removal was undone.
    func takeBackRemovedTables() {
        for (space, table) in removedTables where schema[space] != nil {
            removedTables[space] = nil
            tables[space] = table
        }
    }

    /// The next row keys of the tables that this write has added rows to.
    func usedRowKeys() -> [SpaceID: UInt64] {
        var result: [SpaceID: UInt64] = [:]
        for table in openTables where table.nextRowKey > table.storedState()?.nextRowKey ?? 0 {
            result[table.definition.space] = table.nextRowKey
        }
        return result
    }

    // MARK: Versions

    /// Moves to another version. Not inside a write.
    ///
    /// Tables that are still there keep their `SessionTable`; row keys stay what they are.
    package func adopt(_ snapshot: Snapshot) throws(StorageError) {
        precondition(writer == nil, "a session moves to another version between its writes only")
        try move(to: snapshot)
    }

    func move(to snapshot: Snapshot) throws(StorageError) {
        state.pointee.epoch += 1
        decodedRoom = nil
        self.snapshot = snapshot
        counters = snapshot.counters
        if schema != snapshot.schema {
            schema = snapshot.schema
            state.pointee.schemaEpoch += 1
        }
        // Of a write that was undone; those of one that was committed are gone for good.
        takeBackRemovedTables()
        removedTables = [:]
        for (space, table) in tables {
            guard let place = schema.place(of: space) else {
                tables[space] = nil
                continue
            }
            table.move(to: try snapshot.table(place))
            table.layer = SessionTable.noLayer
        }
    }

    // MARK: Damage

    /// Notes damage that a read which cannot throw has met. A write in progress cannot be committed then.
    package func note(_ error: StorageError) {
        if damage == nil { damage = error }
        onDamage?(error)
    }

    /// Throws what `note` has noted, once.
    package func throwDamage() throws(StorageError) {
        guard let damage else { return }
        self.damage = nil
        throw damage
    }

    func forgetDamage() {
        damage = nil
    }

    // MARK: Values

    /// A record of the database `values`, this write's own included. Valid until the write changes it
    /// or the session moves.
    func value(_ id: ValueID) throws(StorageError) -> UnsafeRawBufferPointer {
        if let writer, let own = try writer.value(id) { return own }
        return try snapshot.value(id)
    }

    /// A bucket without entries, for places where there is none.
    // Written once, before anyone sees it.
    nonisolated(unsafe) static let emptyBucket: UnsafeRawPointer = {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
        memory.storeBytes(of: 4, toByteOffset: BucketLayout.rowKeyByteCount, as: UInt8.self)
        return UnsafeRawPointer(memory)
    }()
}
