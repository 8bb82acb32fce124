internal import CairnStorage

/// The places of rows in a set, in the order of their keys.
///
/// - Complexity: O(blocks) to make, O(log blocks) for a place.
struct RowRanks {
    private let entries: [RowKeySet.Entry]
    /// How many rows lie before each block.
    private let before: [Int]

    init(_ rows: RowKeySet) {
        entries = rows.entries
        var before: [Int] = []
        before.reserveCapacity(entries.count)
        var count = 0
        for entry in entries {
            before.append(count)
            count += entry.rows.count
        }
        self.before = before
    }

    /// The places of rows of the set, rising. Others are left out.
    func places(of rows: RowKeySet) -> [Int] {
        var result: [Int] = []
        var index = 0
        for wanted in rows.entries {
            // Both rise, so the search goes on from where the last one ended.
            index = firstEntry(from: index, block: wanted.block)
            guard index < entries.count, entries[index].block == wanted.block else { continue }
            let own = entries[index].rows
            for slot in wanted.rows where own.contains(slot) {
                result.append(before[index] + own.rank(of: slot))
            }
        }
        return result
    }

    private func firstEntry(from start: Int, block: UInt32) -> Int {
        var low = start
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].block < block { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
