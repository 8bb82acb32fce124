package import CairnStorage

/// One of two processes that commit in turn, each when its watcher, and nothing else, has told it of the
/// other's commit. A commit that is missed is a relay that stands still.
package struct Relay {
    private static let patience = Duration.seconds(60)

    private let store: Store
    /// 0 or 1: this one commits when the turn has that remainder by 2.
    private let side: Int

    package init(_ store: Store, side: Int) {
        self.store = store
        self.side = side
    }

    /// Makes the table. One write; the file must be new.
    package static func make(_ session: Session) throws {
        let table = try session.createTable("Relay")
        try session.addColumn(.init("turn", .int), to: table.definition.space)
        try session.addColumn(.init("version", .int), to: table.definition.space)
        _ = try table.insert()
    }

    /// Commits so many turns.
    ///
    /// - Parameter begins: called when the watch has begun.
    /// - Returns: the versions that were told, in that order.
    @discardableResult
    package func run(turns: Int, begins: () -> Void = {}) throws -> [Version] {
        let session = try store.makeSession()
        let told = Monitor([Version]())
        let token = store.watch { version in
            told.withLock { $0.append(version) }
            told.notifyAll()
        }
        defer { token.cancel() }
        begins()
        for own in 0..<turns {
            try waitForTurn(own * 2 + side, session, told)
            try store.write(session, durability: .full) { try passOn(session) }
        }
        return told.withLock { $0 }
    }

    private func waitForTurn(_ wanted: Int, _ session: Session, _ told: Monitor<[Version]>) throws {
        let deadline = MonotonicTime.now + Self.patience
        while true {
            let before = told.withLock { $0 }
            try store.refresh(session)
            guard session.version >= before.last ?? Version(0) else {
                throw LedgerFailure("\(before.last ?? Version(0)) was told and \(session.version) is seen")
            }
            let (turn, version) = try place(session)
            let isTold = before.last.map { $0 >= version } ?? false
            if turn == wanted, wanted == 0 || isTold { return }
            let next: Void? = told.wait(until: deadline) { $0.count > before.count ? () : nil }
            guard next != nil else {
                throw LedgerFailure(
                    "turn \(wanted) was missed; told until now \(before.last.map { "\($0)" } ?? "nothing")")
            }
        }
    }

    private func place(_ session: Session) throws -> (turn: Int, version: Version) {
        guard let table = try session.table(named: "Relay") else { throw LedgerFailure("there is no relay") }
        let version = UInt64(table.value(RowKey(0), 1, as: Int64.self))
        return (Int(table.value(RowKey(0), 0, as: Int64.self)), Version(version))
    }

    private func passOn(_ session: Session) throws {
        guard let table = try session.table(named: "Relay") else { throw LedgerFailure("there is no relay") }
        try table.set(RowKey(0), 0, table.value(RowKey(0), 0, as: Int64.self) + 1)
        try table.set(RowKey(0), 1, Int64(session.version.value + 1))
    }
}
