import CairnStorage
import DurabilityWorkload
import TestSupport
import Testing

@Suite struct `Two processes` {
    struct Kind: CustomTestStringConvertible {
        let testDescription: String
        var bulkCount = 0
        var spillByteCount = 128 << 20
        var windowCount = 1_000
        var durability = StoreOptions.Durability.none
    }

    static let kinds: [Kind] = [
        Kind(testDescription: "with the records of all changes"),
        Kind(testDescription: "with records of the last two versions", windowCount: 2),
        Kind(testDescription: "without records of changes", bulkCount: 20, windowCount: 0),
        Kind(testDescription: "with large rounds that spill", bulkCount: 500, spillByteCount: 0),
        Kind(testDescription: "durable", durability: .full),
    ]

    @Test(arguments: kinds) func `write the same file in turn, and each sees whole transactions`(kind: Kind)
        throws
    {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.bulkCount = kind.bulkCount
        file.spillByteCount = kind.spillByteCount
        file.windowCount = kind.windowCount
        file.durability = kind.durability
        let rounds = LongRun.isWanted ? 600 : 24
        do {
            let store = try file.openWithTables()
            let child = try ChildProcess("ledger-turns", file.arguments + ["\(rounds)"])
            #expect(child.line() == "open")
            child.send("go")
            try Turns(store, file.ledger).run(rounds: rounds, durability: kind.durability)
            #expect(child.finish() == ["ok"])
            #expect(child.exitStatus == 0)
        }
        #expect(try WholeFile.check(file) == rounds * 2)
    }

    /// Neither looks at the file unless its watcher has told it of something.
    @Test func `see each durable commit of the other by their watchers alone`() throws {
        let folder = try ScratchFolder()
        let turns = LongRun.isWanted ? 5_000 : 500
        let store = try folder.ledger.open()
        let session = try store.makeSession()
        try store.write(session) { try Relay.make(session) }
        let child = try ChildProcess("relay", [folder.file, "1", "\(turns)"])
        #expect(child.line() == "watching")
        let told = try Relay(store, side: 0).run(turns: turns)
        #expect(child.finish() == ["ok"])
        #expect(child.exitStatus == 0)
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 < $1 }, "versions must rise")
        try WholeFile.check(store, path: folder.file)
    }

    @Test func `lose nothing when one of them is killed again and again`() throws {
        let folder = try ScratchFolder()
        let store = try folder.ledger.openWithTables()
        let session = try store.makeSession()
        for _ in 0..<(LongRun.isWanted ? 200 : 8) {
            let child = try ChildProcess("ledger-write", folder.ledger.arguments)
            // Both wait for LMDB's lock, which the killed one may hold.
            for _ in 0..<Int.random(in: 0...3) { _ = child.line() }
            for _ in 0..<5 { try store.write(session) { _ = try folder.ledger.ledger.advance(session) } }
            let told = child.kill().last.flatMap { Int($0) } ?? 0
            try store.refresh(session)
            #expect(try folder.ledger.ledger.check(session) >= told)
            try store.write(session) { _ = try folder.ledger.ledger.advance(session) }
        }
        try folder.ledger.ledger.check(session)
        try WholeFile.check(store, path: folder.file)
    }

    /// The file grows beyond the map of the first, again and again.
    @Test func `grow the file under each other`() throws {
        let folder = try ScratchFolder()
        var small = folder.ledger
        small.maximumFileByteCount = 512 << 10
        small.bulkCount = 200
        let store = try small.openWithTables()
        let session = try store.makeSession()
        let child = try ChildProcess("ledger-hold", small.arguments)
        #expect(child.line() == "open")
        for round in 1...(LongRun.isWanted ? 400 : 40) {
            child.send("round")
            #expect(child.line() == "ok")
            // The session itself is what keeps the map from growing.
            let error = try storageError { try store.refresh(session) }
            if let error {
                #expect(error.code == .grownByAnotherProcess)
                #expect(try small.ledger.check(session) < round)
                // Reading goes on where it was, for new sessions too.
                #expect(try small.ledger.check(try store.makeSession()) < round)
                break
            }
            #expect(try small.ledger.check(session) == round)
        }
        #expect(child.finish() == ["ok"])
    }
}
