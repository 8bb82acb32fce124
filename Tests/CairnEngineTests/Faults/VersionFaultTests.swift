import CairnStorage
import Testing

/// Faults of commits, cancels and change sets.
@Suite struct VersionFaultTests {
    /// A write that removes a table puts its object aside, and its end forgot it, also where the removal
    /// was undone: the object went on pointing to chunks of the write.
    @Test func `a table became another when its removal was cancelled`() throws {
        try StoreFixture.run { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("n", .int))
                try table.set(try table.insert(), 0, Int64(3))
            }
            let session = try fixture.store.makeSession()
            try withExtendedLifetime(session) {
                let table = try session.known()
                try fixture.store.beginWrite(session)
                try table.set(RowKey(0), 0, Int64(4))
                try session.removeTable(table.definition.space)
                fixture.store.cancel(session)
                #expect(try session.known() === table)
                #expect(table.value(RowKey(0), 0, as: Int64.self) == 3)
            }
        }
    }

    /// The comparison of two versions left out columns that the older one does not have.
    @Test(arguments: [0, 1_000]) func `rows set in a new column were not among the modified`(window: Int)
        throws
    {
        var configuration = StoreConfiguration()
        configuration.window.versionLimit = window
        try StoreFixture.run(configuration) { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("n", .int))
                for _ in 0..<3 { _ = try table.insert() }
            }
            let before = try fixture.store.newestSnapshot()
            try fixture.store.change { session in
                let table = try session.known()
                try session.addColumn(.init("m", .int), to: table.definition.space)
                try table.set(RowKey(1), 1, Int64(5))
            }
            let after = try fixture.store.newestSnapshot()
            let changes = try fixture.store.changes(from: before, to: after)
            let space = after.schema.tables[0].space
            #expect(changes?.changes(of: space).modifiedRows == [RowKey(1)])
        }
    }

    /// The first block of a table without rows is the next row's: it was one further when that row
    /// belongs to a block that had rows before.
    @Test func `an emptied table skipped the block of its next row`() throws {
        try StoreFixture.run { fixture in
            try fixture.store.change { session in
                let table = try session.makeTable(.init("n", .int))
                for _ in 0..<449 { _ = try table.insert() }
            }
            try fixture.store.change { session in
                let table = try session.known()
                try session.delete(table.rowKeys, from: table)
            }
            try withExtendedLifetime(try fixture.store.newestSnapshot()) { snapshot in
                let state = try snapshot.table(0).state
                #expect(state.nextRowKey == 449 && state.firstBlock == 1)
            }
            try fixture.store.change { session in
                let table = try session.known()
                #expect(try table.insert() == RowKey(449))
                #expect(table.rowKeys == [RowKey(449)])
            }
        }
    }
}
