internal import CairnLMDB

/// Changing columns that are there, inside a write.
extension Session {
    /// Gives a column another name.
    ///
    /// - Precondition: no column of the table has the name.
    /// - Complexity: O(1) a row.
    package func renameColumn(_ id: ColumnID, to name: String, in space: SpaceID) throws(StorageError) {
        _ = requiredWriter
        try finishRows()
        let table = try table(space)
        let position = try position(of: id, in: table)
        precondition(
            table.definition.position(named: name) == nil, "there is a column \(name) already")
        var definition = table.definition
        definition.columns[position].name = name
        change(table, to: definition)
    }

    /// Lets a column hold null. Its values stay; that costs nothing a row.
    ///
    /// - Precondition: the column is no collection, whose elements are stored in another way where they
    ///   may be null, and no link.
    package func makeNullable(_ id: ColumnID, of space: SpaceID) throws(StorageError) {
        _ = requiredWriter
        try finishRows()
        let table = try table(space)
        let position = try position(of: id, in: table)
        var definition = table.definition
        precondition(definition.columns[position].collection == .none, "a collection was made nullable")
        definition.columns[position].isNullable = true
        change(table, to: definition)
    }

    /// Keeps a column from holding null. Values stay; null becomes a value.
    ///
    /// - Parameter value: gives the stored bytes that take the place of null, asked for each such row.
    /// - Returns: the number of rows that were null.
    /// - Precondition: the column is no collection, and no unique index covers it.
    /// - Complexity: O(rows).
    package func makeRequired(
        _ id: ColumnID, of space: SpaceID, replacingNullBy value: () -> [UInt8]
    ) throws(StorageError) -> Int {
        _ = requiredWriter
        try finishRows()
        let table = try table(space)
        let position = try position(of: id, in: table)
        let column = table.definition.columns[position]
        precondition(column.collection == .none, "a collection was made required")
        var count = 0
        try table.forEachRow { row throws(StorageError) in
            guard table.isNull(row, position) else { return }
            count += 1
            try value().withBytes { bytes throws(StorageError) in
                try table.setStoredBytes(bytes, row, position)
            }
        }
        var definition = table.definition
        definition.columns[position].isNullable = false
        // Every row that had the old default has a value of its own by now.
        if column.defaultValue == .null { definition.columns[position].defaultValue = .zero }
        change(table, to: definition)
        return count
    }

    private func position(of id: ColumnID, in table: SessionTable) throws(StorageError) -> Int {
        guard let position = table.definition.position(of: id) else {
            throw StorageError(.notFound, "The column to be changed is not there.")
        }
        return position
    }

    /// Whether the file and this write have no record of a large value or long list: then none has to be
    /// looked for when a column goes.
    func hasNoSeparateValues(_ writer: WriteContext) throws(StorageError) -> Bool {
        guard writer.longLists.isEmpty, writer.spilledValues.isEmpty,
            writer.layers.allSatisfy({ $0.addedValues.isEmpty })
        else { return false }
        return try snapshot.withTransaction { transaction throws(StorageError) in
            do throws(LMDBError) {
                return try transaction.statistics(self.snapshot.contents.values).entryCount == 0
            } catch {
                throw self.snapshot.contents.failure(error, .reading)
            }
        }
    }

    /// Whether no row of a mirror has so many links that they are kept apart.
    func hasNoSeparateBacklinks(_ space: SpaceID) throws(StorageError) -> Bool {
        try withOrderedCursor(within: .all(space, .backlinks), .ascending) { cursor throws(StorageError) in
            try cursor.next() == nil
        }
    }
}

extension SessionTable {
    /// Sets any value but a link or collection from its stored bytes.
    ///
    /// - Parameter bytes: nil for null.
    /// - Throws: what `setText` throws.
    package func setStoredBytes(
        _ bytes: UnsafeRawBufferPointer?, _ row: RowKey, _ position: Int
    ) throws(StorageError) {
        guard let bytes else { return try setNull(row, position) }
        switch facts[position].shape {
        case .text: try setText(row, position, bytes)
        case .bits: try setBool(row, position, bytes[0] != 0)
        default: try setBytes(row, position, bytes)
        }
    }
}
