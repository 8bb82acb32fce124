import CairnLMDB
import Testing

@Suite final class `A cursor` {
    let folder: ScratchFolder
    let environment: Environment
    let database: Database

    init() throws {
        folder = try ScratchFolder()
        environment = try folder.open()
        let entries = (1...1000 as ClosedRange<UInt64>).map { ($0 * 10, "value \($0 * 10)") }
        database = try environment.fill("d", integers: Dictionary(uniqueKeysWithValues: entries))
    }

    @Test func `goes through all keys in the order of numbers`() throws {
        let reading = try environment.beginRead()
        var cursor = try reading.cursor(database)
        var keys: [UInt64] = []
        while let entry = try cursor.next() {
            keys.append(entry.integerKey)
            #expect(String(entry.value) == "value \(entry.integerKey)")
        }
        #expect(keys == (1...1000).map { $0 * 10 })
    }

    @Test func `goes backwards too`() throws {
        let reading = try environment.beginRead()
        var cursor = try reading.cursor(database)
        #expect(try cursor.last()?.integerKey == 10_000)
        #expect(try cursor.previous()?.integerKey == 9_990)
        #expect(try cursor.first()?.integerKey == 10)
        #expect(try cursor.previous() == nil)
    }

    @Test func `seeks a key, or the one after it`() throws {
        let reading = try environment.beginRead()
        var cursor = try reading.cursor(database)
        #expect(try cursor.seek(exactly: 500)?.integerKey == 500)
        #expect(try cursor.seek(exactly: 501) == nil)
        #expect(try cursor.seek(atOrAfter: 501)?.integerKey == 510)
        #expect(try cursor.next()?.integerKey == 520)
        #expect(try cursor.seek(atOrAfter: 10_001) == nil)
    }

    @Test func `seeks keys of bytes`() throws {
        let writing = try environment.beginWrite()
        let bytes = try #require(try writing.openDatabase(named: "bytes", .create))
        for key in ["apple", "plum", "pear"] {
            try key.withBytes { key throws(LMDBError) in try writing.put(bytes, key, key) }
        }
        var cursor = try writing.cursor(bytes)
        try "p".withBytes { wanted in
            let found = try cursor.seek(atOrAfter: wanted)
            #expect(String(found?.key) == "pear")
            #expect(try cursor.seek(exactly: wanted) == nil)
        }
        let plum = try "plum".withBytes { key in String(try cursor.seek(exactly: key)?.value) }
        #expect(plum == "plum")
    }

    @Test func `finds nothing in an empty database`() throws {
        let writing = try environment.beginWrite()
        let empty = try #require(try writing.openDatabase(named: "empty", .create))
        var cursor = try writing.cursor(empty)
        #expect(try cursor.first() == nil)
        #expect(try cursor.last() == nil)
        #expect(try cursor.next() == nil)
    }

    @Test func `deletes every second entry while it goes`() throws {
        let writing = try environment.beginWrite()
        do {
            var cursor = try writing.cursor(database)
            var isKept = true
            while try cursor.next() != nil {
                if !isKept { try cursor.deleteCurrent() }
                isKept.toggle()
            }
        }
        #expect(try writing.statistics(database).entryCount == 500)
        #expect(try writing.get(database, 10) != nil)
        #expect(try writing.get(database, 20) == nil)
    }

    @Test func `puts and stands on what it has put`() throws {
        let writing = try environment.beginWrite()
        var cursor = try writing.cursor(database)
        try "new".withBytes { value throws(LMDBError) in try cursor.put(15, value) }
        #expect(try cursor.next()?.integerKey == 20)
        #expect(String(try writing.get(database, 15)) == "new")
    }

    // LMDB frees the cursors of a write transaction with it: closing one later freed it twice.
    @Test func `may be destroyed after its transaction has ended`() throws {
        for commits in [true, false] {
            let writing = try environment.beginWrite()
            var cursor = try writing.cursor(database)
            #expect(try cursor.first() != nil)
            if commits { try writing.commit() } else { writing.abort() }
        }
        #expect(try environment.beginRead().statistics(database).entryCount == 1000)
    }
}
