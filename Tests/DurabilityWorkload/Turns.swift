package import CairnStorage

/// One of several writers that share a file, in one process or several. Each writes rounds in turn with the
/// others, and reads at an old version meanwhile.
package struct Turns {
    private let store: Store
    private let ledger: Ledger
    /// The version that one session keeps while the others go on, in commits of this writer.
    private let heldRounds: Int

    package init(_ store: Store, _ ledger: Ledger, heldRounds: Int = 3) {
        self.store = store
        self.ledger = ledger
        self.heldRounds = heldRounds
    }

    /// Writes so many rounds, and checks on the way that only whole ones are seen, that an old version
    /// never changes, and that what is told of the changes between two versions is right.
    package func run(rounds: Int, durability: StoreOptions.Durability) throws {
        let writer = try store.makeSession()
        let reader = try store.makeSession()
        var seen = try ledger.check(reader)
        for count in 1...rounds {
            let before = writer.version
            try store.write(writer, durability: durability) { try ledger.advance(writer) }
            guard writer.version > before else { throw LedgerFailure("a commit has not moved its session") }
            guard count % heldRounds == 0 else { continue }
            let again = try ledger.check(reader)
            guard again == seen else {
                throw LedgerFailure("a held version went from round \(seen) to \(again)")
            }
            try LedgerChanges(from: reader, to: writer).check(store)
            try store.refresh(reader)
            let now = try ledger.check(reader)
            guard now >= seen + heldRounds else {
                throw LedgerFailure("round \(now) is seen after \(heldRounds) own ones from \(seen) on")
            }
            seen = now
        }
    }
}
