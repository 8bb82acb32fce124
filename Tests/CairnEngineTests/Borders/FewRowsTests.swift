import CairnStorage
import Testing

/// Four rows that link to each other, of which every subset is deleted, at every time at which that can be
/// done.
@Suite struct FewRowsTests {
    enum Time: CaseIterable {
        case inTheWriteThatMadeThem
        case inALayerOfThatWrite
        case inALayerThatIsUndone
        case inAnotherWrite
        case inAnotherWriteThatIsCancelled
        case oneAfterTheOther
    }

    private static let rowCount = 4

    @Test(arguments: Time.allCases, [false, true])
    func `a few rows are deleted in every pattern`(time: Time, packs: Bool) throws {
        var configuration = StoreConfiguration(spillByteCount: 0)
        configuration.limits.packsChunks = packs
        try StoreFixture.run(configuration) { fixture in
            let session = try fixture.store.makeSession()
            defer { if session.isWriting { fixture.store.cancel(session) } }
            try run(time, session, fixture.store)
        }
    }

    private func run(_ time: Time, _ session: Session, _ store: Store) throws {
        var model = Model()
        try store.beginWrite(session)
        let tables = try (0..<(1 << Self.rowCount)).map { try makeTable($0, session, &model) }
        try compare(session, model)
        if time != .inTheWriteThatMadeThem, time != .inALayerOfThatWrite, time != .inALayerThatIsUndone {
            try store.commit(session)
            try store.beginWrite(session)
        }
        let before = model
        if time == .inALayerOfThatWrite || time == .inALayerThatIsUndone { try session.pushLayer() }
        for (pattern, space) in tables.enumerated() {
            try delete(pattern, of: space, session, &model, oneByOne: time == .oneAfterTheOther)
        }
        try compare(session, model)
        switch time {
        case .inALayerOfThatWrite: try session.mergeLayer()
        case .inALayerThatIsUndone: try session.popLayer()
        default: break
        }
        if time == .inAnotherWriteThatIsCancelled { store.cancel(session) } else { try store.commit(session) }
        if time == .inALayerThatIsUndone || time == .inAnotherWriteThatIsCancelled { model = before }
        try compare(session, model)
        try compare(try store.makeSession(), model)
        try addOneMore(to: tables, session, store, &model)
    }

    /// A table of rows with a text, a key, a link and a list of links to each other and to themselves.
    private func makeTable(_ pattern: Int, _ session: Session, _ model: inout Model) throws -> SpaceID {
        let name = "pattern \(pattern)"
        let table = try session.createTable(name)
        let space = table.definition.space
        for column in [
            Session.NewColumn("key", .int), .init("text", .string, isNullable: true),
            .init("link", .link, target: name), .init("links", .link, collection: .list, target: name),
        ] { try session.addColumn(column, to: space) }
        try session.index(table, .hash, on: 0, isUnique: true, isPrimaryKey: true)
        try session.index(table, .ordered, on: 1)
        model.add(ModelTable(space: space, name: name, isEmbedded: false))
        for column in table.definition.columns where !column.isHidden {
            model[space].add(ModelColumn(column))
        }
        for index in table.definition.indexes { model[space].add(index) }
        for number in 0..<Self.rowCount { try addRow(number, session, &model, space) }
        for row in model[space].keys { try link(row, session, &model, space) }
        return space
    }

    private func addRow(_ number: Int, _ session: Session, _ model: inout Model, _ space: SpaceID) throws {
        let table = try session.table(space)
        let row = try table.insert(key: Int64(number))
        try require(row == model[space].nextKey, "the new row is \(row), wanted \(model[space].nextKey)")
        model[space].insert(row)
        model[space].set(row, model[space].columns[0], .value(Int64(number).storedBytes))
        // One that is null, a short one, one in the heap, one in `values`.
        let text = number == 1 ? nil : String(repeating: "t", count: [1, 20, 2_000, 13][number % 4])
        if let text { try table.setText(row, 1, text) } else { try table.setNull(row, 1) }
        model[space].set(row, model[space].columns[1], .value(text.map { Array($0.utf8) }))
    }

    /// Each row links to the next, and lists itself, the first row twice, and all before it.
    private func link(_ row: RowKey, _ session: Session, _ model: inout Model, _ space: SpaceID) throws {
        let table = try session.table(space)
        let keys = model[space].keys
        let next = keys[(Int(row.value) + 1) % keys.count]
        let positions = try linkPositions(table)
        try table.setLink(row, positions.link, next)
        model[space].set(row, model[space].columns[2], .link(next))
        let targets = [row, keys[0], keys[0]] + keys.prefix { $0 < row }
        try table.appendLinks(row, positions.links, targets)
        model[space].set(row, model[space].columns[3], .links(targets))
    }

    /// A column that links to its own table stands behind the hidden one that mirrors it.
    private func linkPositions(_ table: SessionTable) throws -> (link: Int, links: Int) {
        guard let link = table.definition.position(named: "link"),
            let links = table.definition.position(named: "links")
        else { throw ModelFailure("a link is gone") }
        return (link, links)
    }

    private func delete(
        _ pattern: Int, of space: SpaceID, _ session: Session, _ model: inout Model, oneByOne: Bool
    ) throws {
        let rows = (0..<Self.rowCount).filter { pattern >> $0 & 1 == 1 }.map { RowKey(UInt64($0)) }
        let table = try session.table(space)
        if oneByOne {
            for row in rows.reversed() { try session.delete(row, from: table) }
        } else {
            try session.delete(rows, from: table)
        }
        model.delete(rows, from: space)
    }

    private func addOneMore(to tables: [SpaceID], _ session: Session, _ store: Store, _ model: inout Model)
        throws
    {
        try store.beginWrite(session)
        for space in tables {
            try addRow(Self.rowCount + 1, session, &model, space)
            guard let row = model[space].keys.last else { continue }
            let table = try session.table(space)
            try table.setLink(row, try linkPositions(table).link, row)
            model[space].set(row, model[space].columns[2], .link(row))
        }
        try store.commit(session)
        try compare(try store.makeSession(), model)
    }

    private func compare(_ session: Session, _ model: Model) throws {
        var comparison = ModelComparison(session, model, seed: 1)
        try comparison.run()
    }
}
