import CairnStorage
import Testing

/// Faults of writes that were so large that a part was written ahead of the commit.
@Suite struct SpillFaultTests {
    /// Everything spills that may.
    private let spilling = StoreConfiguration(spillByteCount: 0)

    /// The slot of a list that has outgrown its chunk's heap had no count and no value id until the
    /// commit, which the check of a chunk that is read back takes for damage.
    @Test func `a list that outgrew the heap was damage once its chunk was spilled`() throws {
        try StoreFixture.run(spilling) { fixture in
            let numbers = (0..<40).map { Int64($0) }
            try fixture.store.change { session in
                let table = try session.makeTable(.init("n", .int, collection: .list))
                let row = try table.insert()
                try table.setNumbers(row, 0, numbers)
                try session.spill()
                #expect(try table.numbers(row, 0) == numbers)
                try session.throwDamage()
            }
            try fixture.store.read { session in
                let table = try session.known()
                #expect(try table.numbers(RowKey(0), 0) == numbers)
            }
        }
    }
}
