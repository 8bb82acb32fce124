internal import CairnStorage

/// Carries a file over to the classes of a program, inside a write that whoever calls it ends.
struct FileMigration {
    let store: Store
    let settings: SessionSettings
    let models: [ClassModel]
    let block: ThrowingMigrationBlock?
    let progress: MigrationProgress.Report?
    let place: CallSite
    let lifetime: (any AnyObject & Sendable)?

    /// - Parameter engine: in a write that has changed nothing yet.
    /// - Throws: what the block throws; the first mistake that it made; `duplicatePrimaryKey`; what the engine
    ///   throws, as `RealmError`. The write is to be cancelled then.
    func run(_ engine: Session) throws {
        do {
            try migrate(engine)
        } catch let error as StorageError {
            throw RealmError(error, file: settings.fileURL)
        }
    }

    private func migrate(_ engine: Session) throws {
        let before = engine.snapshot
        // Every table may be gone through, and none of it is to stay in memory.
        engine.decodeSeparately(byteLimit: MigrationSides.decodedByteLimit)
        let oldVersion = engine.schemaVersion
        let oldSchema = Schema(StoredSchema.classes(of: engine.schema, as: DynamicObject.self))
        let progress = MigrationProgress(progress)
        progress.begin(total: try rowCount(engine))
        let upgrade = SchemaUpgrade(engine, models)
        try upgrade.prepare(progress)
        let sides = try MigrationSides(
            engine, over: before, store, settings, oldSchema: oldSchema.objectSchema, models: models,
            openedAt: place, lifetime: lifetime)
        let migration = Migration(
            oldSchema: oldSchema, newSchema: Schema(models.map(\.schema)), sides, upgrade, progress)
        defer { migration.end() }
        try fill(upgrade, sides, progress)
        try run(migration, from: oldVersion)
        if let fault = upgrade.renamingFault { throw fault }
        try finish(upgrade, sides, progress)
        try check(engine)
        engine.setSchemaVersion(settings.schemaVersion)
        progress.end()
    }

    private func run(_ migration: Migration, from oldVersion: UInt64) throws {
        do {
            try block?(migration, oldVersion)
        } catch {
            guard let mistake = migration.sides.new.firstMistake, var own = error as? RealmError,
                own.underlyingError == nil
            else { throw error }
            own.underlyingError = mistake
            throw own
        }
        if let mistake = migration.sides.new.firstMistake { throw mistake }
    }

    /// The rows that there are to go through: those of all classes, which the block may, and those that
    /// change by themselves.
    private func rowCount(_ engine: Session) throws(StorageError) -> Int {
        var count = try SchemaUpgrade.rowCount(
            of: StoredSchema.compare(models.map(\.schema), with: engine.schema), engine)
        for table in engine.schema.tables { count += try engine.table(table.space).rowCount }
        return count
    }

    /// Gives each object its own default of properties that were added.
    private func fill(
        _ upgrade: SchemaUpgrade, _ sides: MigrationSides, _ progress: MigrationProgress
    ) throws {
        for (ordinal, table) in upgrade.classes.enumerated() where !table.isNew && !table.fills.isEmpty {
            let model = models[ordinal]
            let access = sides.new.handle(ordinal)
            access.table.forEachRow { row in
                guard !sides.new.hasMistake else { return }
                let prototype = model.type.init()
                for property in table.fills {
                    model.properties[property].functions.store(
                        model.wrapper(prototype, property), _Place(access, row, property))
                }
            }
        }
        if let failure = sides.new.firstMistake { throw failure }
    }

    private func finish(
        _ upgrade: SchemaUpgrade, _ sides: MigrationSides, _ progress: MigrationProgress
    ) throws {
        var duplicate: RealmError?
        do throws(StorageError) {
            try upgrade.finish(progress) { ordinal, key, row in
                duplicate = duplicateError(ordinal, key, row, upgrade)
            }
        } catch {
            throw duplicate ?? RealmError(error, file: settings.fileURL)
        }
    }

    private func duplicateError(
        _ ordinal: Int, _ key: Int, _ row: RowKey, _ upgrade: SchemaUpgrade
    ) -> RealmError {
        let model = models[ordinal]
        let property = model.schema.properties[key]
        var text = "nil"
        if let table = try? upgrade.engine.table(upgrade.classes[ordinal].space),
            let position = table.definition.position(named: property.columnName)
        {
            text = table.withStoredBytes(row, position) { StoredKeyText.text($0, property.type) }
        }
        return RealmError(
            .duplicatePrimaryKey,
            """
            Primary key property '\(model.schema.className).\(property.name)' has duplicate values after \
            migration: '\(text)' is that of two objects. Give each its own in the migration block.
            """, className: model.schema.className, propertyName: property.name, primaryKey: text,
            fileURL: settings.fileURL)
    }

    /// Nothing may be left over: a difference that no migration can bridge, or a fault of this library.
    private func check(_ engine: Session) throws(RealmError) {
        let rest = StoredSchema.compare(models.map(\.schema), with: engine.schema)
        guard !rest.mismatches.isEmpty || !rest.additions.isEmpty else { return }
        throw RealmError(
            .schemaMismatch,
            "The file cannot be migrated:\n" + rest.mismatches.map(\.line).joined(separator: "\n"),
            fileURL: settings.fileURL)
    }
}
