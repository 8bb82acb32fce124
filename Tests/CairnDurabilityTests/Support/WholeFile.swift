import CairnStorage
import DurabilityWorkload

/// Checks of a whole file.
enum WholeFile {
    private static let databases: [String: KeyOrder] = [
        "catalog": .bytes, "chunks": .integers, "ordered": .bytes, "values": .integers, "changes": .integers,
    ]

    /// Throws what is wrong with the pages, the contents or the rounds of a file.
    ///
    /// - Returns: the number of its last round.
    @discardableResult
    static func check(_ file: LedgerStore) throws -> Int {
        let store = try file.open()
        try check(store, path: file.path)
        return try file.ledger.check(try store.makeSession())
    }

    /// The same for a file whose contents are of no interest.
    static func check(_ store: Store, path: String) throws {
        let verified = try Verify.run(store)
        guard verified.isSound else {
            throw LedgerFailure("verify: \(verified.findings.map(\.description))")
        }
        let structure = try StructureCheck.run(path: path, databases: databases)
        guard structure.isSound, structure.findings.isEmpty else {
            throw LedgerFailure("structure: \(structure.findings.map(\.description))")
        }
    }
}

extension Store {
    /// Writes so many rounds with a new session.
    func advance(_ ledger: Ledger, rounds: Int = 1, durability: StoreOptions.Durability = .none) throws {
        let session = try makeSession()
        for _ in 0..<rounds { try write(session, durability: durability) { _ = try ledger.advance(session) } }
    }
}

/// The error of the engine that `body` throws; nil when it throws nothing.
func storageError(of body: () throws -> Void) throws -> StorageError? {
    do {
        try body()
        return nil
    } catch let error as StorageError {
        return error
    }
}
