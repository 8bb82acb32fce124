package import CairnStorage

/// What the writers of the durability tests write: a file whose whole content follows from one number.
///
/// A round is one transaction. It changes every table, index and kind of value, and writes its number into
/// rows of three blocks, so that a part of a transaction, or one that is missing in between, is seen.
///
///     Counter   900 rows; five of them in three blocks hold the number of the last round
///     Entry     one a round, the last `keptCount`: key, indexed numbers and texts, link to a counter;
///               changed once more ten rounds later
///     Book      one row: a text, a list of numbers that is cut now and then, a list of links to all entries
///     Bulk      `bulkCount` rows of each of the last two rounds
package struct Ledger: Sendable {
    /// Rows that each round adds to the table `Bulk`.
    package var bulkCount: Int

    package init(bulkCount: Int = 0) { self.bulkCount = bulkCount }

    static let counterCount = 900
    /// Rows at the borders of blocks.
    static let marks = [0, 447, 448, 895, 899]
    static let keptCount = 60
    static let revisionDelay = 10
    static let numberLimit = 400
    static let numberCut = 150

    /// A text that shows which round wrote it: in place, in the heap, or a record of its own.
    static func text(_ round: Int) -> String {
        let lengths = [3, 12, 13, 200, 1_100, 3_000, 9_000]
        let piece = "\(round)."
        let length = lengths[round % lengths.count]
        return String(String(repeating: piece, count: length / piece.count + 1).prefix(length))
    }

    /// The numbers that the list of the book has after a round.
    static func numbers(_ round: Int) -> ClosedRange<Int> {
        var first = 1
        for last in 1...max(round, 1) where last - first + 1 > numberLimit { first += numberCut }
        return first...max(round, 1)
    }

    /// Makes the tables. One write; the file must be new.
    package func make(_ session: Session) throws {
        let counters = try session.createTable("Counter").definition.space
        try session.addColumn(.init("number", .int), to: counters)
        try session.addColumn(.init("round", .int), to: counters)
        let entries = try session.createTable("Entry").definition.space
        try session.addColumn(.init("id", .int), to: entries)
        try session.addColumn(.init("round", .int), to: entries)
        try session.addColumn(.init("note", .string), to: entries)
        try session.addColumn(.init("owner", .link, target: "Counter"), to: entries)
        let book = try session.createTable("Book").definition.space
        try session.addColumn(.init("text", .string), to: book)
        try session.addColumn(.init("numbers", .int, collection: .list), to: book)
        try session.addColumn(.init("entries", .link, collection: .list, target: "Entry"), to: book)
        let bulk = try session.createTable("Bulk").definition.space
        try session.addColumn(.init("round", .int), to: bulk)
        try session.addColumn(.init("tag", .string), to: bulk)
        try addIndexes(session)
        let tables = try LedgerTables(session)
        for number in 0..<Self.counterCount {
            try tables.counters.set(try tables.counters.insert(), 0, Int64(number))
        }
        _ = try tables.book.insert()
    }

    private func addIndexes(_ session: Session) throws {
        let tables = try LedgerTables(session)
        let id = tables.entries.definition.columns[0].id
        try session.addIndex(
            .hash, on: [id], of: tables.entries.definition.space, isUnique: true, isPrimaryKey: true)
        for (table, position) in [
            (tables.counters, 1), (tables.entries, 1), (tables.entries, 2), (tables.bulk, 0),
        ] {
            let column = table.definition.columns[position].id
            try session.addIndex(.ordered, on: [column], of: table.definition.space)
        }
    }

    /// The next round, inside a write.
    ///
    /// - Returns: its number.
    @discardableResult
    package func advance(_ session: Session) throws -> Int {
        let tables = try LedgerTables(session)
        let round = tables.round + 1
        for mark in Self.marks { try tables.counters.set(RowKey(UInt64(mark)), 1, Int64(round)) }
        try addEntry(round, tables)
        try reviseEntry(round, tables)
        try changeBook(round, tables)
        try removeEntry(round, tables, session)
        try changeBulk(round, tables, session)
        return round
    }

    private func addEntry(_ round: Int, _ tables: LedgerTables) throws {
        let entry = try tables.entries.insert(key: Int64(round))
        try tables.entries.set(entry, 1, Int64(round))
        try tables.entries.setText(entry, 2, Self.text(round))
        try tables.entries.setLink(entry, 3, RowKey(UInt64(round * 7 % Self.counterCount)))
        try tables.book.appendLinks(tables.bookRow, 2, [entry])
    }

    private func reviseEntry(_ round: Int, _ tables: LedgerTables) throws {
        let id = round - Self.revisionDelay
        guard id >= 1 else { return }
        guard let entry = try tables.entries.row(index: 0, key: Int64(id)) else {
            throw LedgerFailure("the entry \(id) is not found by its key in round \(round)")
        }
        try tables.entries.set(entry, 1, Int64(round))
        try tables.entries.setText(entry, 2, Self.text(round))
        try tables.entries.setLink(entry, 3, round % 3 == 0 ? nil : RowKey(UInt64(id % 5)))
    }

    private func changeBook(_ round: Int, _ tables: LedgerTables) throws {
        try tables.book.setText(tables.bookRow, 0, Self.text(round + 3))
        let count = try tables.book.listCount(tables.bookRow, 1)
        try withUnsafeBytes(of: Int64(round)) { bytes in
            try tables.book.replaceElements(tables.bookRow, 1, count..<count, with: [bytes])
        }
        if count + 1 > Self.numberLimit {
            try tables.book.replaceElements(tables.bookRow, 1, 0..<Self.numberCut, with: [])
        }
    }

    private func removeEntry(_ round: Int, _ tables: LedgerTables, _ session: Session) throws {
        let id = round - Self.keptCount
        guard id >= 1 else { return }
        guard let entry = try tables.entries.row(index: 0, key: Int64(id)) else {
            throw LedgerFailure("the entry \(id), which is to go, is not found by its key in round \(round)")
        }
        try session.delete(entry, from: tables.entries)
    }

    private func changeBulk(_ round: Int, _ tables: LedgerTables, _ session: Session) throws {
        guard bulkCount > 0 else { return }
        for number in 0..<bulkCount {
            let row = try tables.bulk.insert()
            try tables.bulk.set(row, 0, Int64(round))
            try tables.bulk.setText(row, 1, "\(round).\(number)")
        }
        try session.delete(try tables.bulk.rows(ordered: 0, number: round - 2), from: tables.bulk)
    }
}

/// The tables of the ledger as a session sees them.
struct LedgerTables {
    let counters: SessionTable
    let entries: SessionTable
    let book: SessionTable
    let bulk: SessionTable
    let bookRow = RowKey(0)

    init(_ session: Session) throws {
        guard let counters = try session.table(named: "Counter"),
            let entries = try session.table(named: "Entry"),
            let book = try session.table(named: "Book"), let bulk = try session.table(named: "Bulk")
        else { throw LedgerFailure("the file has no ledger in it") }
        self.counters = counters
        self.entries = entries
        self.book = book
        self.bulk = bulk
    }

    /// The number of the last round.
    var round: Int { Int(counters.value(RowKey(0), 1, as: Int64.self)) }
}

extension SessionTable {
    /// The rows with a number in an ordered index.
    func rows(ordered index: Int, number: Int) throws -> [RowKey] {
        try withUnsafeBytes(of: Int64(number)) { try rows(ordered: index, .equal($0)) }
    }
}

/// What is wrong in a ledger.
package struct LedgerFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
