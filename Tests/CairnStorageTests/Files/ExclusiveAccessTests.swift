import CairnLMDB
import CairnStorage
import Foundation
import TestSupport
import Testing

@Suite struct `Exclusive access` {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test func `removes the database and what is beside it`() throws {
        try folder.makeDatabase()
        #expect(try StoreFile.deleteFiles(at: folder.file))
        #expect(folder.names.isEmpty)
        #expect(try !StoreFile.deleteFiles(at: folder.file))
        #expect(try !StoreFile.deleteFiles(at: folder.path + "/none/data"))
        #expect(folder.names.isEmpty)
    }

    @Test func `is refused while this process has the file open`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(
            storageCode { () throws(StorageError) in try StoreFile.deleteFiles(at: folder.file) }
                == .alreadyOpen)
        #expect(codeOfOpening(folder.file) == nil)
        withExtendedLifetime(file) {}
    }

    @Test func `is refused while another process has the file open`() throws {
        try folder.makeDatabase()
        let child = try ChildProcess("hold", folder.file)
        #expect(child.line() == "open")
        let before = folder.names
        #expect(
            storageCode { () throws(StorageError) in try StoreFile.deleteFiles(at: folder.file) }
                == .alreadyOpen)
        #expect(folder.names == before)
        child.send("commit")
        #expect(child.line() == "ok")
        #expect(child.finish() == ["closed"])
        #expect(try StoreFile.deleteFiles(at: folder.file))
    }

    @Test func `puts another file in the place of the old one`() throws {
        try folder.makeDatabase(commitCount: 3)
        let other = try TestFolder()
        try other.makeDatabase(commitCount: 5)
        try FileManager.default.moveItem(atPath: other.file, toPath: folder.path + "/new")
        let count = try StoreFile.withExclusiveAccess(to: folder.file) { access throws(StorageError) in
            let before = try entryCount(access)
            try access.replaceDataFile(with: folder.path + "/new")
            return before
        }
        #expect(count == 3)
        #expect(folder.names == ["data", "data-presence"])
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(try file.entryCount() == 5)
    }

    /// The file has to outlive the transaction, which an optimised build would not see to by itself.
    private func entryCount(_ access: borrowing ExclusiveAccess) throws(StorageError) -> Int {
        let file = try access.openFile(StoreOptions(path: access.path))
        return try withExtendedLifetime(file) { () throws(StorageError) in try entryCount(of: file) }
    }

    private func entryCount(of file: StoreFile) throws(StorageError) -> Int {
        let transaction = try file.beginRead()
        do {
            let database = try transaction.openDatabase(named: "test", .integerKeys)
            guard let database else { return 0 }
            return try transaction.statistics(database).entryCount
        } catch {
            throw file.error(error, .reading)
        }
    }

    @Test func `lets a thread that opens meanwhile wait`() async throws {
        try folder.makeDatabase(commitCount: 1)
        let path = folder.file
        let opened = DispatchSemaphore(value: 0)
        try StoreFile.withExclusiveAccess(to: path) { access throws(StorageError) in
            Thread.detachNewThread {
                #expect(codeOfOpening(path) == nil)
                opened.signal()
            }
            // Not a proof that it waits, only a chance to fail for an opener that does not.
            #expect(opened.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
            try access.removeFiles()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                opened.wait()
                continuation.resume()
            }
        }
        #expect(folder.names == ["data", "data-lock", "data-presence"])
    }

    @Test func `to a place without a database leaves nothing behind`() throws {
        try StoreFile.withExclusiveAccess(to: folder.file) { _ throws(StorageError) in }
        #expect(folder.names.isEmpty)
    }

    @Test func `keeps other processes out`() throws {
        try folder.makeDatabase()
        let path = folder.file
        let child = try StoreFile.withExclusiveAccess(to: path) { access throws(StorageError) in
            let child = try? ChildProcess("open", path)
            try access.removeFiles()
            return child
        }
        // It came before or after the removal; in either case it has a whole database.
        #expect(child?.finish() == ["ok"])
        #expect(folder.names == ["data", "data-lock", "data-presence"])
    }
}
