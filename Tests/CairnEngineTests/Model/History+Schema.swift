import CairnStorage

/// Steps that change the schema, and the schema that every history begins with.
extension History {
    private static let valueKinds = ValueKind.allCases.filter { $0 != .link && $0 != .backlinks }

    /// Every kind, nullable and not, as a value and as a list; keys; links of every sort; an embedded table.
    func makeFirstSchema() throws {
        let all = try makeTable("All")
        for kind in Self.valueKinds {
            for isNullable in [false, true] { try addColumn(all, kind, isNullable: isNullable) }
        }
        for column in model[all].columns where column.hasOrder && chance.isOne(in: 3) {
            try addIndex(.ordered, [column], all)
        }
        for kind in [ValueKind.string, .int] {
            guard let column = anyColumn(all, where: { $0.kind == kind }) else { continue }
            try addIndex(.hash, [column], all)
        }
        let lists = try makeTable("Lists")
        for kind in Self.valueKinds {
            for isNullable in [false, true] {
                try addColumn(lists, kind, isNullable: isNullable, isList: true)
            }
        }
        let keyed = try makeTable("Keyed")
        let keyKind = [ValueKind.int, .string, .objectId, .uuid, .binary][chance.number(0..<5)]
        try addColumn(keyed, keyKind, isNullable: chance.isOne(in: 2))
        try addIndex(.hash, [model[keyed].columns[0]], keyed, isUnique: true, isPrimaryKey: true)
        try addColumn(keyed, .int, isNullable: true)
        try addColumn(keyed, .string, isNullable: false)
        try addIndex(.hash, Array(model[keyed].columns[1...2]), keyed, isUnique: true)
        let part = try makeTable("Part", isEmbedded: true)
        try addColumn(part, .string, isNullable: true)
        try addIndex(.hash, [model[part].columns[0]], part)
        for target in [all, keyed, part] {
            for isList in [false, true] { try addLink(keyed, to: target, isList: isList) }
        }
        try addLink(lists, to: keyed, isList: true)
        try addLink(part, to: part, isList: true)
        try addLink(part, to: keyed, isList: false)
    }

    func changeSchema() throws {
        switch chance.number(0..<19) {
        case 14:
            model.schemaVersion = UInt64(chance.number(1..<1_000))
            note("set the schema version \(model.schemaVersion)")
            session.setSchemaVersion(model.schemaVersion)
        case 15: try renameAnyColumn()
        case 16: try makeAnyColumnNullable()
        case 17, 18: try makeAnyColumnRequired()
        case 0...3:
            guard let space = anyTable(where: { $0.columns.count < 30 }) else { return }
            let kind = Self.valueKinds[chance.number(0..<Self.valueKinds.count)]
            try addColumn(
                space, kind, isNullable: chance.isOne(in: 2), isList: chance.isOne(in: 4), hasDefault: true)
        case 4, 5:
            guard let space = anyTable(where: { $0.columns.count < 30 }), let target = anyTable() else {
                return
            }
            try addLink(space, to: target, isList: chance.isOne(in: 2))
        case 6, 7: try removeAnyColumn()
        case 8, 9: try addAnyIndex()
        case 10: try removeAnyIndex()
        case 11, 12:
            let space = try makeTable("Table \(nameCount)", isEmbedded: chance.isOne(in: 4))
            try addColumn(space, .string, isNullable: false)
        default: try removeAnyTable()
        }
    }

    // MARK: Columns

    private func addColumn(
        _ space: SpaceID, _ kind: ValueKind, isNullable: Bool, isList: Bool = false, hasDefault: Bool = false
    ) throws {
        var new = Session.NewColumn(
            "\(kind)\(isNullable ? "?" : "")\(isList ? "s" : "") \(nextName())", kind,
            collection: isList ? .list : .none,
            isNullable: isNullable)
        if hasDefault, !isList { new.defaultValue = defaultValue(kind, isNullable: isNullable) }
        try add(new, to: space)
    }

    private func defaultValue(_ kind: ValueKind, isNullable: Bool) -> ColumnDefinition.DefaultValue {
        if isNullable && chance.isOne(in: 3) { return .null }
        let bytes = chance.bytes(of: kind)
        return bytes.isEmpty || bytes.count > TextSlot.heapLimit ? .zero : .bytes(bytes)
    }

    private func addLink(_ space: SpaceID, to target: SpaceID, isList: Bool) throws {
        try add(
            Session.NewColumn(
                "link\(isList ? "s" : "") \(nextName())", .link, collection: isList ? .list : .none,
                target: model[target].name), to: space)
    }

    private func add(_ new: Session.NewColumn, to space: SpaceID) throws {
        note("add the column \(new.name) to \(model[space].name), default \(new.defaultValue)")
        let position = try session.addColumn(new, to: space)
        model[space].add(ModelColumn(try session.table(space).definition.columns[position]))
    }

