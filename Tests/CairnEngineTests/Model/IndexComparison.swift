import CairnStorage

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
        let stride = max(1, model.keys.count / 60)
        for row in model.keys.enumerated().filter({ $0.offset % stride == 0 }).map(\.element) {
            try compareKey(model.key(row, index))
        }
        for _ in 0..<5 {
            var values = ValueChance(chance)
            let key = index.columns.map { values.value(of: model.column($0)) }
            chance = values.chance
            try compareKey(key)
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

    private mutating func compareOrdered() throws {
        let order = ValueOrder(kind: column.kind)
        let entries = model.keys.map { (row: $0, value: value($0)) }
        for descending in [false, true] {
            let found = try table.rows(ordered: place, descending: descending)
            try require(
                found == order.sorted(entries, descending: descending),
                "another order (descending: \(descending))")
        }
        let nulls = entries.filter { $0.value == nil }.map(\.row)
        try compare(.null, nulls, order, "null")
        try require(try table.rowCount(ordered: place, .all) == entries.count, "another number of entries")
        for _ in 0..<(entries.count < 20 ? 1 : 4) {
            try compareRange(entries, order)
            try compareEqual(entries, order)
            if column.kind == .string || column.kind == .binary { try comparePrefix(entries, order) }
        }
    }

    private mutating func compare(
        _ range: SessionTable.OrderedRange, _ wanted: [RowKey], _ order: ValueOrder, _ name: String
    ) throws {
        for descending in [false, true] {
            let sorted = order.sorted(wanted.map { ($0, value($0)) }, descending: descending)
            let found = try table.rows(ordered: place, range, descending: descending)
            try require(
                found == sorted, "\(name) finds \(found), wanted \(sorted) (descending: \(descending))")
            let limit = Int.random(in: 0...(sorted.count + 1), using: &chance)
            let first = try table.rows(ordered: place, range, descending: descending, limit: limit)
            try require(
                first == Array(sorted.prefix(limit)),
                "\(name), the first \(limit): \(first), wanted \(sorted)")
        }
        let count = try table.rowCount(ordered: place, range)
        try require(count == wanted.count, "\(name) counts \(count), wanted \(wanted.count)")
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

    private mutating func compareRange(_ entries: [(row: RowKey, value: [UInt8]?)], _ order: ValueOrder)
        throws
    {
        let lower = Int.random(in: 0..<4, using: &chance) == 0 ? nil : limit()
        let upper = Int.random(in: 0..<4, using: &chance) == 0 ? nil : limit()
        let takesLower = Bool.random(using: &chance)
        let takesUpper = Bool.random(using: &chance)
        let hasNaN = order.isNaN(lower) || order.isNaN(upper)
        let wanted = entries.filter { entry in
            guard entry.value != nil, !order.isNaN(entry.value), !hasNaN else { return false }
            let above = lower.map { order.compare(entry.value, $0) } ?? 1
            let below = upper.map { order.compare(entry.value, $0) } ?? -1
            return (above > 0 || above == 0 && takesLower) && (below < 0 || below == 0 && takesUpper)
        }.map(\.row)
        let name = "from \(lower as Any) \(takesLower) to \(upper as Any) \(takesUpper)"
        try withExtendedLifetime((lower, upper)) {
            let low = Stored(lower)
            let high = Stored(upper)
            try compare(
                .range(
                    lower: low.buffer.map { OrderedLimit($0, isIncluded: takesLower) },
                    upper: high.buffer.map { OrderedLimit($0, isIncluded: takesUpper) }), wanted, order, name)
            withExtendedLifetime((low, high)) {}
        }
    }

    private mutating func compareEqual(_ entries: [(row: RowKey, value: [UInt8]?)], _ order: ValueOrder)
        throws
    {
        let value = limit()
        let wanted = entries.filter { $0.value != nil && order.compare($0.value, value) == 0 }.map(\.row)
        let stored = Stored(value)
        guard let buffer = stored.buffer else { return }
        try compare(.equal(buffer), wanted, order, "equal to \(value)")
        withExtendedLifetime(stored) {}
    }

    private mutating func comparePrefix(_ entries: [(row: RowKey, value: [UInt8]?)], _ order: ValueOrder)
        throws
    {
        let value = limit()
        let prefix = Array(value.prefix(Int.random(in: 0...value.count, using: &chance)))
        let wanted = entries.filter { $0.value?.starts(with: prefix) == true }.map(\.row)
        let stored = Stored(prefix)
        guard let buffer = stored.buffer else { return }
        try compare(.prefix(buffer), wanted, order, "with the prefix \(prefix)")
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
