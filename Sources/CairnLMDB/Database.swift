internal import CLMDB

/// A named database inside an environment: LMDB's handle, a small number.
///
/// Valid as long as the environment is open, in every transaction that begins after the one that
/// opened the handle has ended (and in that one).
@usableFromInline
@frozen
package struct Database: Hashable, Sendable {
    @usableFromInline
    package let handle: UInt32

    @inlinable
    package init(handle: UInt32) {
        self.handle = handle
    }
}

/// How a named database is opened.
package struct DatabaseOptions: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The keys are `UInt64` in the machine's byte order, ordered as numbers.
    package static let integerKeys = DatabaseOptions(rawValue: UInt32(MDB_INTEGERKEY))
    /// Make the database when it is not there. Only in a write transaction.
    package static let create = DatabaseOptions(rawValue: UInt32(MDB_CREATE))
}

/// Size and shape of one database's tree.
package struct Statistics: Hashable, Sendable {
    package let entryCount: Int
    package let depth: Int
    package let branchPageCount: Int
    package let leafPageCount: Int
    package let overflowPageCount: Int
}
