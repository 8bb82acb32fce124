package import CairnStorage

/// How the processes of a test open their common file.
package struct LedgerStore {
    package var path: String
    package var durability = StoreOptions.Durability.full
    package var bulkCount = 0
    /// Small: a round is written ahead of its commit.
    package var spillByteCount = 128 << 20
    package var windowCount = 1_000
    package var maximumFileByteCount: Int?
    package var readerCount = 1_024
    package var isReadOnly = false

    package init(path: String) { self.path = path }

    package var ledger: Ledger { Ledger(bulkCount: bulkCount) }

    package var options: StoreOptions {
        var options = StoreOptions(
            path: path, isReadOnly: isReadOnly, maximumFileByteCount: maximumFileByteCount,
            readerCount: readerCount,
            durability: durability, cacheByteCount: 64 << 10, spillByteCount: spillByteCount,
            changeWindow: .init(versionLimit: windowCount))
        options.limits = .tiny
        return options
    }

    package func open() throws(StorageError) -> Store { try Store.open(options) }

    /// Opens the file and makes its tables where they are not there.
    package func openWithTables() throws -> Store {
        let store = try open()
        let session = try store.makeSession()
        guard session.schema["Counter"] == nil else { return store }
        try store.write(session) {
            // Another process may have been faster.
            if session.schema["Counter"] == nil { try ledger.make(session) }
        }
        return store
    }

    /// The arguments of a child that is to open it in the same way.
    package var arguments: [String] {
        let durability =
            switch durability {
            case .full: "full"
            case .lastCommitAtRisk: "risk"
            case .none: "none"
            }
        return [path, durability, "\(bulkCount)", "\(spillByteCount)", "\(windowCount)"]
    }

    /// What `arguments` stand for.
    package init(arguments: [String]) {
        path = arguments[0]
        durability = arguments[1] == "full" ? .full : arguments[1] == "risk" ? .lastCommitAtRisk : .none
        // Numbers, as the tests give them.
        bulkCount = Int(arguments[2])!
        spillByteCount = Int(arguments[3])!
        windowCount = Int(arguments[4])!
    }
}
