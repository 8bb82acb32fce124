package import CairnStorage

extension Ledger {
    /// Compares everything that a session sees with what its round must have left.
    ///
    /// - Returns: the number of the last round; 0 before the first.
    @discardableResult
    package func check(_ session: Session) throws -> Int {
        let tables = try LedgerTables(session)
        let round = tables.round
        try checkCounters(round, tables)
        try checkEntries(round, tables)
        try checkBook(round, tables)
        try checkBulk(round, tables)
        try session.throwDamage()
        return round
    }

    private func checkCounters(_ round: Int, _ tables: LedgerTables) throws {
        let counters = tables.counters
        try expect(counters.rowCount, Self.counterCount, "counters", round)
        let marks = Self.marks.map { RowKey(UInt64($0)) }
        for mark in marks {
            try expect(Int(counters.value(mark, 1, as: Int64.self)), round, "the counter \(mark)", round)
        }
        try expect(
            Int(counters.value(RowKey(448), 0, as: Int64.self)), 448, "a number that never changes", round)
        if round > 0 {
            try expect(try counters.rows(ordered: 0, number: round), marks, "counters by the index", round)
            let others = try counters.rows(ordered: 0, number: 0).count
            try expect(others, Self.counterCount - marks.count, "counters at 0 by the index", round)
        }
        try checkOwned(round, tables)
    }

    /// The links to the counters, from both sides.
    private func checkOwned(_ round: Int, _ tables: LedgerTables) throws {
        var wanted: [RowKey: Set<RowKey>] = [:]
        for id in Self.ids(round) {
            guard let entry = try tables.entries.row(index: 0, key: Int64(id)) else {
                throw LedgerFailure("in round \(round) the entry \(id) is not found by its key")
            }
            let owner = Self.owner(id, round)
            try expect(tables.entries.link(entry, 3), owner, "the owner of entry \(id)", round)
            if let owner { wanted[owner, default: []].insert(entry) }
        }
        for number in 0..<Self.counterCount {
            let row = RowKey(UInt64(number))
            let found = Set(tables.counters.backlinks(row, 2))
            try expect(found, wanted[row] ?? [], "the entries of counter \(number)", round)
        }
    }

    private func checkEntries(_ round: Int, _ tables: LedgerTables) throws {
        let entries = tables.entries
        var found: [Int] = []
        try entries.forEachRow { row in
            let id = Int(entries.value(row, 0, as: Int64.self))
            found.append(id)
            let writer = Self.lastWriter(id, round)
            try expect(Int(entries.value(row, 1, as: Int64.self)), writer, "the number of entry \(id)", round)
            try expect(entries.string(row, 2), Self.text(writer), "the note of entry \(id)", round)
            try expect(entries.backlinks(row, 4), [tables.bookRow], "the book of entry \(id)", round)
            try expect(try entries.row(index: 0, key: Int64(id)), row, "the entry with the key \(id)", round)
        }
        try expect(found, Array(Self.ids(round)), "the entries", round)
        try expect(entries.rowCount, found.count, "the number of entries", round)
        let byNumber = try entries.rows(ordered: 1).map { Int(entries.value($0, 1, as: Int64.self)) }
        try expect(
            byNumber, Self.ids(round).map { Self.lastWriter($0, round) }.sorted(), "entries by number", round)
        let byNote = try entries.rows(ordered: 2).map { entries.string($0, 2) }
        let notes = Self.ids(round).map { Self.text(Self.lastWriter($0, round)) }
        try expect(
            byNote, notes.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, "entries by note", round)
    }

    private func checkBook(_ round: Int, _ tables: LedgerTables) throws {
        let (book, row) = (tables.book, tables.bookRow)
        guard round > 0 else { return }
        try expect(book.string(row, 0), Self.text(round + 3), "the text of the book", round)
        var numbers: [Int] = []
        try book.forEachRun(row, 1) { run, _ throws(StorageError) in
            for place in 0..<run.count {
                numbers.append(run.element(at: place).map { Int($0.loadUnaligned(as: Int64.self)) } ?? -1)
            }
        }
        try expect(numbers, Array(Self.numbers(round)), "the numbers in the book", round)
        let ids = try (0..<book.listCount(row, 2)).map { index in
            Int(tables.entries.value(try book.listLink(row, 2, at: index), 0, as: Int64.self))
        }
        try expect(ids, Array(Self.ids(round)), "the entries of the book", round)
    }

    private func checkBulk(_ round: Int, _ tables: LedgerTables) throws {
        let bulk = tables.bulk
        var found: [String] = []
        bulk.forEachRow { found.append(bulk.string($0, 1)) }
        let rounds = max(1, round - 1)..<(round + 1)
        let wanted = rounds.flatMap { round in (0..<bulkCount).map { "\(round).\($0)" } }
        try expect(found, wanted, "the rows in bulk", round)
        for number in rounds {
            try expect(try bulk.rows(ordered: 0, number: number).count, bulkCount, "rows of a round", round)
        }
    }

    /// The entries that are there after a round.
    private static func ids(_ round: Int) -> Range<Int> { max(1, round - keptCount + 1)..<(round + 1) }

    /// The round that changed an entry last.
    private static func lastWriter(_ id: Int, _ round: Int) -> Int {
        round >= id + revisionDelay ? id + revisionDelay : id
    }

    private static func owner(_ id: Int, _ round: Int) -> RowKey? {
        let writer = lastWriter(id, round)
        if writer == id { return RowKey(UInt64(id * 7 % counterCount)) }
        return writer % 3 == 0 ? nil : RowKey(UInt64(id % 5))
    }

    private func expect<Value: Equatable>(
        _ found: Value, _ wanted: Value, _ what: @autoclosure () -> String, _ round: Int
    ) throws {
        guard found != wanted else { return }
        throw LedgerFailure("in round \(round) \(what()): found \(found), wanted \(wanted)")
    }
}
