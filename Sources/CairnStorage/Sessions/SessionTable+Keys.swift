/// What the object layer asks of values whose types it does not know.
extension SessionTable {
    /// The row with a primary key, or nil.
    ///
    /// - Parameter key: the value's stored bytes, nil for null.
    package func rowOfPrimaryKey(_ key: UnsafeRawBufferPointer?) throws(StorageError) -> RowKey? {
        precondition(primaryKeyIndex >= 0, "a table without a primary key was asked for one")
        return try row(index: primaryKeyIndex, key: key)
    }

    /// Whether a value that is not a collection has these stored bytes, nil for null.
    package func hasStoredBytes(
        _ bytes: UnsafeRawBufferPointer?, _ row: RowKey, _ position: Int
    ) -> Bool {
        StoredBytes.areEqual(storedBytes(row, position), bytes)
    }

    /// Replaces elements of a list by those of a buffer.
    ///
    /// - Throws: as `replaceElements` with a collection.
    package func replaceElements(
        _ row: RowKey, _ position: Int, _ range: Range<Int>, with elements: ListBuffer
    ) throws(StorageError) {
        precondition(facts[position].isList, "elements of a column that is no list were replaced")
        _ = try ownChunkWithRoom(position, row.block)
        try replaceElements(row, position, range, with: ListRun(elements.payload), isMirrored: true)
        withExtendedLifetime(elements) {}
    }

    /// Calls the body with the stored bytes of a value that is not a collection, nil for null.
    package func withStoredBytes<Result>(
        _ row: RowKey, _ position: Int, _ body: (UnsafeRawBufferPointer?) -> Result
    ) -> Result {
        body(storedBytes(row, position))
    }

    /// Whether a list of links leads to these rows.
    package func hasLinks(_ targets: [RowKey], _ row: RowKey, _ position: Int) throws(StorageError) -> Bool {
        guard try listCount(row, position) == targets.count else { return false }
        var place = 0
        var isSame = true
        try forEachLink(row, position) { target throws(StorageError) in
            isSame = isSame && place < targets.count && targets[place] == target
            place += 1
        }
        return isSame
    }

    /// Whether two lists have the same elements: those of a buffer and those that are stored.
    package func hasElements(
        _ elements: ListBuffer, _ row: RowKey, _ position: Int
    ) throws(StorageError) -> Bool {
        guard try listCount(row, position) == elements.count else { return false }
        let wanted = ListRun(elements.payload)
        var isSame = true
        try forEachRun(row, position) { run, first throws(StorageError) in
            for index in 0..<run.count where isSame {
                isSame = StoredBytes.areEqual(run.element(at: index), wanted.element(at: first + index))
            }
        }
        return isSame
    }
}

extension SessionTable {
    /// The first key that no row has been given yet.
    package var rowKeyLimit: UInt64 { nextRowKey }

    /// No block before this one has a row.
    package var firstRowBlock: UInt32 { firstBlock }
}

extension SessionTable {
    /// The first place in a list of the first element of a buffer, or nil.
    ///
    /// - Complexity: O(elements).
    package func firstIndex(
        _ row: RowKey, _ position: Int, of wanted: ListBuffer
    ) throws(StorageError) -> Int? {
        let wanted = ListRun(wanted.payload).element(at: 0)
        var found: Int?
        try forEachRun(row, position) { run, first throws(StorageError) in
            for index in 0..<run.count where found == nil {
                if StoredBytes.areEqual(run.element(at: index), wanted) { found = first + index }
            }
        }
        return found
    }
}

extension SessionTable {
    /// Whether the session is in a write.
    package var isWriting: Bool { session.isWriting }
}
