internal import CairnLMDB

/// Keeping the indexes in step with the values.
extension SessionTable {
    /// Sets the value of an indexed column, and its entries in the indexes.
    ///
    /// - Throws: `duplicateKey` where a unique index has the key already; then nothing is changed.
    @usableFromInline @inline(never)
    func setIndexed(_ row: RowKey, _ position: Int, _ bytes: UnsafeRawBufferPointer?) throws(StorageError) {
        let id = facts[position].id
        // The bytes may lie in the column that is about to change.
        let copy = bytes.map(Array.init)
        _ = try ownChunkWithRoom(position, row.block)
        let concerned = definition.indexes.indices.filter { definition.indexes[$0].columns.contains(id) }
        // A row that was just added is in the primary key only; the others are entered when it is finished.
        let entered = concerned.filter { openRow != row || definition.indexes[$0].isPrimaryKey }
        try checkUnique(row, position, copy, entered)
        for index in entered { removeFromIndex(row, index) }
        try storeAny(row, position, copy)
        for index in entered { addToIndex(row, index) }
    }

    private func storeAny(_ row: RowKey, _ position: Int, _ value: [UInt8]?) throws(StorageError) {
        guard let value else { return storeBytes(row, position, nil) }
        try value.withBytes { bytes throws(StorageError) in
            if facts[position].shape == .text {
                try storeText(row, position, bytes)
            } else {
                storeBytes(row, position, bytes)
            }
        }
    }

    private func checkUnique(
        _ row: RowKey, _ position: Int, _ value: [UInt8]?, _ indexes: [Int]
    ) throws(StorageError) {
        for index in indexes where definition.indexes[index].isUnique {
            let positions = indexPositions(index)
            var parts = positions.map { part in storedBytes(row, part).map(Array.init) }
            for (offset, part) in positions.enumerated() where part == position { parts[offset] = value }
            let other = find(index: index, hash: hash(ofParts: parts)) { candidate in
                zip(positions, parts).allSatisfy { position, part in
                    let stored = self.storedBytes(candidate, position)
                    guard let part else { return stored == nil }
                    return part.withUnsafeBytes { StoredBytes.areEqual(stored, $0) }
                }
            }
            if let other, other != row { throw duplicate(index) }
        }
    }

    private func hash(ofParts parts: [[UInt8]?]) -> UInt64 {
        var result: UInt64 = 0
        for (offset, part) in parts.enumerated() {
            let next = part.map { part in part.withUnsafeBytes { hash(ofValue: $0) } } ?? hash(ofValue: nil)
            result = chain(result, next, isFirst: offset == 0)
        }
        return result
    }

    /// Enters the row that was added last into the indexes that do not have it yet.
    ///
    /// - Throws: `duplicateKey` where a unique index has its key already. The row is deleted then.
    package func finishRow() throws(StorageError) {
        guard let row = openRow else { return }
        openRow = nil
        for index in 0..<indexCount where indexFacts[index].isUnique && !indexFacts[index].isPrimaryKey {
            let hash = hash(ofRow: row, index: index)
            guard find(index: index, hash: hash, where: { self.haveEqualKeys($0, row, index) }) == nil else {
                try session.deleteUnfinished(row, of: self)
                throw duplicate(index)
            }
        }
        for index in 0..<indexCount where !indexFacts[index].isPrimaryKey { addToIndex(row, index) }
    }

    func haveEqualKeys(_ left: RowKey, _ right: RowKey, _ index: Int) -> Bool {
        let only = indexFacts[index].position
        if only >= 0 { return StoredBytes.areEqual(storedBytes(left, only), storedBytes(right, only)) }
        return indexPositions(index).allSatisfy {
            StoredBytes.areEqual(storedBytes(left, $0), storedBytes(right, $0))
        }
    }

    /// Adds a row's entry to an index.
    func addToIndex(_ row: RowKey, _ index: Int) {
        switch indexFacts[index].kind {
        case .hash: addEntry(index, hash: hash(ofRow: row, index: index), row: row)
        case .ordered:
            session.requiredWriter.changeOrdered { delta, key in
                self.setKey(&key, row, index)
                delta.put(key.bytes)
            }
            indexStates[index].entryCount += 1
        }
    }

    /// Removes a row's entry from an index. The row still has its values.
    func removeFromIndex(_ row: RowKey, _ index: Int) {
        switch indexFacts[index].kind {
        case .hash: removeEntry(index, hash: hash(ofRow: row, index: index), row: row)
        case .ordered:
            session.requiredWriter.changeOrdered { delta, key in
                self.setKey(&key, row, index)
                delta.remove(key.bytes)
            }
            indexStates[index].entryCount -= 1
        }
    }

