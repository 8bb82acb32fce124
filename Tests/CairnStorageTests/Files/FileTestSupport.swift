import CairnLMDB
import CairnStorage
import Foundation

/// A folder of its own for a test, removed at the end.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        // Resolved, as the paths of open files are.
        path =
            URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath()
            .appendingPathComponent("cairn-files-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        chmod(path, 0o777)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var file: String { path + "/data" }

    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }

    func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Makes a database with so many commits, and closes it.
    func makeDatabase(commitCount: Int = 3) throws {
        let file = try StoreFile.open(StoreOptions(path: file))
        for _ in 0..<commitCount { try file.append() }
    }
}

extension StoreFile {
    /// Adds a value of so many bytes under the next key, in a commit of its own.
    func append(byteCount: Int = 8) throws(StorageError) {
        let transaction = try beginWrite()
        do {
            guard let database = try transaction.openDatabase(named: "test", [.create, .integerKeys]) else {
                preconditionFailure("a database was not made")
            }
            let key = UInt64(try transaction.statistics(database).entryCount)
            let room = try transaction.reserve(database, key, byteCount: byteCount)
            room.initializeMemory(as: UInt8.self, repeating: 7)
            try transaction.commit()
        } catch {
            throw self.error(error, .writing)
        }
    }

    func entryCount() throws -> Int {
        let transaction = try beginRead()
        guard let database = try transaction.openDatabase(named: "test", .integerKeys) else { return 0 }
        return try transaction.statistics(database).entryCount
    }
}

/// The code of what `body` throws; nil when it throws nothing.
func storageCode<Result>(of body: () throws(StorageError) -> Result) -> StorageError.Code? {
    do throws(StorageError) {
        _ = try body()
        return nil
    } catch {
        return error.code
    }
}

/// Opens and closes; the code of what is thrown.
func codeOfOpening(_ path: String, isReadOnly: Bool = false) -> StorageError.Code? {
    storageCode { () throws(StorageError) in
        _ = try StoreFile.open(StoreOptions(path: path, isReadOnly: isReadOnly))
    }
}
