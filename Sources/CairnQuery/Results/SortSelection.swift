/// Rows on their way into a sort, by group: what has no value before, the values, what has none behind.
///
/// Where only the first rows are wanted, values that come too late for these are let go of as soon as that is
/// known, so that the sort is one of few.
struct SortGroups {
    private var groups: [[SortEntry]] = Array(repeating: [], count: SortKeyReader.groupCount)
    private var values: [SortEntry] = []
    private let limit: Int
    /// How many values are gathered before the late ones are let go of.
    private var room: Int
    /// Values with more than this are too late.
    private var bound = UInt64.max

    init(limit: Int) {
        self.limit = limit
        room = limit > Int(UInt32.max) / 8 ? .max : max(1_024, limit * 4)
    }

    @inline(__always)
    mutating func add(_ entry: SortEntry, to group: Int) {
        guard group == SortKeyReader.valueGroup else { return groups[group].append(entry) }
        guard entry.bits <= bound else { return }
        values.append(entry)
        if values.count >= room { select() }
    }

    /// Keeps the first values, and all that equal the last of these.
    @inline(never)
    private mutating func select() {
        RadixSort.sort(&values)
        bound = values[limit - 1].bits
        var end = limit
        while end < values.count, values[end].bits == bound { end += 1 }
        values.removeSubrange(end...)
        // Many that are equal: they all stay, and the next time is as far away again.
        room = max(room, values.count * 2)
    }

    /// The entries of a group, which is empty afterwards. In the order of their places, if not sorted.
    mutating func take(_ group: Int) -> [SortEntry] {
        if group == SortKeyReader.valueGroup {
            defer { values = [] }
            return values
        }
        defer { groups[group] = [] }
        return groups[group]
    }
}
