internal import CairnQuery
internal import CairnStorage

/// The objects of a class that a query gives.
final class ObjectResults: ResultsSource {
    /// The class's.
    let ordinal: Int
    private let live: RealmSession
    private let description: QueryDescription
    private let cache: QueryCache
    /// Around the cache of a frozen one, which any thread may use.
    private let lock: FrozenLock?
    /// Results of before an `invalidate()` are invalid for good.
    private let validSince: UInt64

    init(_ description: QueryDescription, _ ordinal: Int, _ session: RealmSession) {
        self.ordinal = ordinal
        live = session
        self.description = description
        cache = QueryCache(description, isFrozen: session.isFrozen)
        lock = session.isFrozen ? FrozenLock() : nil
        validSince = session.handle(ordinal).pointee.validSince
        super.init(session)
    }

    /// All objects of a class.
    convenience init(allOf ordinal: Int, _ session: RealmSession, _ space: SpaceID) {
        self.init(QueryDescription(space), ordinal, session)
    }

    override var isInvalidated: Bool {
        !live.isFrozen && (validSince != live.handle(ordinal).pointee.validSince || live.tables.engine == nil)
    }

    override var elementName: String { live.models[ordinal].schema.className }

    override var query: _CollectionQuery {
        // Whoever asks more of results that are invalid is told so.
        readable() == nil
            ? _CollectionQuery(.nothing) : _CollectionQuery(.objects(live, ordinal, description))
    }

    // MARK: Reading

    /// Where to read on this thread.
    private struct Reading {
        let access: UnsafeMutablePointer<ClassAccess>
        let tables: ClassTables
        let engine: Session

        var context: QueryContext { QueryContext(engine, tables.foldedChunks) }
    }

    /// nil where there is nothing to be read, which was reported.
    private func readable() -> Reading? {
        guard let tables = live.readable("Results of '\(elementName)'"), let engine = tables.engine else {
            return nil
        }
        if !live.isFrozen, validSince != live.handle(ordinal).pointee.validSince {
            Misuse.report(
                RealmError(
                    .invalidatedObject,
                    "Results of '\(elementName)' were used after their Realm was invalidated. Ask it for new ones.",
                    className: elementName), live)
            return nil
        }
        return Reading(access: tables.accesses + ordinal, tables: tables, engine: engine)
    }

    /// The rows, in order; nil of all objects of a class, which are not gathered.
    private func rows(_ reading: Reading) -> [RowKey]? {
        if description.isWholeTable { return nil }
        return live.noting { () throws(StorageError) in
            try cached { cache throws(StorageError) in try cache.rows(reading.context) }
        }
            ?? []
    }

    private func cached<Result>(
        _ body: (QueryCache) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        guard let lock else { return try body(cache) }
        return try lock.guarded.withLock { _ in
            Swift.Result { () throws(StorageError) in try body(cache) }
        }.get()
    }

    private final class FrozenLock {
        let guarded = Guarded(())
    }

    /// Every row, gathered.
    func allRows() -> [RowKey] {
        guard let reading = readable() else { return [] }
        if let rows = rows(reading) { return rows }
        var rows: [RowKey] = []
        rows.reserveCapacity(reading.access.table.rowCount)
        reading.access.table.forEachRow { rows.append($0) }
        return rows
    }

    override var count: Int {
        guard let reading = readable() else { return 0 }
        if description.isWholeTable { return reading.access.table.rowCount }
        return live.noting { () throws(StorageError) in
            try cached { cache throws(StorageError) in try cache.count(reading.context) }
        } ?? 0
    }

    /// What a property of the objects comes to; nil after a failure, which was noted.
    func calculate(_ operation: QueryEvaluation.Operation, _ path: ColumnPath) -> Calculation.Result? {
        guard let reading = readable() else { return nil }
        return live.noting { () throws(StorageError) in
            try cached { cache throws(StorageError) in try cache.calculate(operation, path, reading.context) }
        }
    }

    private func firstRow(_ reading: Reading) -> RowKey? {
        if description.isWholeTable { return reading.access.table.row(atRank: 0) }
        return live.noting { () throws(StorageError) in
            try cached { cache throws(StorageError) in try cache.first(reading.context) }
        } ?? nil
    }

    override var isEmpty: Bool { readable().map { firstRow($0) == nil } ?? true }

    override func firstObject() -> ObjectBase? {
        guard let reading = readable(), let row = firstRow(reading) else { return nil }
        return make(row)
    }

    override func object(at index: Int) -> ObjectBase? {
        guard let reading = readable() else { return nil }
        guard let rows = rows(reading) else {
            guard let row = reading.access.table.row(atRank: index) else {
                reportOutOfBounds(index, reading.access.table.rowCount)
                return nil
            }
            return make(row)
        }
        guard rows.indices.contains(index) else {
            reportOutOfBounds(index, rows.count)
            return nil
        }
        return make(rows[index])
    }

    private func make(_ row: RowKey) -> ObjectBase {
        let model = unsafeDowncast(live.models[ordinal], to: ClassModel.self)
        return model.makeObject(live, live.handle(ordinal), row)
    }

    override func place(of object: ObjectBase) -> Int? {
        guard let reading = readable(), object.isRow(of: reading.access, live) else { return nil }
        let row = RowKey(object.row)
        if description.isWholeTable { return reading.access.table.rank(of: row) }
        return live.noting { () throws(StorageError) in
            try cached { cache throws(StorageError) in try cache.place(of: row, reading.context) }
        } ?? nil
    }

    override func cursor() -> RowCursor? {
        guard let reading = readable() else { return nil }
        guard let rows = rows(reading) else { return RowCursor(allOf: reading.access, live) }
        return RowCursor(rows, of: reading.access, live)
    }

    // MARK: Elsewhere

    override func frozen() -> ResultsSource {
        live.isFrozen ? self : ObjectResults(description, ordinal, live.frozen())
    }

    override func thawed(in session: RealmSession) -> ResultsSource? {
        ObjectResults(description, ordinal, session)
    }
}
