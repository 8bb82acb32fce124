internal import CLMDB
internal import Glibc

/// A read transaction: one version of the file, which stays as it is until the transaction ends.
///
/// Ends when the value is destroyed, and keeps the environment open until then. It is bound to no
/// thread (`MDB_NOTLS`), but two threads must not call it, or its cursors, at the same time. Bytes it
/// hands out lie in the map, and are valid until it ends.
@unsafe
@usableFromInline
@frozen
package struct ReadTransaction: ~Copyable, @unchecked Sendable {
    // Unchecked: LMDB lets a transaction with MDB_NOTLS go from thread to thread, and that two of them
    // do not use it at once is the owner's to see to. The compiler sees only an opaque pointer.

    @usableFromInline
    let pointer: OpaquePointer
    /// The process that began it. Its slot of the reader table is shared with the child of a `fork`, which
    /// must not give it back.
    @usableFromInline
    let processID: Int32
    @usableFromInline
    let environment: OpenEnvironment

    init(pointer: OpaquePointer, environment: OpenEnvironment) {
        unsafe self.environment = environment
        unsafe self.pointer = unsafe pointer
        unsafe processID = getpid()
    }

    @usableFromInline
    deinit {
        guard unsafe getpid() == processID else { return }
        // Commit, not abort: for a reader they differ only in the database handles it has opened,
        // which an abort would close again.
        unsafe mdb_txn_commit(pointer)
    }

    /// The version: the id of the commit that made it.
    package var id: UInt64 {
        UInt64(unsafe mdb_txn_id(pointer))
    }

    /// The database with this name, or nil where there is none.
    ///
    /// Only one transaction of the process may open databases at a time, and it must end before
    /// another one does.
    package func openDatabase(
        named name: String, _ options: DatabaseOptions
    ) throws(LMDBError) -> Database? {
        try unsafe TransactionReading.openDatabase(pointer, named: name, options)
    }

    /// The value under a key of a database with `.integerKeys`, or nil.
    @inlinable
    package func get(_ database: Database, _ key: UInt64) throws(LMDBError) -> UnsafeRawBufferPointer? {
        try unsafe TransactionReading.get(pointer, database, key)
    }

    /// The value under a key, or nil.
    @inlinable
    package func get(
        _ database: Database, _ key: UnsafeRawBufferPointer
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        try unsafe TransactionReading.get(pointer, database, key)
    }

    package func cursor(_ database: Database) throws(LMDBError) -> Cursor {
        try unsafe TransactionReading.openCursor(pointer, database, scope: nil)
    }

    package func statistics(_ database: Database) throws(LMDBError) -> Statistics {
        try unsafe TransactionReading.statistics(pointer, database)
    }
}
