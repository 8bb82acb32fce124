internal import CLMDB
import CairnStorage
internal import Foundation

/// A failed call of LMDB in a test.
struct LMDBFailure: Error, CustomStringConvertible {
    let code: Int32
    var description: String { String(cString: mdb_strerror(code)) }

    static func check(_ code: Int32) throws {
        if code != MDB_SUCCESS { throw LMDBFailure(code: code) }
    }
}

/// A place for one data file, removed with the object.
final class DataFile {
    let path: String
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "structure-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "data").path
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Opens the file for writing, makes changes in one transaction and closes it.
    func write(_ body: (LMDBWriter) throws -> Void) throws {
        try LMDBEnvironment(self).write(body)
    }

    // Methods, not uses of `path` in the tests: they keep the object, and so the file, alive.

    func image() throws -> FileImage { try FileImage(path) }

    func replace(with image: FileImage) throws { try image.write(to: path) }

    func check(
        version: UInt64? = nil, databases: [String: KeyOrder]? = nil
    ) throws -> StructureReport {
        try StructureCheck.run(path: path, version: version, databases: databases)
    }
}

/// An open environment, as Cairn uses LMDB. Closed with the object.
final class LMDBEnvironment {
    private let environment: OpaquePointer
    private let file: DataFile

    init(_ file: DataFile, options: Int32 = 0) throws {
        self.file = file
        var made: OpaquePointer?
        try LMDBFailure.check(mdb_env_create(&made))
        environment = made!
        try LMDBFailure.check(mdb_env_set_maxdbs(environment, 64))
        try LMDBFailure.check(mdb_env_set_mapsize(environment, 1 << 30))
        let flags = UInt32(MDB_NOSUBDIR | MDB_NOTLS | MDB_NOSYNC | options)
        let code = mdb_env_open(environment, file.path, flags, 0o600)
        guard code == MDB_SUCCESS else {
            mdb_env_close(environment)
            throw LMDBFailure(code: code)
        }
    }

    /// Opens a file for reading only, without its lock file.
    static func reading(_ file: DataFile) throws -> LMDBEnvironment {
        try LMDBEnvironment(file, options: MDB_RDONLY | MDB_NOLOCK)
    }

    deinit {
        mdb_env_close(environment)
    }

    func write(_ body: (LMDBWriter) throws -> Void) throws {
        let transaction = try begin(0)
        do {
            try body(LMDBWriter(transaction: transaction))
        } catch {
            mdb_txn_abort(transaction)
            throw error
        }
        try LMDBFailure.check(mdb_txn_commit(transaction))
    }

    func read<Result>(_ body: (LMDBReader) throws -> Result) throws -> Result {
        let transaction = try begin(MDB_RDONLY)
        defer { mdb_txn_abort(transaction) }
        return try body(LMDBReader(transaction: transaction))
    }

    func copyCompacted(to copy: DataFile) throws {
        try LMDBFailure.check(mdb_env_copy2(environment, copy.path, UInt32(MDB_CP_COMPACT)))
    }

    private func begin(_ flags: Int32) throws -> OpaquePointer {
        var transaction: OpaquePointer?
        try LMDBFailure.check(mdb_txn_begin(environment, nil, UInt32(flags), &transaction))
        return transaction!
    }
}

/// One read transaction.
struct LMDBReader {
    fileprivate let transaction: OpaquePointer

    var id: UInt64 { UInt64(mdb_txn_id(transaction)) }

    /// All entries of a database in their order; of the main tree where no name is given.
    func entries(of name: String? = nil) throws -> [StoredEntry] {
        let database = try LMDBWriter(transaction: transaction).open(name, flags: 0)
        var cursor: OpaquePointer?
        try LMDBFailure.check(mdb_cursor_open(transaction, database, &cursor))
        defer { mdb_cursor_close(cursor) }
        var entries: [StoredEntry] = []
        var (key, value) = (MDB_val(), MDB_val())
        while true {
            let code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
            if code == MDB_NOTFOUND { return entries }
            try LMDBFailure.check(code)
            entries.append(StoredEntry(key: key.bytes, value: value.bytes))
        }
    }

    /// Every named database with its entries.
    func contents() throws -> [String: [StoredEntry]] {
        let names = try entries().map { String(decoding: $0.key, as: UTF8.self) }
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try entries(of: $0)) })
    }

    /// Whether a search finds a key.
    func finds(_ key: [UInt8], in database: MDB_dbi) -> Bool {
        var value = MDB_val()
        return key.withValue { mdb_get(transaction, database, $0, &value) } == MDB_SUCCESS
    }

    func database(_ name: String) throws -> MDB_dbi {
        try LMDBWriter(transaction: transaction).open(name, flags: 0)
    }
}

/// One write transaction.
struct LMDBWriter {
    fileprivate let transaction: OpaquePointer

    func open(_ name: String?, flags: Int32) throws -> MDB_dbi {
        var database: MDB_dbi = 0
        try LMDBFailure.check(mdb_dbi_open(transaction, name, UInt32(flags), &database))
        return database
    }

    func byteKeys(_ name: String) throws -> MDB_dbi { try open(name, flags: MDB_CREATE) }
    func integerKeys(_ name: String) throws -> MDB_dbi {
        try open(name, flags: MDB_CREATE | MDB_INTEGERKEY)
    }
    func duplicates(_ name: String) throws -> MDB_dbi {
        try open(name, flags: MDB_CREATE | MDB_DUPSORT)
    }

    func put(_ database: MDB_dbi, _ key: [UInt8], _ value: [UInt8]) throws {
        try LMDBFailure.check(
            key.withValue { key in value.withValue { mdb_put(transaction, database, key, $0, 0) } })
    }

    func put(_ database: MDB_dbi, _ key: UInt64, _ value: [UInt8]) throws {
        try put(database, key.bytes, value)
    }

    /// Removes a key, if it is there.
    func delete(_ database: MDB_dbi, _ key: [UInt8]) throws {
        let code = key.withValue { mdb_del(transaction, database, $0, nil) }
        if code != MDB_NOTFOUND { try LMDBFailure.check(code) }
    }

    func clear(_ database: MDB_dbi, removing: Bool = false) throws {
        try LMDBFailure.check(mdb_drop(transaction, database, removing ? 1 : 0))
    }
}

/// A key with its value, copied out of the file.
struct StoredEntry: Hashable {
    var key: [UInt8]
    var value: [UInt8]
}

extension MDB_val {
    fileprivate var bytes: [UInt8] {
        Array(UnsafeRawBufferPointer(start: mv_data, count: mv_size))
    }
}

extension [UInt8] {
    fileprivate func withValue<Result>(_ body: (UnsafeMutablePointer<MDB_val>) -> Result) -> Result {
        withUnsafeBytes { bytes in
            var value = MDB_val(
                mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            return body(&value)
        }
    }
}

extension UInt64 {
    /// The number as an integer key.
    var bytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
