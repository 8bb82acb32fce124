import CairnLMDB
import Foundation

/// A folder of its own for a test, removed at the end.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("cairn-lmdb-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var file: String { path + "/data" }

    func open(
        mapByteCount: Int = 1 << 24, readerCount: Int = 8, isReadOnly: Bool = false
    ) throws(LMDBError) -> Environment {
        try Environment.open(
            path: file,
            options: .init(mapByteCount: mapByteCount, readerCount: readerCount, isReadOnly: isReadOnly))
    }
}

extension Environment {
    /// Makes a database and puts these entries into it, in one transaction.
    func fill(_ name: String, integers entries: [UInt64: String]) throws(LMDBError) -> Database {
        let transaction = try beginWrite()
        guard let database = try transaction.openDatabase(named: name, [.create, .integerKeys]) else {
            preconditionFailure("a database was not made")
        }
        for (key, value) in entries {
            try value.withBytes { bytes throws(LMDBError) in try transaction.put(database, key, bytes) }
        }
        try transaction.commit()
        return database
    }
}

extension String {
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let bytes = Array(utf8)
        return try bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            try body(UnsafeRawBufferPointer(buffer))
        }
    }

    init?(_ bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return nil }
        self.init(decoding: bytes, as: UTF8.self)
    }
}

/// The code of what `body` throws; nil when it throws nothing.
func lmdbCode<Result>(of body: () throws(LMDBError) -> Result) -> Int32? {
    do throws(LMDBError) {
        _ = try body()
        return nil
    } catch {
        return error.code
    }
}
