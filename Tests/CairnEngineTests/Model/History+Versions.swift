import CairnStorage

/// Steps that begin, end and undo, and those that read other versions.
extension History {
    func begin() throws {
        if chance.isOne(in: 3) { try changeSessions() }
        if chance.isOne(in: 4) {
            note("refresh")
            try fixture.store.refresh(session)
            model = committed
            try compare()
        }
        note("begin")
        try fixture.store.beginWrite(session, on: chance.isOne(in: 4) ? .store : .caller)
        model = committed
        layers = [committed]
        try checkHeldTables()
    }

    /// The other session goes on, from the version that it has come to.
    private func changeSessions() throws {
        note("change sessions")
        let next = try idle ?? IdleSession(session: fixture.store.makeSession(), model: committed, held: [:])
        idle = IdleSession(session: session, model: model, held: held)
        openSession = next.session
        model = next.model
        held = next.held
        try checkHeldTables()
    }

    // MARK: Layers

    func pushLayer() throws {
        guard layers.count < 5 else { return }
        note("push a layer on \(layers.count)")
        try session.pushLayer()
        layers.append(model)
    }

    func popLayer() throws {
        guard layers.count > 1, let before = layers.popLast() else { return }
        note("pop layer \(layers.count + 1)")
        try session.popLayer()
        model = before
        if chance.isOne(in: 3) { try compare() }
    }

    func mergeLayer() throws {
        guard layers.count > 1 else { return }
        note("merge layer \(layers.count)")
        try session.mergeLayer()
        layers.removeLast()
    }

    // MARK: Ends

    func cancel() throws {
        note("cancel")
        fixture.store.cancel(session)
        layers = []
        model = committed
        try checkHeldTables()
        if chance.isOne(in: 2) { try compare() }
    }

    func commit() throws {
        while layers.count > 1 { try chance.isOne(in: 3) ? popLayer() : mergeLayer() }
        let old = HistoryReader(session.snapshot, committed)
        // Now and then only: what the commit writes must not always have been read before.
        if !commitsOften, chance.isOne(in: 2) { try compare() }
        note("commit")
        let changes = try fixture.store.commit(session)
        layers = []
        if let changes {
            try ChangeComparison(from: committed, to: model).check(changes)
            try require(changes.version == session.version, "the session is at another version than it made")
        } else {
            try ChangeComparison(from: committed, to: model).checkNothing()
            model = committed
        }
        committed = model
        try compareChanges(since: old)
        if readers.count < 4, chance.isOne(in: commitsOften ? 10 : 2) { readers.append(old) }
        if !commitsOften || chance.isOne(in: 16) { try compareEverywhere() }
    }

    func commitAndReopen() throws {
        try commit()
        try reopen()
        try compareEverywhere()
    }

    func reopen() throws {
        note("reopen")
        usedKeys = [:]
        forgetReaders()
        // The old session keeps the old store open.
        openSession = nil
        fixture.close()
        try fixture.check()
        try fixture.open()
        openSession = try fixture.store.makeSession()
    }

    // MARK: Other versions

    /// What the store tells of the changes since a version leads from its model to the newest.
    private func compareChanges(since old: HistoryReader) throws {
        let newest = try fixture.store.newestSnapshot()
        for reader in readers + [old] {
            guard let changes = try fixture.store.changes(from: reader.snapshot, to: newest) else {
                try require(
                    reader.snapshot.version == newest.version,
                    "there are no changes since \(reader.snapshot.version)")
                continue
            }
            toldChanges.append(changes)
            do {
                try ChangeComparison(from: reader.model, to: committed).check(changes)
            } catch let failure as ModelFailure {
                throw ModelFailure("changes since \(reader.snapshot.version): \(failure)")
            }
        }
    }

    /// Another session reads an old version, or lets go of it.
    func readLater() throws {
        guard !readers.isEmpty else { return }
        let index = chance.number(0..<readers.count)
        note("read \(readers[index].snapshot.version)")
        try readers[index].compare(seed: chance.chance.next())
        switch chance.number(0..<6) {
        case 0, 1: readers.remove(at: index)
        case 2:
            note("which moves to the newest")
            try readers[index].move(to: try fixture.store.newestSnapshot(), committed)
            try readers[index].compare(seed: chance.chance.next())
        default: break
        }
    }
}
