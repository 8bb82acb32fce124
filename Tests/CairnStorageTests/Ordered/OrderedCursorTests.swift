import CairnLMDB
import CairnStorage
import TestSupport
import Testing

/// One row of an index as the model has it.
private struct ModelRow: Equatable {
    let value: StoredValue
    let row: RowKey
    let key: [UInt8]
}

@Suite struct `A cursor over ordered entries` {
    // MARK: The model

    /// Committed rows, the session's changes, and what a reader must see.
    private struct History {
        var committed: [[UInt8]: [UInt8]] = [:]
        let delta = OrderedDelta()
        var visible: [ModelRow] = []
    }

    private static func history(_ kind: ValueKind, _ generator: inout SeededGenerator) -> History {
        var history = History()
        var visible: [[UInt8]: ModelRow] = [:]
        for space in [6, 7, 8] as [UInt16] {
            for row in 0..<120 as Range<UInt64> {
                let value = ValueModel.random(kind, &generator)
                let key = indexKey(kind, value, RowKey(row), space: space)
                let fate = Int.random(in: 0..<5, using: &generator)
                if fate != 0 { history.committed[key] = [] }
                if fate == 1 { key.withUnsafeBytes { history.delta.remove($0) } }
                if fate == 0 || fate == 2 { key.withUnsafeBytes { history.delta.put($0) } }
                // More than one run.
                if row % 37 == 0 { _ = key.withUnsafeBytes { history.delta.change(of: $0) } }
                if space == 7 && fate != 1 {
                    visible[key] = ModelRow(value: value, row: RowKey(row), key: key)
                }
            }
        }
        history.visible = visible.values.sorted { $0.key.isBefore($1.key) }
        return history
    }

    private static func bounds(_ kind: ValueKind, _ rows: [ModelRow], _ generator: inout SeededGenerator)
        -> OrderedBounds
    {
        let values = (0..<2).map { _ in rows.randomElement(using: &generator)?.value }
        func limit<Result>(_ index: Int, _ body: (OrderedLimit?) -> Result) -> Result {
            guard let value = values[index] else { return body(nil) }
            let isIncluded = Bool.random(using: &generator)
            return value.withUnsafeBytes { body(OrderedLimit($0, isIncluded: isIncluded)) }
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return .all(SpaceID(7), kind)
        case 1: return .null(SpaceID(7), kind)
        case 2: return limit(0) { .equal(SpaceID(7), kind, to: $0?.value) }
        default: return limit(0) { lower in limit(1) { .range(SpaceID(7), kind, from: lower, to: $0) } }
        }
    }

    /// Compares a cursor with the model: steps, count, ends, and row keys in the order of values.
    private static func check<Source: OrderedSource & ~Copyable>(
        _ cursor: inout OrderedCursor<Source>, _ history: History, _ bounds: OrderedBounds,
        _ generator: inout SeededGenerator
    ) throws {
        let comment = Comment(rawValue: TestSeed.comment)
        let expected = history.visible.filter { row in
            !bounds.isEmpty && row.key.withUnsafeBytes { bounds.contains($0) }
        }
        cursor.restart(within: bounds)
        #expect(try cursor.count() == expected.count, comment)
        #expect(try cursor.first()?.rowKey == expected.first?.row, comment)
        #expect(try cursor.last()?.rowKey == expected.last?.row, comment)
        for order in [ScanOrder.ascending, .descending] {
            cursor.restart(order)
            var found: [[UInt8]] = []
            while let entry = try cursor.next() {
                found.append([0, 7] + Array(entry.value) + ValueModel.bytes(entry.rowKey.value.bigEndian))
            }
            #expect(found == (order == .ascending ? expected : expected.reversed()).map(\.key), comment)
            try checkRowKeys(&cursor, expected, order, &generator)
        }
    }

