import CairnStorage
import Testing

/// Faults of deleting rows.
@Suite struct DeletionFaultTests {
    /// A row enters its indexes when it is finished. Deleting finished the rows of its own table only, and
    /// took an owned row out of indexes that it was not in.
    @Test func `an owned row that was not finished left indexes it had never entered`() throws {
        try StoreFixture.run { fixture in
            try fixture.store.change { session in
                let parts = try session.makeTable(.init("n", .int), name: "Part", isEmbedded: true)
                try session.index(parts, .hash, on: 0)
                try session.index(parts, .ordered, on: 0)
                let owners = try session.makeTable(.init("part", .link, target: "Part"))
                let owner = try owners.insert()
                try owners.setLink(owner, 0, try parts.insert())
                try session.delete(owner, from: owners)
                #expect(parts.rowCount == 0)
                try session.throwDamage()
                _ = try parts.insert()
            }
        }
    }
}
