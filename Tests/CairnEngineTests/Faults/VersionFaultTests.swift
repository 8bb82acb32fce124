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
}
