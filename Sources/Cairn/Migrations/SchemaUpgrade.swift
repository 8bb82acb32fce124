internal import CairnStorage

/// Makes the tables of a file those of a program's classes, in two steps around a migration block.
///
///     prepare   every class has its table and every property its column, so that the block can set
///               them; what renaming may still need is there as well
///     finish    what no class has goes; keys and indexes are what they should be
///
/// Inside the migration's write, whose undoing undoes this too.
final class SchemaUpgrade {
    let engine: Session
    let models: [ClassModel]
    /// One a class, at its ordinal.
    private(set) var classes: [TableUpgrade] = []
    /// Tables that go in the end: of classes that the program has no more, and whose data was deleted.
    private var doomedTables: Set<SpaceID> = []

    /// Keys of the file that a property has under its stored name, and what the migration does with them.
    struct TableUpgrade {
        let space: SpaceID
        /// Whether the file has no such class.
        let isNew: Bool
        /// Columns with values of the file, by the name that renaming knows them by.
        var oldColumns: [String: ColumnID] = [:]
        /// Columns that were renamed.
        var renamed: Set<ColumnID> = []
        /// Properties of the class whose values were renamed away.
        var vacated: Set<String> = []
        /// Ordinals of properties whose default is another one for each object.
        var fills: [Int] = []
    }

    init(_ engine: Session, _ models: [ClassModel]) {
        self.engine = engine
        self.models = models
    }

    /// The rows that `prepare` and `finish` will go through, at most; for progress.
    static func rowCount(
        of comparison: StoredSchema.Comparison, _ engine: Session
    ) throws(StorageError) -> Int {
        var count = 0
        for change in comparison.mismatches {
            switch change.kind {
            case .madeRequired, .primaryKey: count += try engine.table(named: change.className)?.rowCount ?? 0
            default: break
            }
        }
        for (name, _) in comparison.additions.addedIndexes {
            count += try engine.table(named: name)?.rowCount ?? 0
        }
        return count
    }

    // MARK: Before the block

    /// - Throws: what the engine throws.
    func prepare(_ progress: MigrationProgress) throws(StorageError) {
        var isNew: [Bool] = []
        for model in models {
            isNew.append(engine.schema[model.schema.className] == nil)
            if isNew.last == true {
                try engine.createTable(model.schema.className, isEmbedded: model.schema.isEmbedded)
            }
        }
        // Columns afterwards: a link needs the table that it leads to.
        for (model, isNew) in zip(models, isNew) {
            guard let table = engine.schema[model.schema.className] else { continue }
            var upgrade = TableUpgrade(space: table.space, isNew: isNew)
            for column in table.columns where !column.isHidden { upgrade.oldColumns[column.name] = column.id }
            if isNew {
                for property in model.schema.properties {
                    try engine.addColumn(StoredSchema.newColumn(property), to: table.space)
                }
            } else {
                try prepare(model, table, &upgrade, progress)
            }
            classes.append(upgrade)
        }
    }

    private func prepare(
        _ model: ClassModel, _ table: TableDefinition, _ upgrade: inout TableUpgrade,
        _ progress: MigrationProgress
    ) throws(StorageError) {
        let defaults = PropertyDefaults(model)
        let key = model.schema.primaryKeyProperty
        if let index = table.primaryKey, StoredSchema.primaryKey(of: table) != key?.columnName {
            try engine.removeIndex(index.space, from: table.space)
        }
        for (ordinal, property) in model.schema.properties.enumerated() {
            guard let position = table.position(named: property.columnName) else {
                try add(property, ordinal, defaults, &upgrade)
                continue
            }
            let column = table.columns[position]
            guard let change = StoredSchema.change(property, from: column, engine.schema) else { continue }
            if property.isPrimaryKey { try suspendKey(of: table.space) }
            switch change {
            case .madeOptional where !property.isArray:
                try engine.makeNullable(column.id, of: table.space)
            case .madeRequired where !property.isArray:
                let count = try engine.makeRequired(
                    column.id, of: table.space, replacingNullBy: { defaults.freshBytes(ordinal) })
                noteRequired(model, property, count, of: try engine.table(table.space).rowCount, progress)
            case .madeOptional, .madeRequired:
                let count = try convertList(column, to: property, table.space)
                noteRequired(model, property, count, of: try engine.table(table.space).rowCount, progress)
            default:
                try park(column, table.space)
                try add(property, ordinal, defaults, &upgrade)
            }
        }
    }

    private func noteRequired(
        _ model: ClassModel, _ property: Property, _ count: Int, of rowCount: Int,
        _ progress: MigrationProgress
    ) {
        progress.advance(by: rowCount)
        guard !property.isOptional else { return }
        Logger.shared.log(
            count == 0 ? .info : .warn,
            """
            '\(model.schema.className).\(property.name)' was made required: \(count) of \(rowCount) objects had \
            nil in it and have \(property.isArray ? "the type's zero" : "the declared default") now.
            """)
    }

