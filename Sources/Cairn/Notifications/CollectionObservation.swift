internal import CairnQuery
internal import CairnStorage

/// Somebody who observes a collection.
class CollectionObservation<Observed: RealmCollection>: Observation {
    let collection: Observed
    private let block: (RealmCollectionChange<Observed>) -> Void
    /// Whose collection it is, if it is one object's: with it the collection goes.
    private let owner: (table: SpaceID, row: RowKey)?

    init(
        _ collection: Observed, owner: (table: SpaceID, row: RowKey)?, _ life: ObservationLife,
        _ block: @escaping (RealmCollectionChange<Observed>) -> Void
    ) {
        self.collection = collection
        self.owner = owner
        self.block = block
        super.init(life)
    }

    /// Looks at the collection for the first time.
    func begin(_ context: QueryContext) throws(StorageError) {}

    /// Goes on to where the engine session is.
    func change(_ changes: ChangeSet, _ context: QueryContext) throws(StorageError) -> RowsChange {
        RowsChange()
    }

    /// The number of elements that the listener knows.
    var knownCount: Int { 0 }

    final override func bringForward(_ news: News?, _ session: RealmSession) -> (() -> Void)? {
        guard let engine = session.tables.engine else { return nil }
        let context = QueryContext(engine, session.tables.foldedChunks)
        do throws(StorageError) {
            guard let news else {
                if try isOwnerGone(engine) { return end() }
                try begin(context)
                return { [self] in block(.initial(collection)) }
            }
            if try isOwnerGone(engine) { return end() }
            let change = try change(news.changes, context)
            guard !change.isEmpty else { return nil }
            return { [self] in tell(change) }
        } catch {
            // What it knows cannot be brought forward any more.
            _ = life.end()
            let error = RealmError(error, file: session.settings.fileURL)
            return { [self] in block(.error(error)) }
        }
    }

    private func tell(_ change: RowsChange) {
        block(
            .update(
                collection, deletions: change.deletions, insertions: change.insertions,
                modifications: change.modifications))
    }

    private func isOwnerGone(_ engine: Session) throws(StorageError) -> Bool {
        guard let owner else { return false }
        return try !engine.table(owner.table).contains(owner.row)
    }

    /// The last call: everything has gone. Also for a collection that was empty, so that its listener learns.
    private func end() -> (() -> Void)? {
        let wasKnown = knownVersion != nil
        _ = life.end()
        let all = RowsChange(deletions: Array(0..<knownCount))
        return wasKnown ? { [self] in tell(all) } : nil
    }
}

/// Somebody who observes objects.
final class ObjectsObservation<Observed: RealmCollection>: CollectionObservation<Observed> {
    private let query: QueryDescription
    private let rule: ModificationRule
    private var rows: (any ObservedRows)?

    init(
        _ collection: Observed, _ query: QueryDescription, _ paths: [ObservedPath]?, _ life: ObservationLife,
        _ block: @escaping (RealmCollectionChange<Observed>) -> Void
    ) {
        self.query = query
        rule = ModificationRule(query.table, paths)
        var owner: (table: SpaceID, row: RowKey)?
        if case .elements(let table, let row, _) = query.base, query.isWholeBase { owner = (table, row) }
        super.init(collection, owner: owner, life, block)
    }

    override func begin(_ context: QueryContext) throws(StorageError) {
        if query.takesRowsByThemselves {
            rows = try RowsByKey(query, context)
        } else {
            rows = try RowsInOrder(query, context)
        }
    }

    override func change(_ changes: ChangeSet, _ context: QueryContext) throws(StorageError) -> RowsChange {
        let modified = try rule.modifiedRows(changes, context.session)
        return try rows?.bringForward(changes, modified: modified, context) ?? RowsChange()
    }

    override var knownCount: Int { rows?.count ?? 0 }
}

/// Somebody who observes values: those of a list.
final class ValuesObservation<Observed: RealmCollection>: CollectionObservation<Observed> {
    private let table: SpaceID
    private let row: RowKey
    private let column: ColumnID
    private var values: [Observed.Element] = []

    init(
        _ collection: Observed, _ place: (table: SpaceID, row: RowKey, column: ColumnID),
        _ life: ObservationLife,
        _ block: @escaping (RealmCollectionChange<Observed>) -> Void
    ) {
        (table, row, column) = place
        super.init(collection, owner: (place.table, place.row), life, block)
    }

    override func begin(_ context: QueryContext) throws(StorageError) { values = Array(collection) }

    override func change(_ changes: ChangeSet, _ context: QueryContext) throws(StorageError) -> RowsChange {
        guard changes.changes(of: table).modified[column]?.contains(row) == true else { return RowsChange() }
        let new = Array(collection)
        defer { values = new }
        return RowsChange(replacing: ArrangementDifference(from: values, to: new))
    }

    override var knownCount: Int { values.count }
}

extension RowsChange {
    /// Values have no identity: one that came where one went is the same, modified.
    init(replacing difference: ArrangementDifference) {
        self.init()
        var gone = difference.deletions.enumerated().map { (place: $1, keptBefore: $1 - $0) }[...]
        for (index, place) in difference.insertions.enumerated() {
            let keptBefore = place - index
            while let first = gone.first, first.keptBefore < keptBefore {
                deletions.append(gone.removeFirst().place)
            }
            if let first = gone.first, first.keptBefore == keptBefore {
                modifications.append(first.place)
                gone.removeFirst()
            } else {
                insertions.append(place)
            }
        }
        deletions += gone.map(\.place)
    }
}
