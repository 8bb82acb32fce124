public import CLMDB

/// What an LMDB call answered instead of success.
///
/// Nothing is judged here: the codes stay numbers, and the storage engine decides what each of them
/// means for the operation at hand.
@usableFromInline
@frozen
package struct LMDBError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The return code: one of LMDB's own (negative), or an `errno` value (positive).
    package let code: Int32
    /// The LMDB function that answered it.
    package let call: String

    package init(code: Int32, call: String) {
        self.code = code
        self.call = call
    }

    @usableFromInline
    package var description: String {
        // Proof: mdb_strerror answers a string for every number, its own or strerror's.
        let text = unsafe String(cString: mdb_strerror(code))
        return "\(call): \(text) (\(code))"
    }
}

// MARK: - Codes

extension LMDBError {
    /// The key is there already.
    package static var keyExists: Int32 { MDB_KEYEXIST }
    /// Nothing under this key. Becomes nil or false in `found`, so it is thrown by no look-up.
    package static var notFound: Int32 { MDB_NOTFOUND }
    /// A page that is pointed to is not there: the file is damaged.
    package static var pageNotFound: Int32 { MDB_PAGE_NOTFOUND }
    /// A page is not of the kind it must be: the file is damaged.
    package static var corrupted: Int32 { MDB_CORRUPTED }
    /// A write of a meta page failed earlier; nothing works any more in this environment.
    package static var panic: Int32 { MDB_PANIC }
    /// The file is LMDB's, of another format version.
    package static var versionMismatch: Int32 { MDB_VERSION_MISMATCH }
    /// The file is not LMDB's.
    package static var invalid: Int32 { MDB_INVALID }
    /// The map is used up.
    package static var mapFull: Int32 { MDB_MAP_FULL }
    /// More named databases than the environment has room for.
    package static var databasesFull: Int32 { MDB_DBS_FULL }
    /// Every slot of the reader table is taken.
    package static var readersFull: Int32 { MDB_READERS_FULL }
    /// The transaction holds more dirty pages than LMDB can.
    package static var transactionFull: Int32 { MDB_TXN_FULL }
    /// The tree is deeper than LMDB's cursors: the file is damaged.
    package static var cursorFull: Int32 { MDB_CURSOR_FULL }
    /// A page has no room where it must have: the file is damaged.
    package static var pageFull: Int32 { MDB_PAGE_FULL }
    /// Another process has made the file larger than this process's map.
    package static var mapResized: Int32 { MDB_MAP_RESIZED }
    /// A named database has other flags than asked for.
    package static var incompatible: Int32 { MDB_INCOMPATIBLE }
    /// A reader slot is used twice.
    package static var badReaderSlot: Int32 { MDB_BAD_RSLOT }
    /// The transaction has failed earlier, and can only be aborted.
    package static var badTransaction: Int32 { MDB_BAD_TXN }
    /// The key is empty or too long, or the value too long.
    package static var badValueSize: Int32 { MDB_BAD_VALSIZE }
    /// A handle of a database that this transaction does not know.
    package static var badDatabase: Int32 { MDB_BAD_DBI }
}

// MARK: - The one place where a return code becomes an error

extension LMDBError {
    /// Throws unless `code` is success.
    @inlinable
    package static func check(_ code: Int32, _ call: StaticString) throws(LMDBError) {
        if code != MDB_SUCCESS { throw failure(code, call) }
    }

    /// True for success, false for "not found"; throws for everything else.
    @inlinable
    package static func found(_ code: Int32, _ call: StaticString) throws(LMDBError) -> Bool {
        if code == MDB_SUCCESS { return true }
        if code == MDB_NOTFOUND { return false }
        throw failure(code, call)
    }

    /// Outlined, so that a step that succeeds carries no string.
    @inline(never)
    @usableFromInline
    package static func failure(_ code: Int32, _ call: StaticString) -> LMDBError {
        LMDBError(code: code, call: "\(call)")
    }
}
