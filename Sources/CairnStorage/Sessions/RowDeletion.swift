/// Deletes rows with all that depends on it: what belongs to them goes too, links to them lead
/// nowhere afterwards, their entries leave the indexes.
///
/// In this order: first the closure over owning links is collected, with a visited set and a list of
/// what is left to do instead of recursion; then the links from rows that stay are cut; then the rows
/// are taken out.
struct RowDeletion {
    private let session: Session
    /// What is to go, in the order in which it was found.
    private var rows: [(table: SessionTable, row: RowKey)] = []
    private var visited: [SpaceID: RowKeySet] = [:]

    init(_ session: Session) {
        self.session = session
    }

    /// - Throws: `notFound` for a row that is not there; what reading throws.
    mutating func run(_ table: SessionTable, _ keys: some Sequence<RowKey>) throws(StorageError) {
        try session.spillIfNeeded()
        for key in keys {
            guard table.contains(key) else {
                throw StorageError(.notFound, "A row of \(table.definition.name) that was to be deleted is not there.")
            }
            add(table, key)
        }
        let isSimple = !table.definition.columns.contains { $0.holdsLinks || $0.kind == .backlinks }
        if !isSimple { try collectOwned() }
        if !isSimple { for (table, row) in rows { try cutLinks(to: row, of: table) } }
        for (table, row) in rows { try remove(row, of: table) }
        if !rows.isEmpty { session.state.pointee.epoch += 1 }
        if let damage = session.damage { throw damage }
    }

    private mutating func add(_ table: SessionTable, _ row: RowKey) {
        if visited[table.definition.space, default: RowKeySet()].insert(row) { rows.append((table, row)) }
    }

    private func isGoing(_ space: SpaceID, _ row: RowKey) -> Bool {
        visited[space]?.contains(row) ?? false
    }

    /// Adds the embedded rows that the rows own.
    private mutating func collectOwned() throws(StorageError) {
        var next = 0
        while next < rows.count {
            let (table, row) = rows[next]
            next += 1
            for (position, column) in table.definition.columns.enumerated() where column.holdsLinks {
                guard let target = column.target, session.schema[target]?.isEmbedded == true else { continue }
                let owned = try session.table(target)
                for child in try targets(of: row, position, in: table) where owned.contains(child) {
                    add(owned, child)
                }
            }
        }
    }

    private func targets(of row: RowKey, _ position: Int, in table: SessionTable) throws(StorageError) -> [RowKey] {
        if table.definition.columns[position].collection == .none {
            return table.link(row, position).map { [$0] } ?? []
        }
        var result: [RowKey] = []
        try table.forEachRun(row, position) { run, _ throws(StorageError) in
            run.plainElements?.forEachUnaligned(UInt64.self) { result.append(RowKey($0)) }
        }
        return result
    }

    /// Makes the links from rows that stay lead nowhere, or takes them out of their lists.
    private func cutLinks(to row: RowKey, of table: SessionTable) throws(StorageError) {
        for (position, column) in table.definition.columns.enumerated() where column.kind == .backlinks {
            guard table.backlinkCount(row, position) > 0, let originSpace = column.target,
                let originColumn = column.originColumn
            else { continue }
            let origins = try session.table(originSpace)
            guard let originPosition = origins.definition.position(of: originColumn) else { continue }
            let isList = origins.definition.columns[originPosition].collection == .list
            var counted: (origin: RowKey, count: Int)?
            for origin in table.backlinks(row, position) where !isGoing(originSpace, origin) {
                if let known = counted, known.origin == origin {
                    counted?.count += 1
                    continue
                }
                if let known = counted { try cut(known, isList, origins, originPosition, to: row) }
                counted = (origin, 1)
            }
            if let known = counted { try cut(known, isList, origins, originPosition, to: row) }
        }
    }

    private func cut(
        _ link: (origin: RowKey, count: Int), _ isList: Bool, _ origins: SessionTable, _ position: Int, to row: RowKey
    ) throws(StorageError) {
        if isList {
            try origins.removeLinks(link.origin, position, to: row, count: link.count)
        } else {
            origins.clearLink(link.origin, position)
        }
    }

    private func remove(_ row: RowKey, of table: SessionTable) throws(StorageError) {
        removeFromIndexes(row, table)
        for (position, column) in table.definition.columns.enumerated() {
            if column.holdsLinks {
                try removeMirrors(of: row, position, in: table)
            } else if column.kind == .backlinks {
                releaseBacklinks(row, position, table)
            }
            if column.collection == .list {
                try table.releaseList(row, position)
            } else if column.shape == .text {
                table.releaseLargeText(row, position)
            }
        }
        table.removeRow(row)
    }

