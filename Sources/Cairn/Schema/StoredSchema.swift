internal import CairnStorage

/// How properties are kept in the engine's columns, and what has to be done to a file so that it holds
/// the classes of a program.
struct StoredSchema {
    /// What a file lacks and gets without a word: classes and indexes.
    struct Additions {
        var classes: [ObjectSchema] = []
        var addedIndexes: [(className: String, property: Property)] = []
        var removedIndexes: [(className: String, index: IndexDefinition)] = []

        var isEmpty: Bool { classes.isEmpty && addedIndexes.isEmpty && removedIndexes.isEmpty }
    }

    /// The difference between the program's classes and a file.
    struct Comparison {
        var additions = Additions()
        /// What only a migration can bring together.
        var mismatches: [SchemaChange] = []
    }

    // MARK: Comparing

    /// Compares the classes with the tables of their names. Tables of other classes do not matter.
    static func compare(_ schemas: [ObjectSchema], with file: CairnStorage.Schema) -> Comparison {
        var result = Comparison()
        for schema in schemas {
            guard let table = file[schema.className] else {
                result.additions.classes.append(schema)
                continue
            }
            compare(schema, with: table, file, into: &result)
        }
        return result
    }

    private static func compare(
        _ schema: ObjectSchema, with table: TableDefinition, _ file: CairnStorage.Schema,
        into result: inout Comparison
    ) {
        let name = schema.className
        func note(_ kind: SchemaChange.Kind) {
            result.mismatches.append(SchemaChange(className: name, kind: kind))
        }
        for property in schema.properties {
            guard let position = table.position(named: property.columnName) else {
                note(.added(property))
                continue
            }
            let column = table.columns[position]
            if let change = change(property, from: column, file) { note(change) }
            compareIndex(property, of: name, with: column, table, into: &result)
        }
        let wanted = Set(schema.properties.map(\.columnName))
        for column in table.columns where !column.isHidden && !wanted.contains(column.name) {
            note(.removed(column.name, type: property(of: column, table, file).typeText))
        }
        let storedKey = primaryKey(of: table)
        if storedKey != schema.primaryKeyProperty?.columnName {
            note(.primaryKey(from: storedKey, to: schema.primaryKeyProperty?.columnName))
        }
        if schema.isEmbedded != table.isEmbedded { note(.embedded(schema.isEmbedded)) }
    }

    /// The stored name of a table's primary key, or nil.
    static func primaryKey(of table: TableDefinition) -> String? {
        table.primaryKey?.columns.first.flatMap { table.position(of: $0) }.map { table.columns[$0].name }
    }

    /// How a property differs from its column; nil where it does not.
    static func change(
        _ property: Property, from column: ColumnDefinition, _ file: CairnStorage.Schema
    ) -> SchemaChange.Kind? {
        let wanted = newColumn(property)
        let target = target(of: column, file)
        let old = Property(stored: column, target: target).typeText
        if column.kind != wanted.kind || column.collection != wanted.collection || target != wanted.target {
            return .changedType(property, from: old)
        }
        guard column.isNullable != wanted.isNullable else { return nil }
        return wanted.isNullable ? .madeOptional(property, from: old) : .madeRequired(property, from: old)
    }

    private static func target(of column: ColumnDefinition, _ file: CairnStorage.Schema) -> String? {
        column.kind == .link ? column.target.flatMap { file[$0]?.name } : nil
    }

    private static func compareIndex(
        _ property: Property, of name: String, with column: ColumnDefinition, _ table: TableDefinition,
        into result: inout Comparison
    ) {
        let existing = table.indexes.first { !$0.isPrimaryKey && $0.columns == [column.id] }
        let isWanted = property.isIndexed && !property.isPrimaryKey
        if isWanted, existing == nil {
            result.additions.addedIndexes.append((name, property))
        } else if !isWanted, let existing {
            result.additions.removedIndexes.append((name, existing))
        }
    }

    // MARK: What a file has

    /// The classes of a file, under their stored names. Their objects are dynamic ones.
    static func classes(of file: CairnStorage.Schema, as type: AnyClass) -> [ObjectSchema] {
        file.tables.map { table in
            ObjectSchema(
                className: table.name,
                properties: table.columns.filter { !$0.isHidden }.map { property(of: $0, table, file) },
                computedProperties: [], objectClass: type, isEmbedded: table.isEmbedded)
        }
    }

    /// A column as a property of a class.
    static func property(
        of column: ColumnDefinition, _ table: TableDefinition, _ file: CairnStorage.Schema
    ) -> Property {
        let indexes = table.indexes.filter { $0.columns == [column.id] }
        return Property(
            stored: column, target: target(of: column, file), isIndexed: !indexes.isEmpty,
            isPrimaryKey: indexes.contains(where: \.isPrimaryKey))
    }

    // MARK: Applying

    /// Makes what the file lacks. Inside a write.
    static func apply(_ additions: Additions, to session: Session) throws(StorageError) {
        for schema in additions.classes {
            try session.createTable(schema.className, isEmbedded: schema.isEmbedded)
        }
        // Columns afterwards: a link needs the table that it leads to.
        for schema in additions.classes {
            guard let space = session.schema[schema.className]?.space else { continue }
            for property in schema.properties { try add(property, to: space, session) }
        }
        for (name, index) in additions.removedIndexes {
            guard let space = session.schema[name]?.space else { continue }
            try session.removeIndex(index.space, from: space)
        }
        for (name, property) in additions.addedIndexes {
            guard let table = session.schema[name], let position = table.position(named: property.columnName)
            else { continue }
            try session.addIndex(.ordered, on: [table.columns[position].id], of: table.space)
        }
    }

    private static func add(_ property: Property, to space: SpaceID, _ session: Session) throws(StorageError)
    {
        let position = try session.addColumn(newColumn(property), to: space)
        guard property.isIndexed, let column = session.schema[space]?.columns[position].id else { return }
        if property.isPrimaryKey {
            try session.addIndex(.hash, on: [column], of: space, isUnique: true, isPrimaryKey: true)
        } else {
            try session.addIndex(.ordered, on: [column], of: space)
        }
    }

    /// The column that a property is kept in.
    static func newColumn(_ property: Property) -> Session.NewColumn {
        let isNullable = property.isOptional && property.type != .object
        return Session.NewColumn(
            property.columnName, kind(of: property.type), collection: property.isArray ? .list : .none,
            isNullable: isNullable, target: property.isLink ? property.objectClassName : nil,
            defaultValue: isNullable && !property.isArray ? .null : .zero)
    }

    private static func kind(of type: PropertyType) -> ValueKind {
        switch type {
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .data: .binary
        case .date: .date
        case .float: .float
        case .double: .double
        case .object: .link
        case .objectId: .objectId
        case .decimal128: .decimal
        case .UUID: .uuid
        case .linkingObjects, .any:
            preconditionFailure("a property of type \(type) has no column of its own")
        }
    }
}
