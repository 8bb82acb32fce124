import CairnStorage

/// A version that is held, what it must show, and a session at it.
final class HistoryReader {
    private(set) var snapshot: Snapshot
    private(set) var model: Model
    private let session: Session

    init(_ snapshot: Snapshot, _ model: Model) {
        self.snapshot = snapshot
        self.model = model
        session = Session(snapshot)
    }

    /// Goes on to a newer version with the same session.
    func move(to snapshot: Snapshot, _ model: Model) throws {
        try session.adopt(snapshot)
        self.snapshot = snapshot
        self.model = model
    }

    func compare(seed: UInt64) throws {
        do {
            var comparison = ModelComparison(session, model, seed: seed)
            try comparison.run()
        } catch let failure as ModelFailure {
            throw ModelFailure("a reader at \(snapshot.version): \(failure)")
        }
    }
}

/// A session between its writes, the model of its version, and the tables its program has in its hand.
struct IdleSession {
    let session: Session
    let model: Model
    let held: [SpaceID: SessionTable]
}