    private static func checkRowKeys<Source: OrderedSource & ~Copyable>(
        _ cursor: inout OrderedCursor<Source>, _ expected: [ModelRow], _ order: ScanOrder,
        _ generator: inout SeededGenerator
    ) throws {
        let kind = cursor.bounds.kind
        let values = Dictionary(uniqueKeysWithValues: expected.map { ($0.row, $0.value) })
        // By value, then by row key among equal ones, whichever way the values go.
        func isBefore(_ left: RowKey, _ right: RowKey) -> Bool {
            let comparison = ValueModel.compare(values[left]!, values[right]!, kind)
            if comparison == 0 { return left < right }
            return (comparison < 0) == (order == .ascending)
        }
        let limit = Bool.random(using: &generator) ? Int.max : Int.random(in: 0...20, using: &generator)
        cursor.restart(order)
        var keys = [RowKey(999)]
        let groups = try cursor.appendRowKeys(to: &keys, limit: limit)
        #expect(keys[0] == RowKey(999))
        for group in groups {
            #expect(group.range.count > 1 || group.needsRecheck)
            #expect(cursor.bounds.needsRecheck || !group.needsRecheck)
            #expect(Array(keys[group.range]) == keys[group.range].sorted())
            keys[group.range].sort(by: isBefore)
        }
        let model = expected.map(\.row).sorted(by: isBefore)
        let found = Array(keys.dropFirst())
        #expect(found == Array(model.prefix(found.count)), "\(TestSeed.comment)")
        let uncertain = groups.filter(\.needsRecheck).reduce(0) { $0 + $1.range.count }
        #expect(found.count == model.count || found.count - uncertain >= limit, "\(TestSeed.comment)")
    }

    // MARK: Tests

    @Test(arguments: ValueKind.indexable)
    func `sees what is committed, without what was removed, and with what was put`(kind: ValueKind) throws {
        var generator = TestSeed.generator(800 + UInt64(kind.rawValue))
        for _ in 0..<2 {
            let history = Self.history(kind, &generator)
            var cursor = OrderedCursor(
                ArraySource(history.committed), history.delta, within: .all(SpaceID(7), kind))
            for _ in 0..<8 {
                let bounds = Self.bounds(kind, history.visible, &generator)
                try Self.check(&cursor, history, bounds, &generator)
            }
        }
    }

    @Test(arguments: ValueKind.indexable)
    func `sees the same in a file`(kind: ValueKind) throws {
        var generator = TestSeed.generator(900 + UInt64(kind.rawValue))
        let file = try OrderedFile()
        // Cursors do not keep their file open.
        defer { withExtendedLifetime(file) {} }
        let history = Self.history(kind, &generator)
        let base = OrderedDelta()
        for key in history.committed.keys { key.withUnsafeBytes { base.put($0) } }
        try file.commit(base, valuesHoldPayload: false)
        let checks = { (delta: OrderedDelta?, source: consuming LMDBOrderedSource) throws in
            var cursor = OrderedCursor(source, delta, within: .all(SpaceID(7), kind))
            for _ in 0..<5 {
                let bounds = Self.bounds(kind, history.visible, &generator)
                try Self.check(&cursor, history, bounds, &generator)
            }
        }
        // The session's view; a session's that has spilled; and what is there after the commit.
        let reading = try file.environment.beginRead()
        try checks(history.delta, LMDBOrderedSource(reading.cursor(file.database)))
        let writing = try file.environment.beginWrite()
        try OrderedFile.write(history.delta, valuesHoldPayload: false, file.database, writing)
        try checks(OrderedDelta(), LMDBOrderedSource(writing.cursor(file.database)))
        writing.abort()
        try file.commit(history.delta, valuesHoldPayload: false)
        let after = try file.environment.beginRead()
        try checks(nil, LMDBOrderedSource(after.cursor(file.database)))
    }

