import CairnStorage
import Testing

/// Faults of indexes.
@Suite struct IndexFaultTests {
    /// Strings that an index cuts are put into order by their values, which were read while the lock that
    /// reading takes was held.
    @Test func `a query over long strings took a lock twice`() throws {
        try StoreFixture.run { fixture in
            let shared = String(repeating: "p", count: 600)
            try fixture.store.change { session in
                let table = try session.makeTable(.init("s", .string))
                try session.index(table, .ordered, on: 0)
                for letter in ["c", "a", "b"] { try table.setText(try table.insert(), 0, shared + letter) }
            }
            try fixture.store.read { session in
                let table = try session.known()
                #expect(try table.rows(ordered: 0) == [RowKey(1), RowKey(2), RowKey(0)])
            }
        }
    }

    /// The end of a mark in the pending entries sorted the log after it had removed the mark, so that the
    /// new run was merged with those below; the place where it had begun was then behind the last run.
    @Test func `a merged layer lost its place among the pending entries`() throws {
        try StoreFixture.run { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("n", .int))
                try session.index(table, .ordered, on: 0)
                func insert(_ numbers: Range<Int64>) throws {
                    for number in numbers { try table.set(try table.insert(), 0, number) }
                }
                try insert(0..<8)
                #expect(try table.rowCount(ordered: 0, .all) == 8)
                try insert(8..<9)
                try session.pushLayer()
                try insert(9..<20)
                try session.mergeLayer()
                #expect(try table.rows(ordered: 0) == table.rowKeys)
            }
        }
    }
}
