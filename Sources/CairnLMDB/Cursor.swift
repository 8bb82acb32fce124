public import CLMDB

/// A place in a database, which goes from entry to entry in the order of the keys.
///
/// Valid while its transaction lives, on the thread that uses the transaction; nothing checks that.
/// It may be destroyed after its transaction has ended, but not used.
@unsafe
@usableFromInline
@frozen
package struct Cursor: ~Copyable {
    /// A key and its value: bytes of the map, valid as long as those of the transaction.
    @unsafe
    @usableFromInline
    @frozen
    package struct Entry {
        @usableFromInline
        package let key: UnsafeRawBufferPointer
        @usableFromInline
        package let value: UnsafeRawBufferPointer

        @inlinable
        package init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
            unsafe self.key = unsafe key
            unsafe self.value = unsafe value
        }

        /// The key of a database with `.integerKeys`.
        ///
        /// - Precondition: `key` has 8 bytes.
        @inlinable
        package var integerKey: UInt64 {
            unsafe key.loadUnaligned(as: UInt64.self)
        }
    }

    @usableFromInline
    let pointer: OpaquePointer
    /// The write transaction's; nil in a read transaction, whose cursors LMDB leaves to their owner.
    @usableFromInline
    let scope: WriteScope?

    init(pointer: OpaquePointer, scope: WriteScope?) {
        unsafe self.pointer = unsafe pointer
        unsafe self.scope = scope
    }

    @usableFromInline
    deinit {
        if let scope = unsafe scope, scope.hasEnded { return }
        unsafe mdb_cursor_close(pointer)
    }
}

// MARK: - Going

// The step is inlined into the loops of the storage engine: STYLE 1.1 has the measurement, 1.2 the three
// attributes it needs. `MDB_val` stays a local of a function without lifetime dependence, else the
// compiler puts it on the heap.
extension Cursor {
    /// The first entry, or nil in an empty database.
    @inlinable
    package mutating func first() throws(LMDBError) -> Entry? {
        try unsafe step(MDB_FIRST)
    }

    /// The last entry, or nil in an empty database.
    @inlinable
    package mutating func last() throws(LMDBError) -> Entry? {
        try unsafe step(MDB_LAST)
    }

    /// The entry after the present one (the first, on a new cursor), or nil at the end.
    @inlinable
    package mutating func next() throws(LMDBError) -> Entry? {
        try unsafe step(MDB_NEXT)
    }

    /// The entry before the present one (the last, on a new cursor), or nil at the beginning.
    @inlinable
    package mutating func previous() throws(LMDBError) -> Entry? {
        try unsafe step(MDB_PREV)
    }

    /// The first entry whose key is `key` or comes after it, or nil.
    @inlinable
    package mutating func seek(atOrAfter key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
        try unsafe seek(key, MDB_SET_RANGE)
    }

    /// The first entry whose key is `key` or more, in a database with `.integerKeys`, or nil.
    @inlinable
    package mutating func seek(atOrAfter key: UInt64) throws(LMDBError) -> Entry? {
        try unsafe seek(key, MDB_SET_RANGE)
    }

    /// The entry under `key`, or nil.
    @inlinable
    package mutating func seek(exactly key: UnsafeRawBufferPointer) throws(LMDBError) -> Entry? {
        try unsafe seek(key, MDB_SET_KEY)
    }

    /// The entry under `key` of a database with `.integerKeys`, or nil.
    @inlinable
    package mutating func seek(exactly key: UInt64) throws(LMDBError) -> Entry? {
        try unsafe seek(key, MDB_SET_KEY)
    }

    @inlinable
    @inline(__always)
    mutating func step(_ operation: MDB_cursor_op) throws(LMDBError) -> Entry? {
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        let code = unsafe mdb_cursor_get(pointer, &key, &value, operation)
        guard try LMDBError.found(code, "mdb_cursor_get") else { return nil }
        return unsafe Entry(
            key: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
            value: UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }

    @inlinable
    mutating func seek(
        _ wanted: UnsafeRawBufferPointer, _ operation: MDB_cursor_op
    ) throws(LMDBError) -> Entry? {
        var key = unsafe MDB_val(
            mv_size: wanted.count, mv_data: UnsafeMutableRawPointer(mutating: wanted.baseAddress))
        var value = unsafe MDB_val()
        let code = unsafe mdb_cursor_get(pointer, &key, &value, operation)
        guard try LMDBError.found(code, "mdb_cursor_get") else { return nil }
        return unsafe Entry(
            key: UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size),
            value: UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
    }

    // Both operations used with this leave LMDB's own copy of the key in the entry, so nothing of
    // `wanted` is handed out.
    @inlinable
    mutating func seek(_ wanted: UInt64, _ operation: MDB_cursor_op) throws(LMDBError) -> Entry? {
        var wanted = wanted
        return try unsafe withUnsafeBytes(of: &wanted) { bytes throws(LMDBError) in
            try unsafe seek(bytes, operation)
        }
    }
}

// MARK: - Changing

extension Cursor {
    /// Sets the value under a key and stands on it. Only for a cursor of a write transaction.
    package mutating func put(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(LMDBError) {
        var key = unsafe MDB_val(reading: key)
        var value = unsafe MDB_val(reading: value)
        try LMDBError.check(unsafe mdb_cursor_put(pointer, &key, &value, 0), "mdb_cursor_put")
    }

    /// Sets the value under a key of a database with `.integerKeys`, as `put` with bytes.
    package mutating func put(_ key: UInt64, _ value: UnsafeRawBufferPointer) throws(LMDBError) {
        var key = key
        try unsafe withUnsafeBytes(of: &key) { key throws(LMDBError) in
            try unsafe put(key, value)
        }
    }

    /// Removes the entry the cursor stands on; `next` then goes to the one after it. Only for a cursor
    /// of a write transaction, after a move that gave an entry.
    package mutating func deleteCurrent() throws(LMDBError) {
        try LMDBError.check(unsafe mdb_cursor_del(pointer, 0), "mdb_cursor_del")
    }
}

extension MDB_val {
    /// Bytes that LMDB only reads, though C declares them mutable.
    init(reading bytes: UnsafeRawBufferPointer) {
        unsafe self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
}
