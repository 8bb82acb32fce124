import CairnStorage
import TestSupport

/// Compares what one index of a table finds with a model.
struct IndexComparison {
    let table: SessionTable
    let model: ModelTable
    let place: Int
    let index: IndexDefinition
    var chance: SeededGenerator

    mutating func run() throws {
        switch index.kind {
        case .hash: try compareHash()
        case .ordered: try compareOrdered()
        }
    }

    private var column: ModelColumn { model.column(index.columns[0]) }

    private func value(_ row: RowKey) -> [UInt8]? { model.cell(row, column).valueBytes }

    // MARK: Hash

    private mutating func compareHash() throws {
        var keys: [[[UInt8]?]] = []
        for _ in 0..<min(12, model.keys.count) {
            keys.append(model.key(model.keys[Int.random(in: model.keys.indices, using: &chance)], index))
        }
        for _ in 0..<3 {
            var values = ValueChance(chance)
            keys.append(index.columns.map { values.value(of: model.column($0)) })
            chance = values.chance
        }
        for key in Set(keys) { try compareKey(key) }
        // Each row in its place, without a look at those that have the same key.
        try require(try everyRowIsFound(), "a row is not found by its key")
    }

    private func everyRowIsFound() throws -> Bool {
        guard index.isUnique, index.columns.count == 1 else { return true }
        return try model.keys.allSatisfy { row in
            try value(row).withOptionalBytes { bytes throws(StorageError) in
                try table.row(index: place, key: bytes) == row
            }
        }
    }

    private func compareKey(_ key: [[UInt8]?]) throws {
        let wanted = model.rows(index, key)
        guard key.count == 1 else {
            let found = try withKeys(key[...], [])
            try require(
                found.map { wanted.contains($0) } ?? wanted.isEmpty,
                "\(key) leads to \(found as Any), wanted \(wanted)")
            return
        }
        let found = try key[0].withOptionalBytes { bytes throws(StorageError) in
            (
                one: try table.row(index: place, key: bytes),
                all: try table.rows(index: place, key: bytes).sorted()
            )
        }
        try require(found.all == wanted, "\(key) leads to \(found.all), wanted \(wanted)")
        try require(
            found.one.map { wanted.contains($0) } ?? wanted.isEmpty, "\(key) leads to \(found.one as Any)")
    }

    private func withKeys(_ rest: ArraySlice<[UInt8]?>, _ keys: [UnsafeRawBufferPointer?]) throws -> RowKey? {
        guard let next = rest.first else { return try table.row(index: place, keys: keys) }
        guard let next else { return try withKeys(rest.dropFirst(), keys + [nil]) }
        return try next.withUnsafeBytes { try withKeys(rest.dropFirst(), keys + [$0]) }
    }

    // MARK: Ordered

    private typealias Entry = (row: RowKey, value: [UInt8]?)

    /// All rows in the order of the index, one way and the other.
    private struct SortedEntries {
        let ascending: [Entry]
        let descending: [Entry]

        init(_ entries: [Entry], _ order: ValueOrder) {
            ascending = order.sorted(entries)
            var descending: [Entry] = []
            var end = ascending.count
            // From the largest value down, but equal ones by rising row key.
            while end > 0 {
                var start = end - 1
                while start > 0, order.compare(ascending[start - 1].value, ascending[end - 1].value) == 0 {
                    start -= 1
                }
                descending += ascending[start..<end]
                end = start
            }
            self.descending = descending
        }
    }

    private mutating func compareOrdered() throws {
        let order = ValueOrder(kind: column.kind)
        let entries = SortedEntries(model.keys.map { (row: $0, value: value($0)) }, order)
        try compare(.all, entries, "everything") { _ in true }
        try compare(.null, entries, "null") { $0 == nil }
        for _ in 0..<(model.keys.count < 20 ? 1 : 3) {
            try compareRange(entries, order)
            try compareEqual(entries, order)
            if column.kind == .string || column.kind == .binary { try comparePrefix(entries) }
        }
    }

