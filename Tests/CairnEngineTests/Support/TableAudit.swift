import CairnStorage

/// The checks of one table of a closed file, and what of the file it uses.
struct TableAudit {
    let session: Session
    let table: SessionTable
    private var definition: TableDefinition { table.definition }

    func run(_ used: inout RecordUse) throws {
        let rows = try checkRows(&used)
        for (position, column) in definition.columns.enumerated() {
            switch column.shape {
            case .text: for row in rows { try noteText(row, position, &used) }
            case .list: for row in rows { try noteList(row, position, &used) }
            case .backlinks: try checkBacklinks(rows, position, column, &used)
            default: break
            }
        }
        for (place, index) in definition.indexes.enumerated() {
            switch index.kind {
            case .hash:
                used.bucketEntryCounts[index.space] = rows.count
                if index.columns.count == 1 { try checkHash(rows, place) }
            case .ordered:
                if !rows.isEmpty { used.orderedCounts[index.space] = rows.count }
                let found = try table.rows(ordered: place)
                try require(found.sorted() == rows, "\(definition.name): an ordered index has other rows")
            }
        }
    }

    private func checkRows(_ used: inout RecordUse) throws -> [RowKey] {
        var rows: [RowKey] = []
        table.forEachRow { rows.append($0) }
        try require(
            rows.count == table.rowCount,
            "\(definition.name) has \(rows.count) rows and counts \(table.rowCount)")
        try require(rows == rows.sorted(), "\(definition.name): rows out of order")
        var directories = 0
        table.forEachBlock { block, directory in
            directories += 1
            used.chunks.insert(ChunkKey(definition.space, block, .directory))
            for column in directory.columns { used.chunks.insert(ChunkKey(definition.space, block, column)) }
        }
        try require(
            directories == Set(rows.map(\.block)).count, "\(definition.name): a block without rows is kept")
        return rows
    }

    private func slot(_ row: RowKey, _ position: Int) -> UnsafeRawPointer {
        table.chunk(position, row.block) + ChunkLayout.slots + row.slot * 16
    }

    private func noteText(_ row: RowKey, _ position: Int, _ used: inout RecordUse) throws {
        let slot = slot(row, position)
        let count = Int(slot.loadUnaligned(as: UInt32.self))
        try require(table.text(row, position).count == count, "\(definition.name) \(row): a text is missing")
        guard count > TextSlot.heapLimit else { return }
        try used.note(ValueID(slot.loadUnaligned(fromByteOffset: TextSlot.valueID, as: UInt64.self)))
    }

    private func noteList(_ row: RowKey, _ position: Int, _ used: inout RecordUse) throws {
        let slot = slot(row, position)
        guard slot.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self) & ListSlot.inPieces != 0
        else {
            return
        }
        let directory = ValueID(slot.loadUnaligned(fromByteOffset: ListSlot.valueID, as: UInt64.self))
        try used.note(directory)
        used.listDirectories.insert(directory)
    }

    /// Each row is found by its own key.
    private func checkHash(_ rows: [RowKey], _ place: Int) throws {
        guard let position = definition.position(of: definition.indexes[place].columns[0]) else {
            throw ModelFailure("\(definition.name): an index without its column")
        }
        for row in rows {
            let key = try table.cell(row, position).valueBytes
            let found = try key.withOptionalBytes { bytes throws(StorageError) in
                try table.rows(index: place, key: bytes)
            }
            try require(found.contains(row), "\(definition.name) \(row) is not in its hash index")
            try require(
                !definition.indexes[place].isUnique || found == [row],
                "\(definition.name): a key is there twice")
        }
    }

    /// The mirror holds exactly the links, and the links lead to rows.
    private func checkBacklinks(
        _ rows: [RowKey], _ position: Int, _ column: ColumnDefinition, _ used: inout RecordUse
    ) throws {
        guard let space = column.target, let link = column.originColumn, let overflow = column.overflowSpace
        else {
            throw ModelFailure("\(definition.name): backlinks of nothing")
        }
        let origins = try session.table(space)
        guard let linkPosition = origins.definition.position(of: link) else {
            throw ModelFailure("\(definition.name): backlinks of a column that is gone")
        }
        var wanted: [RowKey: [RowKey]] = [:]
        var failure: (any Error)?
        origins.forEachRow { origin in
            do {
                for target in try origins.cell(origin, linkPosition).targets {
                    wanted[target, default: []].append(origin)
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        let live = Set(rows)
        for (target, from) in wanted where !live.contains(target) {
            throw ModelFailure("\(origins.definition.name) \(from) links to \(target), which is gone")
        }
        var entryCount = 0
        for row in rows {
            let expected = wanted[row] ?? []
            try require(
                table.backlinkCount(row, position) == expected.count
                    && table.backlinks(row, position) == expected,
                "\(definition.name) \(row): backlinks \(table.backlinks(row, position)), wanted \(expected)")
            let flags = slot(row, position).loadUnaligned(fromByteOffset: BacklinkSlot.flags, as: UInt32.self)
            if flags & BacklinkSlot.inOrdered != 0 { entryCount += Set(expected).count }
        }
        if entryCount > 0 { used.orderedCounts[overflow] = entryCount }
    }
}
