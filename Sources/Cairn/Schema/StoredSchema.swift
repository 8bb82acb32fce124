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
        /// What only a migration can bring together, a line each.
        var mismatches: [String] = []
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
        for property in schema.properties {
            guard let position = table.position(named: property.columnName) else {
                result.mismatches.append("- Property '\(name).\(property.columnName)' has been added.")
                continue
            }
            let column = table.columns[position]
            compare(property, of: name, with: column, file, into: &result)
            compareIndex(property, of: name, with: column, table, into: &result)
        }
        let wanted = Set(schema.properties.map(\.columnName))
        for column in table.columns where !column.isHidden && !wanted.contains(column.name) {
            result.mismatches.append("- Property '\(name).\(column.name)' has been removed.")
        }
        compareKeys(schema, table, into: &result)
        if schema.isEmbedded != table.isEmbedded {
            let kind = schema.isEmbedded ? "embedded" : "top-level"
            result.mismatches.append("- Class '\(name)' has been changed to \(kind).")
        }
    }

    private static func compareKeys(
        _ schema: ObjectSchema, _ table: TableDefinition, into result: inout Comparison
    ) {
        let name = schema.className
        let stored = table.primaryKey?.columns.first.flatMap { table.position(of: $0) }.map {
            table.columns[$0].name
        }
        switch (stored, schema.primaryKeyProperty?.columnName) {
        case (let old?, let new?) where old != new:
            result.mismatches.append(
                "- Primary key for class '\(name)' has been changed from '\(old)' to '\(new)'.")
        case (let old?, nil):
            result.mismatches.append("- Primary key '\(name).\(old)' has been removed.")
        case (nil, let new?):
            result.mismatches.append("- Primary key '\(name).\(new)' has been added.")
        default: break
        }
    }

    private static func compare(
        _ property: Property, of name: String, with column: ColumnDefinition, _ file: CairnStorage.Schema,
        into result: inout Comparison
    ) {
        let wanted = newColumn(property)
        let target = column.kind == .link ? column.target.flatMap { file[$0]?.name } : nil
        let storedType = text(column, target: target)
        if column.kind != wanted.kind || column.collection != wanted.collection || target != wanted.target {
            result.mismatches.append(
                "- Property '\(name).\(property.columnName)' has been changed from '\(storedType)' to '\(property.typeText)'."
            )
        } else if column.isNullable != wanted.isNullable {
            let change = wanted.isNullable ? "optional" : "required"
            result.mismatches.append(
                "- Property '\(name).\(property.columnName)' has been made \(change) ('\(storedType)' to '\(property.typeText)')."
            )
        }
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

    private static func text(_ column: ColumnDefinition, target: String?) -> String {
        let type: PropertyType =
            switch column.kind {
            case .bool: .bool
            case .int: .int
            case .float: .float
            case .double: .double
            case .date: .date
            case .string: .string
            case .binary: .data
            case .objectId: .objectId
            case .uuid: .UUID
            case .decimal: .decimal128
            case .link, .backlinks: .object
            }
        let isOptional = column.isNullable || (type == .object && column.collection == .none)
        return Property(
            name: column.name, columnName: column.name, type: type, isArray: column.collection == .list,
            isOptional: isOptional, objectClassName: target
        ).typeText
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