    private func removeAnyColumn() throws {
        guard let space = anyTable(where: { $0.columns.count > 2 }),
            let column = anyColumn(space, where: { _ in true })
        else { return }
        note("remove the column \(column.name) of \(model[space].name)")
        try session.removeColumn(column.id, from: space)
        model[space].remove(column)
    }

    private func renameAnyColumn() throws {
        guard let space = anyTable(), let column = anyColumn(space, where: { _ in true }) else { return }
        let name = "renamed \(nextName())"
        note("rename the column \(column.name) of \(model[space].name) to \(name)")
        try session.renameColumn(column.id, to: name, in: space)
        try takeOver(column, space)
    }

    private func makeAnyColumnNullable() throws {
        guard let space = anyTable(), let column = anyColumn(space, where: { $0.isValue && !$0.isNullable })
        else { return }
        note("make the column \(column.name) of \(model[space].name) nullable")
        try session.makeNullable(column.id, of: space)
        try takeOver(column, space)
    }

    private func makeAnyColumnRequired() throws {
        guard let space = anyTable() else { return }
        let unique = Set(model[space].indexes.filter(\.isUnique).flatMap(\.columns))
        guard
            let column = anyColumn(
                space, where: { $0.isValue && $0.isNullable && !unique.contains($0.id) })
        else { return }
        let value = chance.bytes(of: column.kind)
        note("make the column \(column.name) of \(model[space].name) required")
        let count = try session.makeRequired(column.id, of: space, replacingNullBy: { value })
        let nullRows = model[space].keys.filter { model[space].cell($0, column) == .value(nil) }
        try require(count == nullRows.count, "\(count) rows were null and not \(nullRows.count)")
        for row in nullRows { model[space].set(row, column, .value(value)) }
        try takeOver(column, space)
    }

    /// The model's column becomes what the session says that it is: comparing its values is for later.
    private func takeOver(_ column: ModelColumn, _ space: SpaceID) throws {
        let table = try session.table(space)
        model[space].replace(column, by: ModelColumn(table.definition.columns[try position(column, table)]))
    }

    // MARK: Indexes

    private func addAnyIndex() throws {
        guard let space = anyTable(where: { $0.indexes.count < 12 }) else { return }
        if chance.isOne(in: 2) {
            guard let column = anyColumn(space, where: \.hasOrder) else { return }
            return try addIndex(.ordered, [column], space)
        }
        let columns = model[space].columns.filter(\.isValue).shuffled(using: &chance.chance)
        guard let first = columns.first else { return }
        let isKey = model[space].primaryKey == nil && chance.isOne(in: 6)
        let count = isKey || chance.isOne(in: 2) ? 1 : min(2, columns.count)
        let isUnique = isKey || chance.isOne(in: 3)
        try addIndex(
            .hash, count == 1 ? [first] : Array(columns[..<2]), space, isUnique: isUnique, isPrimaryKey: isKey
        )
    }

    private func addIndex(
        _ kind: IndexDefinition.Kind, _ columns: [ModelColumn], _ space: SpaceID, isUnique: Bool = false,
        isPrimaryKey: Bool = false
    ) throws {
        note("add the \(kind) index on \(columns.map(\.name)) of \(model[space].name) (unique: \(isUnique))")
        let isRefused = isUnique && model[space].hasDuplicates(columns.map(\.id))
        try expect(isRefused ? .duplicateKey : nil, "a unique index over equal keys") {
            let place = try session.addIndex(
                kind, on: columns.map(\.id), of: space, isUnique: isUnique, isPrimaryKey: isPrimaryKey)
            model[space].add(try session.table(space).definition.indexes[place])
        }
    }

    private func removeAnyIndex() throws {
        guard let space = anyTable(where: { !$0.indexes.isEmpty }),
            let index = model[space].indexes.randomElement(using: &chance.chance)
        else { return }
        note("remove the index on \(index.columns) of \(model[space].name)")
        try session.removeIndex(index.space, from: space)
        model[space].remove(index)
    }

    // MARK: Tables

    private func nextName() -> Int {
        nameCount += 1
        return nameCount
    }

    private func makeTable(_ name: String, isEmbedded: Bool = false) throws -> SpaceID {
        nameCount += 1
        note("make the table \(name)")
        let table = try session.createTable(name, isEmbedded: isEmbedded)
        model.add(ModelTable(space: table.definition.space, name: name, isEmbedded: isEmbedded))
        return table.definition.space
    }

    private func removeAnyTable() throws {
        let space = anyTable { table in
            model.links(to: table.space).allSatisfy { $0.origin == table.space }
        }
        guard let space else { return }
        note("remove the table \(model[space].name)")
        try session.removeTable(space)
        model.remove(space)
    }
}
