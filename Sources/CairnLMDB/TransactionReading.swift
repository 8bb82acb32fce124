public import CLMDB

/// The calls that read and write transactions have in common.
@usableFromInline
enum TransactionReading {
    @inlinable
    static func get(
        _ transaction: OpaquePointer, _ database: Database, _ key: UnsafeRawBufferPointer
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        // LMDB does not write through a key: it is mutable in C only because `const` is not there.
        var key = unsafe MDB_val(
            mv_size: key.count, mv_data: UnsafeMutableRawPointer(mutating: key.baseAddress))
        var value = unsafe MDB_val()
        let code = unsafe mdb_get(transaction, database.handle, &key, &value)
        guard try LMDBError.found(code, "mdb_get") else { return nil }
        return unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
    }

    @inlinable
    static func get(
        _ transaction: OpaquePointer, _ database: Database, _ key: UInt64
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        try unsafe withUnsafeBytes(of: key) { bytes throws(LMDBError) in
            try unsafe get(transaction, database, bytes)
        }
    }

    static func openDatabase(
        _ transaction: OpaquePointer, named name: String, _ options: DatabaseOptions
    ) throws(LMDBError) -> Database? {
        var handle: MDB_dbi = 0
        let code = unsafe mdb_dbi_open(transaction, name, options.rawValue, &handle)
        return try LMDBError.found(code, "mdb_dbi_open") ? Database(handle: handle) : nil
    }

    static func openCursor(
        _ transaction: OpaquePointer, _ database: Database, scope: WriteScope?
    ) throws(LMDBError) -> Cursor {
        var opened: OpaquePointer?
        try LMDBError.check(
            unsafe mdb_cursor_open(transaction, database.handle, &opened), "mdb_cursor_open")
        guard let cursor = unsafe opened else {
            preconditionFailure("mdb_cursor_open answered success and no cursor")
        }
        return unsafe Cursor(pointer: cursor, scope: scope)
    }

    static func statistics(
        _ transaction: OpaquePointer, _ database: Database
    ) throws(LMDBError) -> Statistics {
        var shape = MDB_stat()
        try LMDBError.check(unsafe mdb_stat(transaction, database.handle, &shape), "mdb_stat")
        return Statistics(
            entryCount: shape.ms_entries,
            depth: Int(shape.ms_depth),
            branchPageCount: shape.ms_branch_pages,
            leafPageCount: shape.ms_leaf_pages,
            overflowPageCount: shape.ms_overflow_pages)
    }
}
