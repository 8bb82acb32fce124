import CairnLMDB
import Foundation
import Testing

@Suite struct `An environment` {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test func `a new file has version zero and the map asked for`() throws {
        let environment = try folder.open(mapByteCount: 1 << 24, readerCount: 100)
        let info = environment.info
        #expect(info.lastTransactionID == 0)
        #expect(info.mapByteCount == 1 << 24)
        #expect(info.pageByteCount >= 4096)
        #expect(info.readerCapacity >= 100)
    }

    @Test func `each commit counts the version up by one`() throws {
        let environment = try folder.open()
        for version in 1...3 as ClosedRange<UInt64> {
            _ = try environment.fill("d", integers: [version: "value"])
            #expect(environment.info.lastTransactionID == version)
            #expect(try environment.beginRead().id == version)
        }
    }

    @Test func `a missing folder is an error of the system, named with its call`() throws {
        #expect(throws: LMDBError(code: ENOENT, call: "mdb_env_open")) {
            _ = try Environment.open(path: folder.path + "/none/data", options: .init(mapByteCount: 1 << 20))
        }
    }

    @Test func `a file of other bytes is invalid`() throws {
        try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: folder.file))
        #expect(lmdbCode { () throws(LMDBError) in _ = try folder.open() } == LMDBError.invalid)
    }

    @Test func `a read-only environment reads, and refuses to write`() throws {
        let database = try folder.open().fill("d", integers: [1: "one"])
        let environment = try folder.open(isReadOnly: true)
        do {
            let reading = try environment.beginRead()
            #expect(try reading.openDatabase(named: "d", .integerKeys) == database)
            #expect(String(try reading.get(database, 1)) == "one")
        }
        #expect(lmdbCode { () throws(LMDBError) in _ = try environment.beginWrite() } == EACCES)
    }

    @Test func `the map grows when it is set larger`() throws {
        let environment = try folder.open(mapByteCount: 1 << 20)
        try environment.setMapByteCount(1 << 22)
        #expect(environment.info.mapByteCount == 1 << 22)
    }

    @Test func `open read transactions are listed with process and version`() throws {
        let environment = try folder.open()
        _ = try environment.fill("d", integers: [1: "one"])
        let first = try environment.beginRead()
        _ = try environment.fill("d", integers: [2: "two"])
        let second = try environment.beginRead()
        let readers = try environment.readers()
        #expect(readers.map(\.transactionID) == [first.id, second.id])
        #expect(readers.allSatisfy { $0.processID == getpid() })
        #expect(try environment.clearStaleReaders() == 0)
    }

    @Test func `the reader table says when it is full`() throws {
        let environment = try folder.open(readerCount: 1)
        let capacity = environment.info.readerCapacity
        let holder = Holder()
        for _ in 0..<capacity { holder.hold(try environment.beginRead()) }
        #expect(
            lmdbCode { () throws(LMDBError) in _ = try environment.beginRead() } == LMDBError.readersFull)
        holder.dropAll()
        _ = try environment.beginRead()
    }

    @Test func `commits work in every sync mode`() throws {
        let environment = try folder.open()
        for (version, mode) in zip(1..., [.noSync, .noMetaSync, .full] as [Environment.SyncMode]) {
            try environment.setSyncMode(mode)
            _ = try environment.fill("d", integers: [UInt64(version): "value"])
        }
        try environment.sync(force: true)
        #expect(environment.info.lastTransactionID == 3)
    }

    @Test func `an abandoned environment is not closed`() throws {
        let path = folder.file
        let before = openDescriptorCount(of: path)
        let environment = try folder.open()
        let open = openDescriptorCount(of: path)
        environment.abandon()
        #expect(open > before)
        #expect(openDescriptorCount(of: path) == open)
    }

    @Test func `a closed environment leaves no descriptor of its file`() throws {
        do { _ = try folder.open().fill("d", integers: [1: "one"]) }
        #expect(openDescriptorCount(of: folder.file) == 0)
    }
}

/// Keeps read transactions, which an array cannot hold.
private final class Holder {
    private final class Box {
        let transaction: ReadTransaction
        init(_ transaction: consuming ReadTransaction) { self.transaction = transaction }
    }

    private var boxes: [Box] = []

    func hold(_ transaction: consuming ReadTransaction) { boxes.append(Box(transaction)) }
    func dropAll() { boxes = [] }
}

/// The descriptors of this process that lead to the file at `path`.
private func openDescriptorCount(of path: String) -> Int {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return entries.count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == path
    }
}
