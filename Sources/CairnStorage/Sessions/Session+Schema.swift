/// Changing the schema, inside a write.
extension Session {
    /// A column that is to be made.
    package struct NewColumn {
        package var name: String
        package var kind: ValueKind
        package var collection: CollectionKind
        package var isNullable: Bool
        /// Links: the target table's name.
        package var target: String?
        package var defaultValue: ColumnDefinition.DefaultValue

        package init(
            _ name: String, _ kind: ValueKind, collection: CollectionKind = .none, isNullable: Bool = false,
            target: String? = nil, defaultValue: ColumnDefinition.DefaultValue = .zero
        ) {
            self.name = name
            self.kind = kind
            self.collection = collection
            self.isNullable = isNullable
            self.target = target
            self.defaultValue = defaultValue
        }
    }

    /// Makes a table without columns.
    ///
    /// - Throws: `limitReached` when the file has used up its spaces.
    @discardableResult
    package func createTable(_ name: String, isEmbedded: Bool = false) throws(StorageError) -> SessionTable {
        _ = requiredWriter
        precondition(schema[name] == nil, "there is a table \(name) already")
        var definition = TableDefinition(space: try makeSpace(), name: name)
        definition.isEmbedded = isEmbedded
        schema.append(definition)
        state.pointee.schemaEpoch += 1
        return try table(definition.space)
    }

    private func makeSpace() throws(StorageError) -> SpaceID {
        guard counters.nextSpace <= UInt32(UInt16.max) else {
            throw StorageError(
                .limitReached,
                """
                The file has used up its 65,535 numbers for tables and indexes. Copy its contents into a new file.
                """)
        }
        defer { counters.nextSpace += 1 }
        return SpaceID(UInt16(counters.nextSpace))
    }

    /// Adds a column. Rows that are there have its default; that costs nothing a row.
    ///
    /// A link gets its mirror, a hidden column of the target table.
    ///
    /// - Returns: the column's position.
    /// - Throws: `limitReached` when the table has used up its column numbers.
    @discardableResult
    package func addColumn(_ new: NewColumn, to space: SpaceID) throws(StorageError) -> Int {
        _ = requiredWriter
        let table = try table(space)
        try finishRows()
        precondition(
            table.definition.position(named: new.name) == nil, "there is a column \(new.name) already")
        var column = ColumnDefinition(
            id: try makeColumn(of: table), name: new.name, kind: new.kind, collection: new.collection,
            isNullable: new.isNullable, defaultValue: new.defaultValue)
        if new.kind == .link {
            guard let name = new.target, let target = schema[name] else {
                preconditionFailure("the link \(new.name) leads to no table of the schema")
            }
            column.target = target.space
            column.backlinkColumn = try addMirror(of: column.id, from: space, in: target.space)
        }
        if let fault = column.fault { preconditionFailure("the column \(new.name) \(fault)") }
        var definition = table.definition
        definition.columns.append(column)
        change(table, to: definition)
        guard let position = table.definition.position(of: column.id) else {
            preconditionFailure("a new column is lost")
        }
        return position
    }

    private func addMirror(of link: ColumnID, from origin: SpaceID, in target: SpaceID) throws(StorageError)
        -> ColumnID
    {
        let table = try table(target)
        let mirror = ColumnDefinition(
            id: try makeColumn(of: table), name: "", kind: .backlinks, target: origin, originColumn: link,
            overflowSpace: try makeSpace())
        var definition = table.definition
        definition.columns.append(mirror)
        change(table, to: definition)
        return mirror.id
    }

    private func makeColumn(of table: SessionTable) throws(StorageError) -> ColumnID {
        var definition = table.definition
        guard definition.nextColumn <= UInt32(UInt16.max) else {
            throw StorageError(
                .limitReached, "The table \(definition.name) has used up its 65,535 column numbers.")
        }
        let id = ColumnID(UInt16(definition.nextColumn))
        definition.nextColumn += 1
        change(table, to: definition)
        return id
    }

    /// Drops a column, its indexes and, of a link, its mirror. Its values go when their blocks are
    /// next written.
    package func removeColumn(_ id: ColumnID, from space: SpaceID) throws(StorageError) {
        _ = requiredWriter
        try finishRows()
        let table = try table(space)
        guard let position = table.definition.position(of: id) else {
            throw StorageError(.notFound, "The column to be removed is not there.")
        }
        let column = table.definition.columns[position]
        for index in table.definition.indexes where index.columns.contains(id) {
            try removeIndex(index.space, from: space)
        }
        try releaseValues(of: table, position)
        if column.kind == .link, let target = column.target, let mirror = column.backlinkColumn {
            try removeMirror(mirror, from: target)
        }
        var definition = table.definition
        definition.columns.removeAll { $0.id == id }
        change(table, to: definition)
    }

    /// The large values and long lists of a column go at once: nothing would find them later.
    private func releaseValues(of table: SessionTable, _ position: Int) throws(StorageError) {
        let column = table.definition.columns[position]
        guard column.shape == .text || column.shape == .list else { return }
        if try hasNoSeparateValues(requiredWriter) { return }
        try table.forEachRow { row throws(StorageError) in
            if column.shape == .list {
                try table.releaseList(row, position)
            } else {
                table.releaseLargeText(row, position)
            }
        }
    }

