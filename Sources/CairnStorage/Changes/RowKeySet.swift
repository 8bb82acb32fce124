/// A set of row keys: a bitmap for each block that has one, sorted by block.
///
///     entries   | block 0, bitmap | block 3, bitmap | block 4, bitmap | …
///
/// One row takes one allocation; a million rows side by side take 2,233 entries of 64 bytes. No
/// entry is ever empty, so two equal sets have equal entries.
package struct RowKeySet: Equatable, Sendable {
    /// The rows of one block: at least one.
    package struct Entry: Equatable, Sendable {
        package let block: UInt32
        package fileprivate(set) var rows: BlockBitmap

        fileprivate init(_ block: UInt32, _ rows: BlockBitmap) {
            self.block = block
            self.rows = rows
        }
    }

    /// The blocks with their rows, rising. The coarse way through a set: one step a block.
    package private(set) var entries: [Entry] = []

    /// A set without a row.
    package init() {}

    /// A set of rows that need no order.
    package init(_ rows: some Sequence<RowKey>) {
        for row in rows { insert(row) }
    }

    /// The rows of a range.
    package init(_ rows: Range<RowKey>) {
        insert(rows)
    }

    /// Whether the set has no row.
    package var isEmpty: Bool { entries.isEmpty }

    /// The number of rows.
    ///
    /// - Complexity: O(b), b = the number of blocks.
    package var count: Int {
        entries.reduce(0) { $0 + $1.rows.count }
    }

    /// The lowest row.
    package var first: RowKey? {
        entries.first.map { RowKey(block: $0.block, slot: $0.rows.first!) }
    }

    /// The highest row.
    package var last: RowKey? {
        entries.last.map { RowKey(block: $0.block, slot: $0.rows.last!) }
    }

    /// The rows of one block, perhaps none.
    ///
    /// - Complexity: O(log b), b = the number of blocks.
    package func rows(of block: UInt32) -> BlockBitmap {
        let (index, isThere) = position(of: block)
        return isThere ? entries[index].rows : BlockBitmap()
    }

    /// Whether the row is in the set.
    ///
    /// - Complexity: O(log b), b = the number of blocks.
    package func contains(_ row: RowKey) -> Bool {
        let (index, isThere) = position(of: row.block)
        return isThere && entries[index].rows.contains(row.slot)
    }

    /// The place of a block, or where it would stand. The last block is looked at first, since rows
    /// mostly come rising.
    private func position(of block: UInt32) -> (index: Int, isThere: Bool) {
        guard let last = entries.last, block <= last.block else { return (entries.count, false) }
        if block == last.block { return (entries.count - 1, true) }
        return position(of: block, from: 0)
    }

    /// The same by halving, among the entries from `start` on.
    private func position(of block: UInt32, from start: Int) -> (index: Int, isThere: Bool) {
        var low = start
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].block < block { low = middle + 1 } else { high = middle }
        }
        return (low, low < entries.count && entries[low].block == block)
    }
}

// MARK: - Single rows, ranges and blocks

extension RowKeySet {
    /// Adds a row; false when it was there.
    ///
    /// - Precondition: the row is below `RowKey.limit`.
    /// - Complexity: O(1) amortised in the last block or behind it, O(log b) in a block that is
    ///   there, else O(b), b = the number of blocks.
    @discardableResult
    package mutating func insert(_ row: RowKey) -> Bool {
        RowKeySet.check(row)
        let (index, isThere) = position(of: row.block)
        guard isThere else {
            entries.insert(Entry(row.block, BlockBitmap(slot: row.slot)), at: index)
            return true
        }
        return entries[index].rows.insert(row.slot)
    }

    /// Adds rows of one block.
    ///
    /// - Complexity: as `insert(_:)`.
    package mutating func insert(_ rows: BlockBitmap, of block: UInt32) {
        RowKeySet.check(RowKey(block: block, slot: 0))
        guard !rows.isEmpty else { return }
        let (index, isThere) = position(of: block)
        if isThere {
            entries[index].rows.formUnion(rows)
        } else {
            entries.insert(Entry(block, rows), at: index)
        }
    }

    /// Adds the rows of a range.
    package mutating func insert(_ rows: Range<RowKey>) {
        guard !rows.isEmpty else { return }
        let last = RowKey(rows.upperBound.value - 1)
        RowKeySet.check(last)
        var added = RowKeySet()
        for block in rows.lowerBound.block...last.block {
            let start = block == rows.lowerBound.block ? rows.lowerBound.slot : 0
            let end = block == last.block ? last.slot + 1 : Block.slotCount
            added.entries.append(Entry(block, BlockBitmap(start..<end)))
        }
        formUnion(added)
    }

