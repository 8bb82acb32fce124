import CairnLMDB
import CairnStorage
import DurabilityWorkload
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Mounted.isPossible, "file systems cannot be mounted here"))
struct `A full disk under a store` {
    private func mounted(_ kind: Mounted.Kind, byteCount: Int) throws -> Mounted {
        if kind == .ext4 && !Mounted.isLoopPossible { try Test.cancel("no loop device can be mounted here") }
        return try Mounted(kind, byteCount: byteCount)
    }

    @Test(arguments: Mounted.Kind.allCases, [0, 4_096, 65_536, 73_728, 77_824, 81_920, 86_016, 98_304])
    func `is an error of opening, and the file can be made when there is room`(kind: Mounted.Kind, free: Int)
        throws
    {
        let mounted = try mounted(kind, byteCount: 4 << 20)
        let file = LedgerStore(path: mounted.path + "/data")
        try mounted.fill(leaving: free)
        let error = try storageError { _ = try file.open() }
        #expect(error == nil || error?.code == .diskFull)
        #expect(error == nil || error?.message.contains("no space is left") == true)
        if free < 81_920 { #expect(error != nil) }
        mounted.empty()
        _ = try file.openWithTables()
        #expect(try WholeFile.check(file) == 0)
    }

    /// - 0: everything is written ahead, so the error comes inside the write.
    @Test(arguments: Mounted.Kind.allCases, [0, 128 << 20])
    func `is an error of writing, and the session goes on`(kind: Mounted.Kind, spillByteCount: Int) throws {
        let mounted = try mounted(kind, byteCount: 8 << 20)
        var file = LedgerStore(path: mounted.path + "/data")
        file.bulkCount = 1_000
        file.spillByteCount = spillByteCount
        do {
            let store = try file.openWithTables()
            let session = try store.makeSession()
            let reader = try store.makeSession()
            try mounted.fill(leaving: 1 << 20)
            var round = 0
            // The reader holds the first version, so that no page is used again.
            for attempt in 0..<3 {
                let error = try storageError {
                    while round < 1_000 {
                        try store.write(session) { _ = try file.ledger.advance(session) }
                        round += 1
                    }
                }
                #expect(error?.code == .diskFull, "\(attempt): \(error.map { "\($0)" } ?? "nothing")")
                #expect(!session.isWriting)
                #expect(try file.ledger.check(session) == round)
                #expect(try file.ledger.check(try store.makeSession()) == round)
                #expect(try file.ledger.check(reader) == 0)
            }
            mounted.empty()
            try store.write(session) { _ = try file.ledger.advance(session) }
            #expect(try file.ledger.check(session) == round + 1)
            #expect(try file.ledger.check(reader) == 0)
        }
        #expect(try WholeFile.check(file) > 0)
    }

    private final class Reading: Sendable {
        private let transaction: ReadTransaction

        init(_ file: StoreFile) throws(StorageError) { transaction = try file.beginRead() }
        var version: UInt64 { transaction.id }
    }

    @Test(arguments: Mounted.Kind.allCases) func `with a thousand readers is an error too`(kind: Mounted.Kind)
        throws
    {
        let mounted = try mounted(kind, byteCount: 16 << 20)
        let file = LedgerStore(path: mounted.path + "/data")
        do {
            let store = try file.openWithTables()
            let session = try store.makeSession()
            let storeFile = try StoreFile.open(file.options)
            var sessions: [Session] = []
            var readings: [Reading] = []
            for _ in 0..<40 {
                try store.write(session) { _ = try file.ledger.advance(session) }
                sessions.append(try store.makeSession())
                for _ in 0..<24 { readings.append(try Reading(storeFile)) }
            }
            try mounted.fill(leaving: 256 << 10)
            let error = try storageError {
                for _ in 0..<2_000 { try store.write(session) { _ = try file.ledger.advance(session) } }
            }
            #expect(error?.code == .diskFull)
            for (index, old) in sessions.enumerated() { #expect(try file.ledger.check(old) == index + 1) }
            // The rest of the reader table, and one more.
            let full = try storageError {
                while readings.count < 1_100 { readings.append(try Reading(storeFile)) }
            }
            #expect(full?.code == .tooManyReaders)
            #expect(
                try storageError { try store.write(session) { _ = try file.ledger.advance(session) } } != nil)
            readings = []
            mounted.empty()
            try store.write(session) { _ = try file.ledger.advance(session) }
            try file.ledger.check(session)
        }
        #expect(try WholeFile.check(file) > 40)
    }
}

@Suite struct `A limit on the size of the file` {
    @Test(arguments: [0, 128 << 20]) func `that is reached is an error, and the session goes on`(
        spillByteCount: Int
    ) throws {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.maximumFileByteCount = 1 << 20
        file.bulkCount = 300
        file.spillByteCount = spillByteCount
        var round = 0
        do {
            let store = try file.openWithTables()
            let session = try store.makeSession()
            let reader = try store.makeSession()
            let error = try storageError {
                while round < 1_000 {
                    try store.write(session) { _ = try file.ledger.advance(session) }
                    round += 1
                }
            }
            #expect(error?.code == .mapFull)
            #expect(try file.ledger.check(session) == round)
            #expect(try file.ledger.check(reader) == 0)
        }
        #expect(try WholeFile.check(file) == round)
        file.maximumFileByteCount = nil
        try file.open().advance(file.ledger)
        #expect(try WholeFile.check(file) == round + 1)
    }

    @Test func `that leaves no room to make a file is an error`() throws {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.maximumFileByteCount = 1
        let error = try storageError { _ = try file.openWithTables() }
        #expect(error?.code == .mapFull)
        file.maximumFileByteCount = nil
        _ = try file.openWithTables()
        #expect(try WholeFile.check(file) == 0)
    }

    /// - 400,000: within the first rounds; 300,000 with spills: inside a write.
    @Test(arguments: [(400_000, 128 << 20), (300_000, 0)])
    func `of the process is an error, and no signal`(limit: Int, spillByteCount: Int) throws {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.bulkCount = 200
        file.spillByteCount = spillByteCount
        let child = try ChildProcess("ledger-file-limit", file.arguments + ["\(limit)"])
        #expect(child.finish() == ["fileTooLarge", "ok"])
        #expect(child.exitStatus == 0)
        #expect(try WholeFile.check(file) > 0)
    }

    /// A program that catches the error of a part of its write and commits the rest.
    @Test func `that was met inside a write was another error when the write was committed`() throws {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.maximumFileByteCount = 1 << 20
        file.bulkCount = 60_000
        file.spillByteCount = 0
        let store = try file.openWithTables()
        let session = try store.makeSession()
        try store.beginWrite(session)
        let inside = try storageError { _ = try file.ledger.advance(session) }
        #expect(inside?.code == .mapFull)
        let error = try storageError { _ = try store.commit(session) }
        #expect(error?.code == .mapFull)
        #expect(!session.isWriting)
        #expect(try file.ledger.check(session) == 0)
    }
}
