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
}
