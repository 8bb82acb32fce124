internal import CairnLMDB

/// A read transaction, and what keeps its file open: one version of the file, for one reader.
///
/// Unlike a `Snapshot` it has read nothing yet, so it can be had of a file whose catalogue is damaged.
final class HeldTransaction {
    // The order matters: stored properties are destroyed in the order of their declaration, and the
    // transaction has to end before the file may be closed.
    let transaction: ReadTransaction
    private let file: any Sendable

    init(_ transaction: consuming ReadTransaction, holding file: any Sendable) {
        self.transaction = transaction
        self.file = file
    }

    var version: Version { Version(transaction.id) }
}
