/// Rows whose strings are cut at the same place, among the row keys that `appendRowKeys` has read.
package struct OrderedCutGroup: Hashable, Sendable {
    /// Where they are in the array. They stand by rising row key and have yet to be sorted by their
    /// real values (the other way round when descending; among equal ones by row key).
    package let range: Range<Int>
    /// Whether some may lie outside the bounds, and have to be compared with the limits.
    package let needsRecheck: Bool
}

extension OrderedCursor where Source: ~Copyable {
    /// Appends the row keys from here on in the order of their values, and by rising row key among
    /// equal values, whichever way the cursor goes.
    ///
    /// What only the real values can decide is handed back rather than asked for on the way: the
    /// caller has the columns, compares a whole group at once, and no step calls a closure.
    ///
    /// - Parameters:
    ///   - keys: must not be changed in the appended part before the groups were sorted, the last
    ///     first if rows are taken out.
    ///   - limit: how many rows are wanted. More may come: a group is not torn apart, since its first
    ///     rows are known only when it is sorted, and rows to be compared with a limit of the bounds do
    ///     not count. A cursor that stopped at a limit has to be restarted.
    /// - Returns: the groups that need work, in the order of the array.
    /// - Throws: what `next` throws.
    /// - Complexity: O(n), n = the number of entries read.
    package mutating func appendRowKeys(
        to keys: inout [RowKey], limit: Int = .max
    ) throws(StorageError) -> [OrderedCutGroup] {
        guard limit > 0 else { return [] }
        let isDescending = order == .descending
        var groups: [OrderedCutGroup] = []
        var leftCount = limit
        var groupStart = keys.count
        var previous: OrderedEntry?
        while let entry = try next() {
            let mayContinue = isDescending || entry.isCut
            if let last = previous, !(mayContinue && last.hasSameValue(as: entry)) {
                leftCount -= endGroup(last, &keys, from: groupStart, &groups)
                if leftCount <= 0 { return groups }
                groupStart = keys.count
            }
            keys.append(entry.rowKey)
            previous = entry
            // A group that no other row can change: no need to look at the next entry.
            if !mayContinue && leftCount == 1 { return groups }
        }
        if let last = previous { _ = endGroup(last, &keys, from: groupStart, &groups) }
        return groups
    }

    /// Notes or turns round the rows with one key's value. How many of them count.
    private func endGroup(
        _ entry: OrderedEntry, _ keys: inout [RowKey], from start: Int, _ groups: inout [OrderedCutGroup]
    ) -> Int {
        let range = start..<keys.count
        if order == .descending && range.count > 1 { keys[range].reverse() }
        guard entry.isCut else { return range.count }
        let needsRecheck = bounds.needsRecheck(entry)
        if needsRecheck || range.count > 1 {
            groups.append(OrderedCutGroup(range: range, needsRecheck: needsRecheck))
        }
        return needsRecheck ? 0 : range.count
    }

    /// The first entry of the bounds: the smallest value. Of a cut one the group decides
    /// (`appendRowKeys` with a limit of 1). The cursor goes on from it, ascending.
    ///
    /// - Complexity: O(log n)
    package mutating func first() throws(StorageError) -> OrderedEntry? {
        restart(.ascending)
        return try next()
    }

    /// The last entry of the bounds: the largest value. The cursor goes on from it, descending.
    ///
    /// - Complexity: O(log n)
    package mutating func last() throws(StorageError) -> OrderedEntry? {
        restart(.descending)
        return try next()
    }

    /// How many entries there are between the bounds; at least as many as rows within the limits where
    /// `bounds.needsRecheck`. The cursor stands at the end afterwards.
    ///
    /// - Complexity: O(n), n = the count: LMDB does not count its subtrees.
    package mutating func count() throws(StorageError) -> Int {
        restart(.ascending)
        var count = 0
        while try next() != nil { count += 1 }
        return count
    }
}