    /// Removes a row; false when it was not there.
    ///
    /// - Complexity: O(log b), and O(b) when it was the last row of its block, b = the number of
    ///   blocks.
    @discardableResult
    package mutating func remove(_ row: RowKey) -> Bool {
        let (index, isThere) = position(of: row.block)
        guard isThere, entries[index].rows.remove(row.slot) else { return false }
        if entries[index].rows.isEmpty { entries.remove(at: index) }
        return true
    }

    /// The engine hands out no row key from the limit on, and nothing else may be the source of one.
    private static func check(_ row: RowKey) {
        precondition(row.value < RowKey.limit, "\(row) is past the last row key a table can hand out.")
    }
}

// MARK: - Whole sets

extension RowKeySet {
    /// Adds the rows of another set.
    ///
    /// - Complexity: O(b + c), b and c = the numbers of blocks; O(c log b) when c is far smaller and
    ///   brings no new block; O(c) amortised when the other lies behind this one.
    package mutating func formUnion(_ other: RowKeySet) {
        guard let otherFirst = other.entries.first else { return }
        guard let last = entries.last else {
            entries = other.entries
            return
        }
        if otherFirst.block > last.block {
            entries.append(contentsOf: other.entries)
        } else if other.entries.count == 1 {
            insert(otherFirst.rows, of: otherFirst.block)
        } else {
            merge(other.entries)
        }
    }

    /// Both lists of entries side by side.
    private mutating func merge(_ others: [Entry]) {
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + others.count)
        var index = 0
        for other in others {
            while index < entries.count, entries[index].block < other.block {
                merged.append(entries[index])
                index += 1
            }
            if index < entries.count, entries[index].block == other.block {
                merged.append(Entry(other.block, entries[index].rows.union(other.rows)))
                index += 1
            } else {
                merged.append(other)
            }
        }
        merged.append(contentsOf: entries[index...])
        entries = merged
    }

    /// Removes the rows of another set.
    ///
    /// - Complexity: O(c log b), and O(b) more when a block loses its last row; b and c = the numbers
    ///   of blocks of this and the other.
    package mutating func subtract(_ other: RowKeySet) {
        var start = 0
        var leavesEmpty = false
        for removed in other.entries {
            let (index, isThere) = position(of: removed.block, from: start)
            if index == entries.count { break }
            start = index
            guard isThere else { continue }
            entries[index].rows.subtract(removed.rows)
            leavesEmpty = leavesEmpty || entries[index].rows.isEmpty
        }
        if leavesEmpty { entries.removeAll { $0.rows.isEmpty } }
    }

    /// Keeps only the rows that the other set has too.
    ///
    /// - Complexity: O(s log l), s and l = the numbers of blocks of the smaller and the larger set.
    package mutating func formIntersection(_ other: RowKeySet) {
        self = intersection(other)
    }

    /// The rows of either.
    package func union(_ other: RowKeySet) -> RowKeySet {
        var result = self
        result.formUnion(other)
        return result
    }

    /// The rows that the other has not.
    package func subtracting(_ other: RowKeySet) -> RowKeySet {
        guard !other.isEmpty else { return self }
        var result = self
        result.subtract(other)
        return result
    }

    /// The rows of both.
    package func intersection(_ other: RowKeySet) -> RowKeySet {
        var result = RowKeySet()
        forEachCommonBlock(with: other) { block, rows in
            result.entries.append(Entry(block, rows))
            return true
        }
        return result
    }

    /// Whether no row is in both.
    package func isDisjoint(with other: RowKeySet) -> Bool {
        var isDisjoint = true
        forEachCommonBlock(with: other) { _, _ in
            isDisjoint = false
            return false
        }
        return isDisjoint
    }

    /// Goes through the blocks in which both have a row in common, rising, until the closure answers
    /// false. The smaller set leads, the larger one is searched.
    private func forEachCommonBlock(with other: RowKeySet, _ body: (UInt32, BlockBitmap) -> Bool) {
        if entries.count > other.entries.count { return other.forEachCommonBlock(with: self, body) }
        var start = 0
        for entry in entries {
            let (index, isThere) = other.position(of: entry.block, from: start)
            if index == other.entries.count { return }
            start = index
            guard isThere else { continue }
            let common = entry.rows.intersection(other.entries[index].rows)
            if !common.isEmpty, !body(entry.block, common) { return }
        }
    }
}