    private func add(
        _ property: Property, _ ordinal: Int, _ defaults: PropertyDefaults, _ upgrade: inout TableUpgrade
    ) throws(StorageError) {
        var column = StoredSchema.newColumn(property)
        if let value = defaults.constant(ordinal) {
            column.defaultValue = value
        } else {
            upgrade.fills.append(ordinal)
        }
        try engine.addColumn(column, to: upgrade.space)
    }

    /// Gives a column's name to another column that is to take its place. Its values stay to be renamed.
    private func park(_ column: ColumnDefinition, _ space: SpaceID) throws(StorageError) {
        for index in engine.schema[space]?.indexes ?? [] where index.columns.contains(column.id) {
            try engine.removeIndex(index.space, from: space)
        }
        // No property can be named so.
        try engine.renameColumn(column.id, to: "\u{0}\(column.name)", in: space)
    }

    /// Lists whose elements may be nil are stored in another way: the elements are copied.
    ///
    /// - Returns: the number of rows that had nil in a list which must not any more.
    func convertList(
        _ column: ColumnDefinition, to property: Property, _ space: SpaceID
    ) throws(StorageError) -> Int {
        try park(column, space)
        let new = try engine.addColumn(StoredSchema.newColumn(property), to: space)
        let table = try engine.table(space)
        guard let old = table.definition.position(of: column.id) else { return 0 }
        let zero = PropertyDefaults.zero(of: column.kind)
        var count = 0
        try table.forEachRow { row throws(StorageError) in
            let length = try table.listCount(row, old)
            guard length > 0 else { return }
            let buffer = ListBuffer(layout: table.listLayout(new))
            var hadNil = false
            try table.forEachRun(row, old, in: 0..<length) { run, _ throws(StorageError) in
                for index in 0..<run.count {
                    if let element = run.element(at: index) {
                        try buffer.append(element)
                    } else if property.isOptional {
                        try buffer.append(nil)
                    } else {
                        hadNil = true
                        try zero.withBytes { bytes throws(StorageError) in try buffer.append(bytes) }
                    }
                }
            }
            if hadNil { count += 1 }
            try table.replaceElements(row, new, 0..<0, with: buffer)
        }
        return count
    }

    // MARK: During the block

    /// Drops the index of a primary key: keys may be set, and be equal, until the block has ended.
    func suspendKey(of space: SpaceID) throws(StorageError) {
        guard let index = engine.schema[space]?.primaryKey else { return }
        try engine.removeIndex(index.space, from: space)
    }

    /// Has a table removed in the end.
    func doom(_ space: SpaceID) { doomedTables.insert(space) }

    func change(_ ordinal: Int, _ body: (inout TableUpgrade) throws -> Void) rethrows {
        try body(&classes[ordinal])
    }

    // MARK: After the block

    /// Removes what no class has, and makes indexes.
    ///
    /// - Parameter onDuplicate: told of the class, the key's ordinal and a row whose key another has.
    /// - Throws: `duplicateKey` where two objects of a class have one primary key; what the engine throws.
    func finish(
        _ progress: MigrationProgress, onDuplicate: (Int, Int, RowKey) -> Void
    ) throws(StorageError) {
        for (model, upgrade) in zip(models, classes) {
            let wanted = Set(model.schema.properties.map(\.columnName))
            for column in engine.schema[upgrade.space]?.columns ?? []
            where !column.isHidden && !wanted.contains(column.name) {
                try engine.removeColumn(column.id, from: upgrade.space)
            }
        }
        try removeTables()
        let comparison = StoredSchema.compare(models.map(\.schema), with: engine.schema)
        for (name, _) in comparison.additions.addedIndexes {
            progress.advance(by: try engine.table(named: name)?.rowCount ?? 0)
        }
        try StoredSchema.apply(comparison.additions, to: engine)
        for ordinal in models.indices { try addKey(ordinal, progress, onDuplicate) }
    }

    /// Removes the tables that are to go, but for those that tables of others link to.
    private func removeTables() throws(StorageError) {
        var going = doomedTables
        while let kept = going.first(where: { isTarget($0, ofOthersThan: going) }) { going.remove(kept) }
        // They may link to each other.
        for space in going {
            for column in engine.schema[space]?.columns ?? [] where column.kind == .link {
                try engine.removeColumn(column.id, from: space)
            }
        }
        for space in going { try engine.removeTable(space) }
    }

    private func isTarget(_ space: SpaceID, ofOthersThan going: Set<SpaceID>) -> Bool {
        engine.schema.tables.contains { other in
            !going.contains(other.space)
                && other.columns.contains { $0.kind == .link && $0.target == space }
        }
    }

    private func addKey(
        _ ordinal: Int, _ progress: MigrationProgress, _ onDuplicate: (Int, Int, RowKey) -> Void
    ) throws(StorageError) {
        let schema = models[ordinal].schema
        guard let key = schema.properties.firstIndex(where: \.isPrimaryKey),
            let table = engine.schema[classes[ordinal].space], table.primaryKey == nil,
            let position = table.position(named: schema.properties[key].columnName)
        else { return }
        try engine.addIndex(
            .hash, on: [table.columns[position].id], of: table.space, isUnique: true, isPrimaryKey: true
        ) { row in onDuplicate(ordinal, key, row) }
        progress.advance(by: try engine.table(table.space).rowCount)
    }
}
