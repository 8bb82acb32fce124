/// Deletes rows with all that depends on them: what belongs to them goes too, links to them lead
/// nowhere afterwards, their entries leave the indexes.
///
/// First the closure over owning links is collected, with a visited set and a list of what is left to
/// do instead of recursion. Then row by row the links that lead to it are cut and the row is taken out:
/// links between rows that both go are cut like others, so nothing depends on the order.
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
        for key in keys {
            guard table.contains(key) else { throw Self.missing(table) }
            add(table, key)
        }
        try collectOwned()
        for (table, row) in rows { try table.delete(row) }
    }

    static func missing(_ table: SessionTable) -> StorageError {
        StorageError(.notFound, "A row of \(table.definition.name) that was to be deleted is not there.")
    }

    private mutating func add(_ table: SessionTable, _ row: RowKey) {
        if visited[table.definition.space, default: RowKeySet()].insert(row) { rows.append((table, row)) }
    }

    /// Adds the embedded rows that the rows own.
    private mutating func collectOwned() throws(StorageError) {
        var next = 0
        while next < rows.count {
            let (table, row) = rows[next]
            next += 1
            for position in 0..<table.columnCount where table.facts[position].kind == .link {
                let owned = try table.counterpart(position).table
                guard owned.definition.isEmbedded else { continue }
                for child in try table.targets(of: row, position) where owned.contains(child) {
                    add(owned, child)
                }
            }
        }
    }
}

extension Session {
    /// Deletes rows, the embedded rows they own, and the links that lead to them.
    ///
    /// - Throws: `notFound` where one is not there: then none is deleted.
    /// - Complexity: O(rows and links), and one pass over each long list concerned, at its next use.
    package func delete(_ rows: some Sequence<RowKey>, from table: SessionTable) throws(StorageError) {
        _ = requiredWriter
        try spillIfNeeded()
        var deletion = RowDeletion(self)
        try deletion.run(table, rows)
        try noteDeletion()
    }

    /// Deletes a row.
    package func delete(_ row: RowKey, from table: SessionTable) throws(StorageError) {
        guard !(try table.ownsRows()) else { return try delete(CollectionOfOne(row), from: table) }
        _ = requiredWriter
        try spillIfNeeded()
        guard table.contains(row) else { throw RowDeletion.missing(table) }
        try table.delete(row)
        try noteDeletion()
    }

    private func noteDeletion() throws(StorageError) {
        state.pointee.epoch += 1
        if let damage { throw damage }
    }

    /// Takes back a row that was added and could not be entered into the indexes.
    func deleteUnfinished(_ row: RowKey, of table: SessionTable) throws(StorageError) {
        table.openRow = row
        try delete(row, from: table)
    }
}

extension SessionTable {
    /// Whether a link of the table leads to rows that belong to its own.
    func ownsRows() throws(StorageError) -> Bool {
        for position in 0..<columnCount where facts[position].kind == .link {
            if try counterpart(position).table.definition.isEmbedded { return true }
        }
        return false
    }

    /// The rows that a link or list of links leads to.
    func targets(of row: RowKey, _ position: Int) throws(StorageError) -> [RowKey] {
        if !facts[position].isList { return link(row, position).map { [$0] } ?? [] }
        var result: [RowKey] = []
        try forEachRun(row, position) { run, _ throws(StorageError) in
            run.plainElements?.forEachUnaligned(UInt64.self) { result.append(RowKey($0)) }
        }
        return result
    }

    /// Deletes one row that is there, but not what it owns.
    fileprivate func delete(_ row: RowKey) throws(StorageError) {
        for position in 0..<columnCount where facts[position].kind == .backlinks {
            try cutLinks(to: row, position)
        }
        removeFromIndexes(row)
        for position in 0..<columnCount {
            let facts = facts[position]
            if facts.kind == .link { try removeMirrors(of: row, position) }
            if facts.isList {
                try releaseList(row, position)
            } else if facts.shape == .text {
                releaseLargeText(row, position)
            }
        }
        removeRow(row)
    }

    /// A row that is not finished is in the primary key only, and never will be in the other indexes.
    private func removeFromIndexes(_ row: RowKey) {
        let isFinished = openRow != row
        for index in 0..<indexCount where isFinished || indexFacts[index].isPrimaryKey {
            removeFromIndex(row, index)
        }
        if !isFinished { openRow = nil }
    }

    /// Makes the links that lead to a row lead nowhere, or takes them out of their lists.
    ///
    /// The row's own slot stays as it is, but for what it has elsewhere: nobody will read it.
    private func cutLinks(to row: RowKey, _ position: Int) throws(StorageError) {
        let count = backlinkCount(row, position)
        guard count > 0 else { return }
        let link = try counterpart(position)
        if count == 1, let origin = firstBacklink(row, position) {
            return try link.table.cutLink(origin, link.position, to: row, count: 1)
        }
        let origins = backlinks(row, position)
        let slot = backlinkSlot(row, position)
        let flags = slot.loadUnaligned(fromByteOffset: BacklinkSlot.flags, as: UInt32.self)
        if flags & BacklinkSlot.inOrdered != 0 { clearOrdered(row, position) }
        var first = 0
        while first < origins.count {
            var end = first + 1
            while end < origins.count, origins[end] == origins[first] { end += 1 }
            try link.table.cutLink(origins[first], link.position, to: row, count: end - first)
            first = end
        }
    }

    private func cutLink(_ origin: RowKey, _ position: Int, to row: RowKey, count: Int) throws(StorageError) {
        if facts[position].isList {
            try removeLinks(origin, position, to: row, count: count)
        } else {
            store(origin, position, UInt64(0))
        }
    }

    /// Takes the row's links out of the mirrors of their targets.
    private func removeMirrors(of row: RowKey, _ position: Int) throws(StorageError) {
        if !facts[position].isList {
            guard let target = link(row, position) else { return }
            let mirror = try counterpart(position)
            return mirror.table.removeBacklink(target, mirror.position, from: row)
        }
        let targets = try targets(of: row, position)
        guard !targets.isEmpty else { return }
        let mirror = try counterpart(position)
        for target in targets { mirror.table.removeBacklink(target, mirror.position, from: row) }
    }

    /// Takes a row out of its block. Everything that depends on it is done.
    private func removeRow(_ row: RowKey) {
        let directory = ownDirectory(row.block)
        ChunkView(directory).setBit(row.slot, false)
        if insertBlock == row.block { insertDirectory = directory }
        rowCountNow &-= 1
    }

    /// Gives up what a deleted row's list has in `values`. Its slot stays as it is: nobody reads it.
    func releaseList(_ row: RowKey, _ position: Int) throws(StorageError) {
        let slot = listSlot(row, position)
        guard slot.loadUnaligned(fromByteOffset: ListSlot.flags, as: UInt32.self) & ListSlot.inPieces != 0
        else {
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
                count: Int(slot.loadUnaligned(as: UInt32.self)), limits: session.listLimits,
                source: session.pieceSource)
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
        session.requiredWriter.remove(
            ValueID(slot.loadUnaligned(fromByteOffset: TextSlot.valueID, as: UInt64.self)))
    }
}