    private func setKey(_ key: inout OrderedKeyBuffer, _ row: RowKey, _ index: Int) {
        let position = indexFacts[index].position
        key.setIndexKey(
            indexFacts[index].space, facts[position].kind, storedBytes(row, position), row)
    }

    // MARK: Reading ordered indexes

    /// Which values of an ordered index are wanted.
    package enum OrderedRange {
        case all
        case null
        case equal(UnsafeRawBufferPointer)
        case prefix(UnsafeRawBufferPointer)
        case range(lower: OrderedLimit?, upper: OrderedLimit?)
    }

    /// The rows whose value is in a range, in the order of their values, or the other way round; among
    /// equal ones by rising row key either way.
    ///
    /// - Parameters:
    ///   - index: its place in `definition.indexes`.
    ///   - limit: the most rows that are wanted.
    /// - Complexity: O(log n + rows).
    package func rows(
        ordered index: Int, _ range: OrderedRange = .all, descending: Bool = false, limit: Int = .max
    ) throws(StorageError) -> [RowKey] {
        try session.finishRows()
        let bounds = try bounds(index, range)
        var rows: [RowKey] = []
        let groups = try session.withOrderedCursor(within: bounds, descending ? .descending : .ascending) {
            cursor throws(StorageError) in
            try cursor.appendRowKeys(to: &rows, limit: limit)
        }
        // Not while the cursor is open: it holds the lock that reading the values takes.
        settle(&rows, groups, index, range, descending: descending)
        return rows.count > limit ? Array(rows[..<limit]) : rows
    }

    /// The number of rows whose value is in a range.
    package func rowCount(ordered index: Int, _ range: OrderedRange) throws(StorageError) -> Int {
        try session.finishRows()
        let bounds = try bounds(index, range)
        if bounds.needsRecheck { return try rows(ordered: index, range).count }
        return try session.withOrderedCursor(within: bounds, .ascending) { cursor throws(StorageError) in
            try cursor.count()
        }
    }

    private func bounds(_ index: Int, _ range: OrderedRange) throws(StorageError) -> OrderedBounds {
        let definition = definition.indexes[index]
        precondition(definition.kind == .ordered, "a hash index was asked for a range")
        let kind = self.definition.columns[indexPositions(index)[0]].kind
        return switch range {
        case .all: OrderedBounds.all(definition.space, kind)
        case .null: OrderedBounds.null(definition.space, kind)
        case .equal(let value): OrderedBounds.equal(definition.space, kind, to: value)
        case .prefix(let value): OrderedBounds.prefix(definition.space, kind, value)
        case .range(let lower, let upper):
            OrderedBounds.range(definition.space, kind, from: lower, to: upper)
        }
    }

    /// Puts rows whose keys were cut into the order of their values, and drops those outside of the range.
    private func settle(
        _ rows: inout [RowKey], _ groups: [OrderedCutGroup], _ index: Int, _ range: OrderedRange,
        descending: Bool
    ) {
        let position = indexPositions(index)[0]
        for group in groups.reversed() {
            var members = Array(rows[group.range])
            if group.needsRecheck {
                members.removeAll { !self.isInside(self.storedBytes($0, position), range) }
            }
            members.sort { left, right in
                let order = self.compare(left, right, position)
                if order != 0 { return descending ? order > 0 : order < 0 }
                return left < right
            }
            rows.replaceSubrange(group.range, with: members)
        }
    }

    private func compare(_ left: RowKey, _ right: RowKey, _ position: Int) -> Int {
        let leftBytes = Array(text(left, position))
        return leftBytes.withUnsafeBytes { KeyBytes.compare($0, text(right, position)) }
    }

    private func isInside(_ value: UnsafeRawBufferPointer?, _ range: OrderedRange) -> Bool {
        guard let value else { return true }
        switch range {
        case .all, .null: return true
        case .equal(let wanted): return KeyBytes.areEqual(value, wanted)
        case .prefix(let prefix):
            return value.count >= prefix.count
                && KeyBytes.areEqual(UnsafeRawBufferPointer(rebasing: value[..<prefix.count]), prefix)
        case .range(let lower, let upper):
            if let lower {
                let order = KeyBytes.compare(value, lower.value)
                if order < 0 || (order == 0 && !lower.isIncluded) { return false }
            }
            if let upper {
                let order = KeyBytes.compare(value, upper.value)
                if order > 0 || (order == 0 && !upper.isIncluded) { return false }
            }
            return true
        }
    }
}
