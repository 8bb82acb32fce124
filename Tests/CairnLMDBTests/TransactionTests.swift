import CairnLMDB
import Foundation
import Testing

@Suite final class `A transaction` {
    let folder: ScratchFolder
    let environment: Environment
    let database: Database

    init() throws {
        folder = try ScratchFolder()
        environment = try folder.open()
        database = try environment.fill("d", integers: [1: "one", 2: "two", 1 << 40: "large"])
    }

    @Test func `a missing key is nil`() throws {
        let reading = try environment.beginRead()
        #expect(try reading.get(database, 3) == nil)
        let writing = try environment.beginWrite()
        #expect(try writing.get(database, 3) == nil)
    }

    @Test func `a missing database is nil`() throws {
        let reading = try environment.beginRead()
        #expect(try reading.openDatabase(named: "none", []) == nil)
    }

    @Test func `a database opened by a reader stays open after it has ended`() throws {
        let other = try folder.reopenedCopy()
        let found = try other.beginRead().openDatabase(named: "d", .integerKeys)
        let database = try #require(found)
        #expect(String(try other.beginRead().get(database, 2)) == "two")
    }

    /// The transaction used the environment's memory after it had been freed.
    @Test func `a transaction keeps its environment open`() throws {
        func begin() throws -> ReadTransaction { try folder.reopenedCopy().beginRead() }
        let reading = try begin()
        let database = try #require(try reading.openDatabase(named: "d", .integerKeys))
        #expect(String(try reading.get(database, 2)) == "two")
    }

    @Test func `a reader keeps its version while another one commits`() throws {
        let reading = try environment.beginRead()
        _ = try environment.fill("d", integers: [1: "uno"])
        #expect(String(try reading.get(database, 1)) == "one")
        #expect(String(try environment.beginRead().get(database, 1)) == "uno")
    }

    @Test func `what is not committed is undone`() throws {
        do {
            let writing = try environment.beginWrite()
            try "uno".withBytes { bytes throws(LMDBError) in try writing.put(database, 1, bytes) }
            #expect(String(try writing.get(database, 1)) == "uno")
        }
        let aborted = try environment.beginWrite()
        #expect(try aborted.delete(database, 2))
        aborted.abort()
        let reading = try environment.beginRead()
        #expect(String(try reading.get(database, 1)) == "one")
        #expect(String(try reading.get(database, 2)) == "two")
    }

    @Test func `keys of bytes are found by their bytes`() throws {
        let writing = try environment.beginWrite()
        let database = try #require(try writing.openDatabase(named: "bytes", .create))
        let long = String(repeating: "k", count: 511)
        for key in ["a", "b", long] {
            try key.withBytes { key throws(LMDBError) in try writing.put(database, key, key) }
        }
        let found = try long.withBytes { key throws(LMDBError) in String(try writing.get(database, key)) }
        #expect(found == long)
        #expect(try "a".withBytes { key throws(LMDBError) in try writing.delete(database, key) })
        #expect(try "a".withBytes { key throws(LMDBError) in try !writing.delete(database, key) })
        #expect(try writing.statistics(database).entryCount == 2)
    }

    @Test func `an empty value is not a missing one`() throws {
        let writing = try environment.beginWrite()
        try writing.put(database, 9, UnsafeRawBufferPointer(start: nil, count: 0))
        #expect(try writing.get(database, 9)?.count == 0)
    }

    @Test(arguments: [0, 512]) func `a key of no byte or of too many is refused`(count: Int) throws {
        let writing = try environment.beginWrite()
        let database = try #require(try writing.openDatabase(named: "bytes", .create))
        let code = String(repeating: "k", count: count).withBytes { key in
            lmdbCode { () throws(LMDBError) in try writing.put(database, key, key) }
        }
        #expect(code == LMDBError.badValueSize)
    }

    @Test func `appending out of order is refused`() throws {
        let writing = try environment.beginWrite()
        let database = try #require(try writing.openDatabase(named: "bytes", .create))
        try "b".withBytes { key throws(LMDBError) in
            try writing.put(database, key, key, append: true)
        }
        let code = "a".withBytes { key in
            lmdbCode { () throws(LMDBError) in try writing.put(database, key, key, append: true) }
        }
        #expect(code == LMDBError.keyExists)
    }

    @Test func `reserved room holds what is written into it`() throws {
        let writing = try environment.beginWrite()
        let room = try writing.reserve(database, 7, byteCount: 10_000)
        for index in room.indices { room[index] = UInt8(truncatingIfNeeded: index) }
        try writing.commit()
        let reading = try environment.beginRead()
        let bytes = try #require(try reading.get(database, 7))
        #expect(bytes.elementsEqual((0..<10_000).map { UInt8(truncatingIfNeeded: $0) }))
    }

    @Test func `a cleared database is empty`() throws {
        let writing = try environment.beginWrite()
        try writing.clear(database)
        try writing.commit()
        #expect(try environment.beginRead().statistics(database).entryCount == 0)
    }

    @Test func `a full map is thrown and leaves the file readable`() throws {
        try environment.setMapByteCount(1 << 16)
        let writing = try environment.beginWrite()
        let code = lmdbCode { () throws(LMDBError) in
            _ = try writing.reserve(database, 7, byteCount: 1 << 17)
        }
        #expect(code == LMDBError.mapFull)
        writing.abort()
        #expect(String(try environment.beginRead().get(database, 1)) == "one")
    }

    @Test func `an error names its call and LMDB's words`() {
        let error = LMDBError(code: LMDBError.mapFull, call: "mdb_put")
        #expect(error.description.hasPrefix("mdb_put: MDB_MAP_FULL"))
    }
}

extension ScratchFolder {
    /// An environment on a copy of the file: a process must not open one file twice.
    fileprivate func reopenedCopy() throws -> Environment {
        try FileManager.default.copyItem(atPath: file, toPath: path + "/copy")
        return try Environment.open(path: path + "/copy", options: .init(mapByteCount: 1 << 24))
    }
}
