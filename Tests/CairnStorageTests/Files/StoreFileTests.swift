import CairnLMDB
import CairnStorage
import Foundation
import Testing

@Suite struct `A store file` {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test func `is the same for all who open it, by whatever name`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        symlink(folder.file, folder.path + "/soft")
        link(folder.file, folder.path + "/hard")
        symlink(folder.path, folder.path + "/folder")
        for path in ["/data", "/soft", "/hard", "/folder/data", "/folder/../\(lastPart)/soft"] {
            #expect(try StoreFile.open(StoreOptions(path: folder.path + path)) === file)
        }
    }

    private var lastPart: String { URL(fileURLWithPath: folder.path).lastPathComponent }

    @Test func `is made where a dangling link leads`() throws {
        symlink("data", folder.path + "/soft")
        let file = try StoreFile.open(StoreOptions(path: folder.path + "/soft"))
        #expect(file.path == folder.file)
        #expect(folder.names == ["data", "data-lock", "data-presence", "soft"])
    }

    @Test func `keeps what was committed`() throws {
        try folder.makeDatabase(commitCount: 3)
        let file = try StoreFile.open(StoreOptions(path: folder.file, isReadOnly: true))
        #expect(try file.entryCount() == 3)
        #expect(storageCode { () throws(StorageError) in _ = try file.beginWrite() } == .readOnly)
    }

    @Test func `cannot be open for reading only and for writing at once`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(codeOfOpening(folder.file, isReadOnly: true) == .mismatchedOptions)
        withExtendedLifetime(file) {}
    }

    @Test func `that has failed opens again when all have let go of it`() throws {
        var file: StoreFile? = try StoreFile.open(StoreOptions(path: folder.file))
        file?.markFailed()
        #expect(codeOfOpening(folder.file) == .storeFailed)
        file = nil
        #expect(codeOfOpening(folder.file) == nil)
    }

    @Test func `has a map of 64 GiB, or of the size asked for`() throws {
        do {
            let file = try StoreFile.open(StoreOptions(path: folder.file))
            #expect(file.environment.info.mapByteCount == 64 << 30)
        }
        let file = try StoreFile.open(StoreOptions(path: folder.file, maximumFileByteCount: 1 << 20))
        #expect(file.environment.info.mapByteCount == 1 << 20)
    }

    @Test func `throws when its map is full, and still reads`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file, maximumFileByteCount: 1 << 20))
        try file.append()
        let code = storageCode { () throws(StorageError) in try file.append(byteCount: 1 << 20) }
        #expect(code == .mapFull)
        #expect(try file.entryCount() == 1)
        #expect(storageCode { () throws(StorageError) in try file.growMap() } == .mapFull)
        try file.append()
        #expect(try file.entryCount() == 2)
    }

    @Test func `grows its map`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        try file.append()
        try file.growMap()
        #expect(file.environment.info.mapByteCount == 128 << 30)
        #expect(try file.entryCount() == 1)
    }

    @Test func `has slots for the readers asked for, all of them on the device`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file, readerCount: 2000))
        #expect(file.environment.info.readerCapacity >= 2000)
        var status = stat()
        stat(folder.file + "-lock", &status)
        #expect(Int(status.st_size) >= 192 + 2000 * 64)
        #expect(Int(status.st_blocks) * 512 >= Int(status.st_size))
    }

    @Test func `says when no slot for readers is left`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file, readerCount: 1))
        let readers = Readers()
        let code = storageCode { () throws(StorageError) in
            for _ in 0...file.environment.info.readerCapacity { readers.add(try file.beginRead()) }
        }
        #expect(code == .tooManyReaders)
        readers.removeAll()
        #expect(try file.entryCount() == 0)
    }

    @Test func `makes side files that belong to the owner of the data`() throws {
        try folder.makeDatabase()
        for name in ["-lock", "-presence"] { unlink(folder.file + name) }
        chmod(folder.file, 0o660)
        if geteuid() == 0 { chown(folder.file, 1234, 4321) }
        try folder.makeDatabase()
        for name in ["-lock", "-presence"] {
            var status = stat()
            stat(folder.file + name, &status)
            #expect(status.st_mode & 0o777 == 0o660)
            if geteuid() == 0 { #expect(status.st_uid == 1234 && status.st_gid == 4321) }
        }
    }

    @Test func `notices that side files belong to another data file`() throws {
        try folder.makeDatabase(commitCount: 3)
        let other = try TestFolder()
        try other.makeDatabase(commitCount: 1)
        rename(other.file, folder.file)
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(try file.entryCount() == 1)
        try file.append()
        #expect(try file.entryCount() == 2)
    }

    // The lock file of the moved store must not be opened here: closing it dropped LMDB's locks.
    @Test func `may have its name taken by another one while it is open`() throws {
        let first = try StoreFile.open(StoreOptions(path: folder.file))
        try first.append()
        rename(folder.file, folder.path + "/moved")
        let second = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(second !== first)
        #expect(try second.entryCount() == 0)
        try second.append()
        try first.append()
        #expect(try first.entryCount() == 2)
        #expect(try second.entryCount() == 1)
        #expect(try StoreFile.open(StoreOptions(path: folder.path + "/moved")) === first)
    }

    @Test func `leaves no descriptor open when it is closed`() throws {
        try folder.makeDatabase()
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        let open = descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        #expect(!open.contains { $0.hasPrefix(folder.path) })
    }
}

/// Keeps read transactions, which an array cannot hold.
private final class Readers {
    private final class Box {
        let transaction: ReadTransaction
        init(_ transaction: consuming ReadTransaction) { self.transaction = transaction }
    }

    private var boxes: [Box] = []

    func add(_ transaction: consuming ReadTransaction) { boxes.append(Box(transaction)) }
    func removeAll() { boxes = [] }
}