    @Test func `of backlinks has origins and numbers of links`() throws {
        let file = try OrderedFile()
        // Cursors do not keep their file open.
        defer { withExtendedLifetime(file) {} }
        let delta = OrderedDelta()
        var buffer = OrderedKeyBuffer()
        func set(_ target: UInt64, _ origin: UInt64, _ count: UInt32) {
            buffer.setBacklinkKey(SpaceID(3), target: RowKey(target), origin: RowKey(origin))
            if count == 0 { delta.remove(buffer.bytes) } else { delta.put(buffer.bytes, payload: count) }
        }
        for origin in 0..<100 as Range<UInt64> {
            for target in 9...11 as ClosedRange<UInt64> { set(target, origin * 3, 1) }
        }
        try file.commit(delta, valuesHoldPayload: true)
        delta.reset()
        set(10, 3, 0)
        set(10, 6, 5)
        set(10, 7, 2)
        let reading = try file.environment.beginRead()
        var cursor = OrderedCursor(
            try LMDBOrderedSource(reading.cursor(file.database)), delta,
            within: .backlinks(SpaceID(3), of: RowKey(10)))
        var found: [(UInt64, UInt32)] = []
        while let entry = try cursor.next() { found.append((entry.rowKey.value, entry.payload)) }
        #expect(found.prefix(4).map(\.0) == [0, 6, 7, 9])
        #expect(found.prefix(4).map(\.1) == [1, 5, 2, 1])
        #expect(found.count == 100)
        #expect(try cursor.last()?.rowKey == RowKey(297))
    }

    @Test func `with nothing beneath sees the changes alone`() throws {
        let delta = OrderedDelta()
        indexKey(.bool, [1], RowKey(5)).withUnsafeBytes { delta.put($0) }
        var cursor = OrderedCursor(EmptyOrderedSource(), delta, within: .all(SpaceID(7), .bool))
        #expect(try cursor.count() == 1)
        var without = OrderedCursor(EmptyOrderedSource(), nil, within: .all(SpaceID(7), .bool), .descending)
        #expect(try without.next() == nil)
    }

    @Test func `reports damage and goes on behind it`() throws {
        var entries: [[UInt8]: [UInt8]] = [:]
        for row in 0..<5 as Range<UInt64> {
            entries[indexKey(.int, ValueModel.bytes(Int64(1)), RowKey(row))] = []
        }
        entries[[0, 7, 1, 3]] = []
        entries[indexKey(.int, ValueModel.bytes(Int64(2)), RowKey(9)) + [0]] = []
        entries[indexKey(.int, ValueModel.bytes(Int64(3)), RowKey(9))] = [1, 2, 3, 4]
        for order in [ScanOrder.ascending, .descending] {
            var cursor = OrderedCursor(ArraySource(entries), nil, within: .all(SpaceID(7), .int), order)
            var (goodCount, damagedCount) = (0, 0)
            while true {
                do throws(StorageError) {
                    guard try cursor.next() != nil else { break }
                    goodCount += 1
                } catch {
                    #expect(error.code == .damaged)
                    damagedCount += 1
                }
            }
            #expect(goodCount == 5)
            #expect(damagedCount == 3)
        }
        let links: [[UInt8]: [UInt8]] = [[0, 7] + [UInt8](repeating: 0, count: 16): []]
        var cursor = OrderedCursor(ArraySource(links), nil, within: .backlinks(SpaceID(7), of: RowKey(0)))
        #expect(throws: StorageError.self) { try cursor.next() }
    }

    @Test func `traps when the changes go on under it`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let delta = OrderedDelta()
            indexKey(.bool, [1], RowKey(5)).withUnsafeBytes { delta.put($0) }
            var cursor = OrderedCursor(EmptyOrderedSource(), delta, within: .all(SpaceID(7), .bool))
            indexKey(.bool, [1], RowKey(6)).withUnsafeBytes { delta.put($0) }
            _ = try cursor.next()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("An index was changed while it was read"))
    }

    @Test func `sees the changes made before a restart`() throws {
        let delta = OrderedDelta()
        var cursor = OrderedCursor(EmptyOrderedSource(), delta, within: .all(SpaceID(7), .bool))
        #expect(try cursor.next() == nil)
        indexKey(.bool, [1], RowKey(6)).withUnsafeBytes { delta.put($0) }
        cursor.restart()
        #expect(try cursor.next()?.rowKey == RowKey(6))
    }
}
