import CairnStorage
import Testing

@Suite struct `Faults of row keys` {
    /// A write that is undone has handed out row keys. The next write handed them out again, so that whoever
    /// still held one of the first met a row of the second.
    @Test func `a row key of a cancelled write was given to another row`() throws {
        try StoreFixture.run { fixture in try use(fixture.store) }
    }

    private func use(_ store: Store) throws {
        let session = try store.makeSession()
        try store.write(session) { _ = try session.createTable("A") }

        try store.beginWrite(session)
        let cancelled = try #require(try session.table(named: "A")).insert()
        store.cancel(session)

        try store.beginWrite(session)
        let table = try #require(try session.table(named: "A"))
        try session.pushLayer()
        let undone = try table.insert()
        try session.popLayer()
        let kept = try table.insert()
        try store.commit(session)

        #expect(Set([cancelled, undone, kept]).count == 3)
        #expect(!table.contains(cancelled))
        #expect(!table.contains(undone))
        #expect(table.contains(kept))

        // Another session of the process, and a write that leaves nothing behind.
        let other = try store.makeSession()
        try store.beginWrite(other)
        let otherTable = try #require(try other.table(named: "A"))
        let removed = try otherTable.insert()
        try other.delete(removed, from: otherTable)
        #expect(try store.commit(other) == nil)
        try store.beginWrite(other)
        let last = try otherTable.insert()
        try store.commit(other)
        #expect(last != removed)
    }
}