    private func removeMirror(_ mirror: ColumnID, from target: SpaceID) throws(StorageError) {
        let table = try table(target)
        guard let position = table.definition.position(of: mirror) else { return }
        try releaseBacklinks(of: table, position)
        var definition = table.definition
        definition.columns.remove(at: position)
        change(table, to: definition)
    }

    private func releaseBacklinks(of table: SessionTable, _ position: Int) throws(StorageError) {
        guard let space = table.definition.columns[position].overflowSpace else { return }
        if try hasNoSeparateBacklinks(space) { return }
        try table.forEachRow { row throws(StorageError) in
            let slot = table.backlinkSlot(row, position)
            let flags = slot.loadUnaligned(fromByteOffset: BacklinkSlot.flags, as: UInt32.self)
            if flags & BacklinkSlot.inOrdered != 0 { table.clearOrdered(row, position) }
        }
    }

    /// Adds an index and enters every row.
    ///
    /// - Parameters:
    ///   - columns: one for an ordered index; at least one for a hash index.
    ///   - onDuplicate: told of a row whose key another has already, before `duplicateKey` is thrown.
    /// - Returns: the index's place in `definition.indexes`.
    /// - Throws: `duplicateKey` where a unique index would have two rows with one key: the index is
    ///   not made then.
    /// - Complexity: O(rows).
    @discardableResult
    package func addIndex(
        _ kind: IndexDefinition.Kind, on columns: [ColumnID], of space: SpaceID, isUnique: Bool = false,
        isPrimaryKey: Bool = false, onDuplicate: (RowKey) -> Void = { _ in }
    ) throws(StorageError) -> Int {
        _ = requiredWriter
        try finishRows()
        let table = try table(space)
        let index = IndexDefinition(
            space: try makeSpace(), kind: kind, columns: columns, isUnique: isUnique,
            isPrimaryKey: isPrimaryKey)
        let before = table.definition
        var definition = before
        definition.indexes.append(index)
        table.indexStates.append(IndexState(space: index.space))
        change(table, to: definition)
        let place = definition.indexes.count - 1
        do throws(StorageError) {
            try fill(place, of: table, onDuplicate)
        } catch {
            try removeIndex(index.space, from: space)
            throw error
        }
        return place
    }

    private func fill(
        _ index: Int, of table: SessionTable, _ onDuplicate: (RowKey) -> Void
    ) throws(StorageError) {
        let isUnique = table.definition.indexes[index].isUnique
        if table.definition.indexes[index].kind == .hash { table.makeFirstBucket(index) }
        try table.forEachRow { row throws(StorageError) in
            if isUnique {
                let hash = table.hash(ofRow: row, index: index)
                let other = table.find(index: index, hash: hash) { table.haveEqualKeys($0, row, index) }
                guard other == nil else {
                    onDuplicate(row)
                    throw table.duplicate(index)
                }
            }
            table.addToIndex(row, index)
            try self.spillIfNeeded()
        }
    }

    /// Drops an index.
    package func removeIndex(_ index: SpaceID, from space: SpaceID) throws(StorageError) {
        let writer = requiredWriter
        try finishRows()
        let table = try table(space)
        guard let place = table.definition.indexes.firstIndex(where: { $0.space == index }) else {
            throw StorageError(.notFound, "The index to be removed is not there.")
        }
        if table.definition.indexes[place].kind == .ordered {
            try table.forEachRow { row throws(StorageError) in table.removeFromIndex(row, place) }
        }
        writer.removedIndexes.append(
            WriteContext.RemovedIndex(index: table.definition.indexes[place], table: space))
        var definition = table.definition
        definition.indexes.remove(at: place)
        table.indexStates.remove(at: place)
        change(table, to: definition)
    }

    /// Drops a table, its rows and its links. No other table may link to it.
    package func removeTable(_ space: SpaceID) throws(StorageError) {
        _ = requiredWriter
        try finishRows()
        let table = try table(space)
        let isTarget = schema.tables.contains { other in
            other.space != space && other.columns.contains { $0.kind == .link && $0.target == space }
        }
        precondition(!isTarget, "the table \(table.definition.name) is linked to by another")
        for column in table.definition.columns where column.kind == .link {
            try removeColumn(column.id, from: space)
        }
        for index in table.definition.indexes { try removeIndex(index.space, from: space) }
        var rows: [RowKey] = []
        table.forEachRow { rows.append($0) }
        try delete(rows, from: table)
        schema.remove(space)
        setAside(table)
        state.pointee.schemaEpoch += 1
    }

    /// Sets the program's own schema version.
    package func setSchemaVersion(_ version: UInt64) {
        _ = requiredWriter
        counters.schemaVersion = version
    }

    /// The program's own schema version.
    package var schemaVersion: UInt64 { counters.schemaVersion }

    func change(_ table: SessionTable, to definition: TableDefinition) {
        schema.replace(definition)
        table.rebuild(definition)
    }
}
