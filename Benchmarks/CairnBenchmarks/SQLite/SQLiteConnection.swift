internal import CSQLite

/// A call of SQLite that did not go well.
struct SQLiteError: Error, CustomStringConvertible {
    let description: String
}

/// An open database of SQLite.
final class SQLiteConnection {
    fileprivate let handle: OpaquePointer

    init(path: String) throws {
        var handle: OpaquePointer?
        // One connection on one thread: the mutexes would cost the rival time for nothing.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw SQLiteError(description: "sqlite3_open_v2 fails for \(path)")
        }
        self.handle = handle
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func run(_ sql: String) throws {
        try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
    }

    func prepare(_ sql: String) throws -> SQLiteStatement {
        try SQLiteStatement(sql, on: self)
    }

    /// Runs the body between BEGIN and COMMIT. A failure ends the run, so nothing is rolled back.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        let result = try body()
        try run("COMMIT")
        return result
    }

    fileprivate func check(_ code: Int32, _ what: String) throws {
        guard code == SQLITE_OK else {
            throw SQLiteError(description: "\(what): \(String(cString: sqlite3_errmsg(handle)))")
        }
    }
}

/// A prepared statement. Places of parameters count from 1, those of columns from 0, as in SQLite.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    fileprivate init(_ sql: String, on connection: SQLiteConnection) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        try connection.check(code, sql)
        guard let handle else { throw SQLiteError(description: "an empty statement: \(sql)") }
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Steps to the next row; false, and ready to be used again, when there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        default: throw SQLiteError(description: String(cString: sqlite3_errmsg(connection.handle)))
        }
    }

    /// Runs a statement that gives no rows.
    func run() throws {
        guard try !step() else { throw SQLiteError(description: "a row where none was to come") }
    }

    /// Steps to the one row there must be, and hands it to the body.
    func one(_ body: () -> Void) throws {
        guard try step() else { throw SQLiteError(description: "no row where one had to come") }
        body()
        sqlite3_reset(handle)
    }

    func bind(_ number: Int, at place: Int32) {
        sqlite3_bind_int64(handle, place, Int64(number))
    }

    func bind(_ number: Double?, at place: Int32) {
        if let number {
            sqlite3_bind_double(handle, place, number)
        } else {
            sqlite3_bind_null(handle, place)
        }
    }

    /// Binds bytes without a copy: they must live until the next step is done.
    func bind(blob: UnsafeRawBufferPointer, at place: Int32) {
        sqlite3_bind_blob(handle, place, blob.baseAddress, Int32(blob.count), nil)
    }

    /// Binds UTF-8 without a copy, as `bind(blob:)`.
    func bind(text: UnsafeRawBufferPointer, at place: Int32) {
        let characters = text.baseAddress?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, place, characters, Int32(text.count), nil)
    }

    func int(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(handle, column))
    }

    func double(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// Valid until the next step.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// UTF-8, valid until the next step.
    func text(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_text(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
