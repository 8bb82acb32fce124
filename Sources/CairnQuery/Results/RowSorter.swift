internal import CairnStorage

/// Sorts rows by keys, one key after the other: by the first as 64-bit numbers, and only what is equal there
/// by more of the value, and by the next key.
struct RowSorter {
    private let keys: [SortKeyReader]
    private let rows: [RowKey]

    init(
        _ keys: [SortKey], _ rows: [RowKey], _ table: SessionTable, _ context: QueryContext
    ) throws(StorageError) {
        precondition(rows.count <= Int(UInt32.max), "more rows than can be sorted")
        var readers: [SortKeyReader] = []
        for key in keys {
            readers.append(SortKeyReader(reader: try ColumnReader(key.path, table, context), key: key))
        }
        self.keys = readers
        self.rows = rows
    }

    /// - Parameter limit: how many of the first rows are wanted.
    func sorted(limit: Int = .max) -> [RowKey] {
        guard let first = keys.first, limit > 0 else {
            return limit < rows.count ? Array(rows[..<limit]) : rows
        }
        var groups = SortGroups(limit: limit)
        first.look(at: rows) { place, group, bits in
            groups.add(SortEntry(bits: bits, place: UInt32(truncatingIfNeeded: place)), to: group)
        }
        let entries = finish(&groups, by: 0, limit: limit)
        let wanted = limit < entries.count ? entries[..<limit] : entries[...]
        return wanted.map { rows[Int($0.place)] }
    }

    /// Sorts entries by a key and those behind it, as far as the first `limit` of them go.
    private func sort(_ entries: inout [SortEntry], by place: Int, limit: Int) {
        guard entries.count > 1, place < keys.count, limit > 0 else { return }
        let key = keys[place]
        var groups = SortGroups(limit: limit)
        for entry in entries {
            let (group, bits) = key.look(at: rows[Int(entry.place)])
            groups.add(SortEntry(bits: bits, place: entry.place), to: group)
        }
        entries = finish(&groups, by: place, limit: limit)
    }

    /// The entries of all groups, each group sorted.
    private func finish(_ groups: inout SortGroups, by place: Int, limit: Int) -> [SortEntry] {
        var rest = limit
        var result: [SortEntry] = []
        for group in 0..<SortKeyReader.groupCount {
            var entries = groups.take(group)
            if entries.isEmpty { continue }
            if group == SortKeyReader.valueGroup {
                sortValues(&entries, keys[place], place, rest)
            } else {
                sort(&entries, by: place + 1, limit: rest)
            }
            if rest != .max { rest = max(0, rest - entries.count) }
            if result.isEmpty { result = entries } else { result += entries }
        }
        return result
    }

    private func sortSlice(_ entries: inout [SortEntry], _ range: Range<Int>, by place: Int, limit: Int) {
        guard range.count > 1, place < keys.count else { return }
        var slice = Array(entries[range])
        sort(&slice, by: place, limit: limit)
        // Of a limited sort fewer may be left; what is behind the limit is not looked at.
        entries.replaceSubrange(range.lowerBound..<(range.lowerBound + slice.count), with: slice)
    }

    private func sortValues(_ entries: inout [SortEntry], _ key: SortKeyReader, _ place: Int, _ limit: Int) {
        RadixSort.sort(&entries)
        if key.isExact, place + 1 == keys.count { return }
        var start = 0
        while start < min(entries.count, limit) {
            var end = start + 1
            while end < entries.count, entries[end].bits == entries[start].bits { end += 1 }
            if end - start > 1 { sortTies(&entries, start..<end, key, place, limit) }
            start = end
        }
    }

    /// Rows whose bits are equal: by the whole value, and those of one value by the next key.
    private func sortTies(
        _ entries: inout [SortEntry], _ range: Range<Int>, _ key: SortKeyReader, _ place: Int, _ limit: Int
    ) {
        guard !key.isExact else { return sortSlice(&entries, range, by: place + 1, limit: .max) }
        let first = entries[range.lowerBound]
        // Often all of them have the very same value.
        let areEqual = range.dropFirst().allSatisfy { compare(entries[$0], first, key) == 0 }
        if !areEqual {
            let sign = key.isAscending ? 1 : -1
            entries[range].sort { left, right in
                let order = compare(left, right, key) * sign
                return order == 0 ? left.place < right.place : order < 0
            }
        }
        guard place + 1 < keys.count else { return }
        var start = range.lowerBound
        while start < range.upperBound {
            var end = start + 1
            while end < range.upperBound, areEqual || compare(entries[end], entries[start], key) == 0 {
                end += 1
            }
            sortSlice(&entries, start..<end, by: place + 1, limit: .max)
            start = end
        }
    }

    private func compare(_ left: SortEntry, _ right: SortEntry, _ key: SortKeyReader) -> Int {
        key.compare(rows[Int(left.place)], rows[Int(right.place)])
    }
}
