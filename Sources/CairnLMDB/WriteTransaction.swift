internal import CLMDB
internal import Glibc

/// Whether a write transaction has ended, for the cursors that may outlive it: LMDB frees those of a
/// write transaction itself, so that closing one afterwards would free it twice.
///
/// Used by the transaction's thread only.
@usableFromInline
package final class WriteScope {
    var hasEnded = false
}

/// The write transaction of an environment. There is one at a time, in all processes.
///
/// It belongs to the thread that began it, which must end it too; the caller sees to that. Bytes it
/// hands out are valid until its next change, or its end. Destroyed without `commit`, it is undone.
///
/// A call that fails for another reason than its arguments leaves a transaction that can only be
/// aborted (`badTransaction`).
@unsafe
@usableFromInline
@frozen
package struct WriteTransaction: ~Copyable {
    @usableFromInline
    let pointer: OpaquePointer
    @usableFromInline
    let scope: WriteScope
    /// The process that began it. In the child of a `fork` it is neither committed nor undone: its lock and
    /// its pages are the parent's.
    @usableFromInline
    let processID: Int32
    /// Kept open until the transaction has ended.
    @usableFromInline
    let environment: OpenEnvironment

    init(pointer: OpaquePointer, environment: OpenEnvironment) {
        unsafe self.environment = environment
        unsafe self.pointer = unsafe pointer
        unsafe processID = getpid()
        unsafe self.scope = WriteScope()
    }

    @usableFromInline
    deinit {
        unsafe finish()
    }

    private func finish() {
        guard unsafe !scope.hasEnded else { return }
        unsafe scope.hasEnded = true
        guard unsafe getpid() == processID else { return }
        unsafe mdb_txn_abort(pointer)
    }

    /// Makes the changes the next version of the file.
    ///
    /// The transaction has ended afterwards, also when this throws; then nothing of it is left.
    package consuming func commit() throws(LMDBError) {
        unsafe scope.hasEnded = true
        let code = FileSizeSignal.withBlocked { unsafe mdb_txn_commit(pointer) }
        try LMDBError.check(code, "mdb_txn_commit")
    }

    /// Undoes the changes.
    package consuming func abort() {
        unsafe finish()
    }

    /// The version a commit makes.
    package var id: UInt64 {
        UInt64(unsafe mdb_txn_id(pointer))
    }
}

// MARK: - Reading

extension WriteTransaction {
    /// The database with this name, or nil where there is none and `.create` is not asked for.
    ///
    /// Only one transaction of the process may open databases at a time, and it must end before
    /// another one does. When this one is undone, the handle is closed.
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
        try unsafe TransactionReading.openCursor(pointer, database, scope: scope)
    }

    package func statistics(_ database: Database) throws(LMDBError) -> Statistics {
        try unsafe TransactionReading.statistics(pointer, database)
    }
}

// MARK: - Writing

extension WriteTransaction {
    /// Sets the value under a key of a database with `.integerKeys`.
    package func put(
        _ database: Database, _ key: UInt64, _ value: UnsafeRawBufferPointer
    ) throws(LMDBError) {
        try unsafe withUnsafeBytes(of: key) { key throws(LMDBError) in
            try unsafe put(database, key, value)
        }
    }

    /// Sets the value under a key of 1 to 511 bytes.
    ///
    /// - Parameter append: The key comes after all that are there (else `keyExists` is thrown), so no
    ///   place has to be searched for it.
    package func put(
        _ database: Database, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
        append: Bool = false
    ) throws(LMDBError) {
        var key = unsafe MDB_val(reading: key)
        var value = unsafe MDB_val(reading: value)
        let flags = append ? UInt32(MDB_APPEND) : 0
        try LMDBError.check(unsafe mdb_put(pointer, database.handle, &key, &value, flags), "mdb_put")
    }

    /// Room for a value under a key of a database with `.integerKeys`, to be filled before the next
    /// change in this transaction. What is in it before that is not defined.
    package func reserve(
        _ database: Database, _ key: UInt64, byteCount: Int
    ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
        try unsafe withUnsafeBytes(of: key) { bytes throws(LMDBError) in
            var key = unsafe MDB_val(reading: bytes)
            var value = unsafe MDB_val(mv_size: byteCount, mv_data: nil)
            let code = unsafe mdb_put(pointer, database.handle, &key, &value, UInt32(MDB_RESERVE))
            try LMDBError.check(code, "mdb_put")
            return unsafe UnsafeMutableRawBufferPointer(start: value.mv_data, count: value.mv_size)
        }
    }

    /// Removes a key of a database with `.integerKeys`; false when it is not there.
    @discardableResult
    package func delete(_ database: Database, _ key: UInt64) throws(LMDBError) -> Bool {
        try unsafe withUnsafeBytes(of: key) { key throws(LMDBError) in
            try unsafe delete(database, key)
        }
    }

    /// Removes a key; false when it is not there.
    @discardableResult
    package func delete(_ database: Database, _ key: UnsafeRawBufferPointer) throws(LMDBError) -> Bool {
        var key = unsafe MDB_val(reading: key)
        return try LMDBError.found(unsafe mdb_del(pointer, database.handle, &key, nil), "mdb_del")
    }

    /// Removes every key of the database.
    package func clear(_ database: Database) throws(LMDBError) {
        try LMDBError.check(unsafe mdb_drop(pointer, database.handle, 0), "mdb_drop")
    }
}
