internal import CairnStorage

extension SchemaUpgrade {
    /// Gives the values of an old property to another one.
    ///
    /// Names may be exchanged by way of a third: whether each has found its property is looked at in
    /// `renamingFault`, when the block has ended.
    ///
    /// - Parameters:
    ///   - old: the stored name in the file, or what it was renamed to.
    ///   - new: a name in the program, or a stored one.
    /// - Throws: `misuse` that names the class and the property.
    func rename(_ ordinal: Int, from old: String, to new: String) throws {
        let schema = models[ordinal].schema
        let space = classes[ordinal].space
        guard let id = classes[ordinal].oldColumns[old] else { throw missing(old, ordinal) }
        let property = schema.properties.first { $0.columnName == new || $0.name == new }
        let name = property?.columnName ?? new
        guard name != old else { return }
        if let property { try check(id, fits: property, ordinal, renamed: old) }
        // What has the name by now: a new column, or an old one that this one replaces.
        if let position = engine.schema[space]?.position(named: name),
            let taken = engine.schema[space]?.columns[position].id
        {
            change(ordinal) { upgrade in
                if upgrade.oldColumns[name] == taken { upgrade.oldColumns[name] = nil }
            }
            try engine.removeColumn(taken, from: space)
        }
        let wasParked = engine.schema[space]?.position(named: old).map {
            engine.schema[space]?.columns[$0].id != id
        }
        try engine.renameColumn(id, to: name, in: space)
        change(ordinal) { upgrade in
            upgrade.oldColumns[old] = nil
            upgrade.oldColumns[name] = id
            upgrade.renamed.insert(id)
            upgrade.vacated.remove(name)
        }
        if let vacated = schema.properties.first(where: { $0.columnName == old }), wasParked == false {
            try engine.addColumn(StoredSchema.newColumn(vacated), to: space)
            change(ordinal) { $0.vacated.insert(old) }
        }
        if let property { try widen(id, to: property, ordinal) }
    }

    private func missing(_ old: String, _ ordinal: Int) -> RealmError {
        let name = models[ordinal].schema.className
        let known = classes[ordinal].oldColumns.keys.sorted().joined(separator: ", ")
        return RealmError(
            .misuse,
            "Cannot rename '\(name).\(old)': the file has no such property. It has: \(known).",
            className: name, propertyName: old)
    }

    private func column(_ id: ColumnID, _ ordinal: Int) -> ColumnDefinition? {
        engine.schema[classes[ordinal].space]?.columns.first { $0.id == id }
    }

    private func check(
        _ id: ColumnID, fits property: Property, _ ordinal: Int, renamed old: String
    ) throws(RealmError) {
        guard let column = column(id, ordinal) else { return }
        let name = models[ordinal].schema.className
        let why: String
        switch StoredSchema.change(property, from: column, engine.schema) {
        case .changedType(_, let from): why = "its type is '\(from)' and not '\(property.typeText)'"
        case .madeRequired(_, let from): why = "it is optional ('\(from)') and the new one required"
        default: return
        }
        throw RealmError(
            .misuse,
            """
            Cannot rename '\(name).\(old)' to '\(property.name)': \(why). Copy the values with \
            enumerateObjects(ofType: "\(name)").
            """, className: name, propertyName: old)
    }

    /// Lets a renamed column hold nil where its property may.
    private func widen(_ id: ColumnID, to property: Property, _ ordinal: Int) throws {
        let space = classes[ordinal].space
        guard let column = column(id, ordinal), property.isOptional, !column.isNullable, !property.isLink
        else { return }
        guard property.isArray else { return try engine.makeNullable(id, of: space) }
        _ = try convertList(column, to: property, space)
        if let position = engine.schema[space]?.position(named: property.columnName),
            let new = engine.schema[space]?.columns[position].id
        {
            change(ordinal) { upgrade in
                upgrade.oldColumns[property.columnName] = new
                upgrade.renamed.insert(new)
                upgrade.renamed.remove(id)
            }
        }
    }

    /// What is wrong with the names in the end: a property was renamed to one that the class has not, or away
    /// from one that it still has.
    var renamingFault: RealmError? {
        for (ordinal, upgrade) in classes.enumerated() {
            let schema = models[ordinal].schema
            if let name = upgrade.vacated.sorted().first {
                return RealmError(
                    .misuse,
                    """
                    Cannot rename '\(schema.className).\(name)': the class still has this property. Remove it from \
                    the class, or rename another to it.
                    """, className: schema.className, propertyName: name)
            }
            let wanted = Set(schema.properties.map(\.columnName))
            for column in engine.schema[upgrade.space]?.columns ?? []
            where upgrade.renamed.contains(column.id) && !wanted.contains(column.name) {
                let known = schema.properties.map(\.name).joined(separator: ", ")
                return RealmError(
                    .misuse,
                    """
                    Cannot rename a property of '\(schema.className)' to '\(column.name)': the class has no such \
                    property. It has: \(known).
                    """, className: schema.className, propertyName: column.name)
            }
        }
        return nil
    }
}