    private mutating func compare(
        _ range: SessionTable.OrderedRange, _ entries: SortedEntries, _ name: String,
        where isWanted: ([UInt8]?) -> Bool
    ) throws {
        for descending in [false, true] {
            let all = descending ? entries.descending : entries.ascending
            let wanted = all.filter { isWanted($0.value) }.map(\.row)
            let found = try table.rows(ordered: place, range, descending: descending)
            try require(
                found == wanted, "\(name) finds \(found), wanted \(wanted) (descending: \(descending))")
            let limit = Int.random(in: 0...(wanted.count + 1), using: &chance)
            let first = try table.rows(ordered: place, range, descending: descending, limit: limit)
            try require(
                first == Array(wanted.prefix(limit)),
                "\(name), the first \(limit): \(first), wanted \(wanted)")
            let count = try table.rowCount(ordered: place, range)
            try require(count == wanted.count, "\(name) counts \(count), wanted \(wanted.count)")
        }
    }

    /// One of the values that are there, or another.
    private mutating func limit() -> [UInt8] {
        if Bool.random(using: &chance), let row = model.keys.randomElement(using: &chance),
            let known = value(row)
        {
            return known
        }
        var values = ValueChance(chance)
        defer { chance = values.chance }
        return values.bytes(of: column.kind)
    }

    private mutating func compareRange(_ entries: SortedEntries, _ order: ValueOrder) throws {
        let lower = Int.random(in: 0..<4, using: &chance) == 0 ? nil : limit()
        let upper = Int.random(in: 0..<4, using: &chance) == 0 ? nil : limit()
        let takesLower = Bool.random(using: &chance)
        let takesUpper = Bool.random(using: &chance)
        let low = Stored(lower)
        let high = Stored(upper)
        let range = SessionTable.OrderedRange.range(
            lower: low.buffer.map { OrderedLimit($0, isIncluded: takesLower) },
            upper: high.buffer.map { OrderedLimit($0, isIncluded: takesUpper) })
        // NaN is in no range, and there is no range up to NaN.
        let hasNaN = order.isNaN(lower) || order.isNaN(upper)
        let name = "from \(lower as Any) \(takesLower) to \(upper as Any) \(takesUpper)"
        try compare(range, entries, name) { value in
            guard value != nil, !order.isNaN(value), !hasNaN else { return false }
            let above = lower.map { order.compare(value, $0) } ?? 1
            let below = upper.map { order.compare(value, $0) } ?? -1
            return (above > 0 || above == 0 && takesLower) && (below < 0 || below == 0 && takesUpper)
        }
        withExtendedLifetime((low, high)) {}
    }

    private mutating func compareEqual(_ entries: SortedEntries, _ order: ValueOrder) throws {
        let wanted = limit()
        let stored = Stored(wanted)
        guard let buffer = stored.buffer else { return }
        try compare(.equal(buffer), entries, "equal to \(wanted)") {
            $0 != nil && order.compare($0, wanted) == 0
        }
        withExtendedLifetime(stored) {}
    }

    private mutating func comparePrefix(_ entries: SortedEntries) throws {
        let value = limit()
        let prefix = Array(value.prefix(Int.random(in: 0...value.count, using: &chance)))
        let stored = Stored(prefix)
        guard let buffer = stored.buffer else { return }
        try compare(.prefix(buffer), entries, "with the prefix \(prefix)") {
            $0?.starts(with: prefix) == true
        }
        withExtendedLifetime(stored) {}
    }
}

/// Bytes at an address of their own.
private final class Stored {
    let buffer: UnsafeRawBufferPointer?

    init(_ bytes: [UInt8]?) {
        buffer = bytes.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
            copy.copyBytes(from: bytes)
            return UnsafeRawBufferPointer(copy)
        }
    }

    deinit { buffer?.deallocate() }
}