    /// A row that is not finished is in the primary key only, and never will be in the other indexes.
    private func removeFromIndexes(_ row: RowKey, _ table: SessionTable) {
        let isFinished = table.openRow != row
        for index in table.definition.indexes.indices
        where isFinished || table.definition.indexes[index].isPrimaryKey {
            table.removeFromIndex(row, index)
        }
        if !isFinished { table.openRow = nil }
    }

    /// Takes the row's links out of the mirrors of targets that stay.
    private func removeMirrors(of row: RowKey, _ position: Int, in table: SessionTable) throws(StorageError) {
        guard let target = table.definition.columns[position].target else { return }
        if table.definition.columns[position].collection == .none {
            guard let only = table.link(row, position), !isGoing(target, only) else { return }
            let mirror = try table.mirror(position)
            mirror.table.removeBacklink(only, mirror.position, from: row)
            return
        }
        let targets = try targets(of: row, position, in: table)
        guard !targets.isEmpty else { return }
        let mirror = try table.mirror(position)
        for target in targets where !isGoing(mirror.table.definition.space, target) {
            mirror.table.removeBacklink(target, mirror.position, from: row)
        }
    }

    private func releaseBacklinks(_ row: RowKey, _ position: Int, _ table: SessionTable) {
        let slot = table.backlinkSlot(row, position)
        let flags = slot.loadUnaligned(fromByteOffset: BacklinkSlot.flags, as: UInt32.self)
        if flags & BacklinkSlot.inOrdered != 0 { table.clearOrdered(row, position) }
    }
}

extension Session {
    /// Deletes rows, the embedded rows they own, and the links that lead to them.
    ///
    /// - Throws: `notFound` where one is not there: then none is deleted.
    /// - Complexity: O(rows and links), and one pass over each long list concerned, at its next use.
    package func delete(_ rows: some Sequence<RowKey>, from table: SessionTable) throws(StorageError) {
        var deletion = RowDeletion(self)
        try deletion.run(table, rows)
    }

    /// Deletes a row.
    package func delete(_ row: RowKey, from table: SessionTable) throws(StorageError) {
        try delete(CollectionOfOne(row), from: table)
    }

    /// Takes back a row that was added and could not be entered into the indexes.
    func deleteUnfinished(_ row: RowKey, of table: SessionTable) throws(StorageError) {
        table.openRow = row
        try delete(row, from: table)
    }
}

extension SessionTable {
    /// Takes a row out of its block. Everything that depends on it is done.
    func removeRow(_ row: RowKey) {
        let directory = ownDirectory(row.block)
        ChunkView(directory).setBit(row.slot, false)
        if insertBlock == row.block { insertDirectory = directory }
        rowCountNow &-= 1
    }

    /// Gives up what a deleted row's list has in `values`. Its slot stays as it is: nobody reads it.
    func releaseList(_ row: RowKey, _ position: Int) throws(StorageError) {
        let slot = listSlot(row, position)
        guard slot.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self) & ListSlot.inPieces != 0 else {
            return
        }
        let writer = session.requiredWriter
        let place = listPlace(row, position)
        writer.pendingRemovals[place] = nil
        let id = slot.loadUnaligned(fromByteOffset: ListSlot.valueID, as: UInt64.self)
        var list: LongList
        if let known = writer.longLists.removeValue(forKey: place) {
            list = known
        } else {
            list = try LongList(
                layout: listLayout(position), directory: ValueID(id),
                count: Int(slot.loadUnaligned(as: UInt32.self)), limits: session.listLimits, source: session.pieceSource)
        }
        try list.removeAll()
        _ = try list.flush(
            newID: { () throws(StorageError) in try writer.makeValueID() },
            write: { _, _ throws(StorageError) in },
            remove: { id throws(StorageError) in writer.remove(id) })
    }

    /// Gives up what a deleted row's text has in `values`.
    func releaseLargeText(_ row: RowKey, _ position: Int) {
        let slot = chunk(position, row.block) + ChunkLayout.slots + row.slot * 16
        guard slot.loadUnaligned(as: UInt32.self) > UInt32(TextSlot.heapLimit) else { return }
        session.requiredWriter.remove(ValueID(slot.loadUnaligned(fromByteOffset: TextSlot.valueID, as: UInt64.self)))
    }
}
