internal import CairnQuery
internal import CairnStorage

/// One engine session with the tables of a Realm's classes in it.
///
/// Used by one thread at a time. A frozen Realm has one for each thread that reads it.
final class ClassTables {
    /// One a class of the schema, at the class's ordinal. The addresses hold as long as this object.
    let accesses: UnsafeMutablePointer<ClassAccess>
    let models: [ModelDescription]
    /// The engine's session; nil while the Realm is invalidated.
    private(set) var engine: Session?
    /// The engine's schema epoch that `accesses` holds for.
    private(set) var resolvedSchemaEpoch: UInt64 = 0
    /// Folded copies of texts, for queries with `[c]` and `[d]`.
    let foldedChunks = FoldedChunks()
    /// The confinement token that accessors compare; 0 where they are to ask.
    private let token: UInt64
    /// The epoch that the last engine session had reached.
    private var lastEpoch: UInt64 = 0
    /// For each class the row keys of writes that were undone. This process does not hand them out again,
    /// but another one may: an object of before must not take its row for its own.
    private var undone: [Int: [UndoneKeys]] = [:]

    private struct UndoneKeys {
        let keys: Range<UInt64>
        /// Objects that were last seen alive in this epoch or before are those of the write.
        let epoch: UInt64
    }

    init(_ models: [ModelDescription], token: UInt64) {
        self.models = models
        self.token = token
        accesses = .allocate(capacity: max(1, models.count))
        for (ordinal, model) in models.enumerated() {
            (accesses + ordinal).initialize(
                to: ClassAccess(ordinal: ordinal, model.schema))
        }
    }

    /// Says whose the tables are; they must not outlive it.
    func setOwner(_ session: RealmSession) {
        for ordinal in models.indices { accesses[ordinal].owner = Unmanaged.passUnretained(session) }
    }

    deinit {
        for ordinal in models.indices {
            accesses[ordinal].positions.deallocate()
            accesses[ordinal].targets.deallocate()
        }
        accesses.deallocate()
    }

    /// Takes an engine session into use.
    ///
    /// - Throws: what opening its tables throws; `notFound` where a class or a property has no place in
    ///   the file.
    func open(_ engine: Session) throws(StorageError) {
        engine.state.pointee.epoch += lastEpoch
        self.engine = engine
        engine.state.pointee.token = token
        try resolve(engine)
    }

    /// Has another engine session read and changed in the place of the one in use, for a while: one that other
    /// sessions use too, each in its turn.
    ///
    /// - Throws: like `open`; the one in use stays then.
    func exchange(_ other: Session) throws(StorageError) {
        guard let engine else { preconditionFailure("a closed session was to read another one's tables") }
        // Neither's epochs mean anything to the other: what was seen alive is looked at again.
        other.state.pointee.epoch = max(engine.state.pointee.epoch, other.state.pointee.epoch) + 1
        other.state.pointee.token = token
        do throws(StorageError) {
            try resolve(other)
            self.engine = other
        } catch {
            try resolve(engine)
            throw error
        }
    }

    /// Lets the engine session go. Every object of it is dead for good.
    func close() {
        guard let engine else { return }
        lastEpoch = engine.state.pointee.epoch + 1
        for ordinal in models.indices {
            accesses[ordinal].state = ClassAccess.closedState
            accesses[ordinal].table = nil
            accesses[ordinal].validSince = lastEpoch
        }
        self.engine = nil
    }

    /// Looks tables and columns up anew where the schema of the engine's session has changed.
    ///
    /// - Throws: like `open`.
    func resolveIfNeeded() throws(StorageError) {
        guard let engine, engine.state.pointee.schemaEpoch != resolvedSchemaEpoch else { return }
        try resolve(engine)
    }

    /// Notes what a write had handed out that was undone.
    ///
    /// - Parameter limits: `rowKeyLimits()` of before the end of the write.
    func noteUndone(_ limits: [UInt64]) {
        guard let engine else { return }
        for (ordinal, limit) in limits.enumerated() {
            let now = (accesses + ordinal).table.rowKeyLimit
            guard now < limit else { continue }
            // Of many writes that were undone one after the other the keys overlap: one range is enough.
            let known = undone[ordinal]?.last?.keys.upperBound ?? 0
            if known > now { undone[ordinal]?.removeAll { $0.keys.lowerBound >= now } }
            undone[ordinal, default: []].append(
                UndoneKeys(keys: now..<max(limit, known), epoch: engine.state.pointee.epoch))
        }
    }

    /// Whether an object is one of a write that was undone.
    func isUndone(_ row: UInt64, seenEpoch: UInt64, _ ordinal: Int) -> Bool {
        guard !undone.isEmpty, let ranges = undone[ordinal] else { return false }
        return ranges.contains { $0.keys.contains(row) && seenEpoch <= $0.epoch }
    }

    private func resolve(_ engine: Session) throws(StorageError) {
        for (ordinal, model) in models.enumerated() {
            guard let table = try engine.table(named: model.schema.className) else {
                throw StorageError(
                    .notFound,
                    "The file has no table for the class '\(model.schema.className)' any more.")
            }
            accesses[ordinal].table = Unmanaged.passUnretained(table)
        }
        for (ordinal, model) in models.enumerated() { try resolve(ordinal, model.schema) }
        // Opening tables may have moved the epoch on, and their columns with it.
        for ordinal in models.indices {
            accesses[ordinal].columns = (accesses + ordinal).table.columns
            accesses[ordinal].state = engine.state
        }
        resolvedSchemaEpoch = engine.state.pointee.schemaEpoch
    }

    private func resolve(_ ordinal: Int, _ schema: ObjectSchema) throws(StorageError) {
        let access = accesses + ordinal
        for (property, description) in schema.allProperties.enumerated() {
            let target = description.objectClassName.flatMap { name in
                models.firstIndex { $0.schema.className == name }
            }
            access.pointee.targets[property] = target.map { accesses + $0 }
            let position =
                description.isComputed
                ? mirror(of: description, access, target)
                : access.table.definition.position(
                    named: description.columnName)
            guard let position else {
                throw StorageError(
                    .notFound,
                    "The file has no property '\(schema.className).\(description.columnName)' any more.")
            }
            access.pointee.positions[property] = Int32(position + 1)
        }
    }

    /// The hidden column that mirrors the link which a computed property follows backwards.
    private func mirror(
        of property: Property, _ access: UnsafeMutablePointer<ClassAccess>, _ origin: Int?
    ) -> Int? {
        guard let origin, let name = property.originPropertyName,
            let link = models[origin].schema[name]
        else { return nil }
        let originTable = (accesses + origin).table.definition
        guard let place = originTable.position(named: link.columnName),
            let mirror = originTable.columns[place].backlinkColumn
        else { return nil }
        return access.table.definition.position(of: mirror)
    }
}

extension ClassTables {
    /// The first row key of each class that was not handed out yet.
    func rowKeyLimits() -> [UInt64] {
        models.indices.map { (accesses + $0).table.rowKeyLimit }
    }

    /// Whether the schema of the engine's session is another one than the tables were looked up in.
    var needsResolving: Bool {
        guard let engine else { return false }
        return engine.state.pointee.schemaEpoch != resolvedSchemaEpoch
    }
}
