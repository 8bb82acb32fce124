import CairnStorage
import DurabilityWorkload
import Foundation
import TestSupport
import Testing

/// A process that is killed at any moment leaves whole transactions, and every one that it had told of.
@Suite struct `A kill` {
    struct Kind: CustomTestStringConvertible {
        let testDescription: String
        var durability = StoreOptions.Durability.full
        var bulkCount = 0
        var spillByteCount = 128 << 20
        /// Whether the file is opened and closed for each transaction.
        var reopens = false
        var shortCount = 8
    }

    static let kinds: [Kind] = [
        Kind(testDescription: "of durable commits"),
        Kind(
            testDescription: "of large commits that spill", bulkCount: 1_000, spillByteCount: 0, shortCount: 6
        ),
        Kind(testDescription: "with the last commit at risk", durability: .lastCommitAtRisk, shortCount: 4),
        Kind(
            testDescription: "of commits that are not flushed", durability: .none, bulkCount: 100,
            shortCount: 6),
        Kind(testDescription: "of opening and closing", durability: .none, reopens: true, shortCount: 6),
        Kind(testDescription: "of opening and closing, durable", reopens: true, shortCount: 4),
    ]

    @Test(arguments: kinds) func `loses no transaction that was acknowledged, and no part of one`(kind: Kind)
        throws
    {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.durability = kind.durability
        file.bulkCount = kind.bulkCount
        file.spillByteCount = kind.spillByteCount
        var last = 0
        for _ in 0..<(LongRun.isWanted ? kind.shortCount * 30 : kind.shortCount) {
            let child = try ChildProcess(kind.reopens ? "ledger-reopen" : "ledger-write", file.arguments)
            let told = try killedAtRandom(child)
            let acknowledged = told ?? last
            try checkUnclean(file, kind, hasCommitted: told != nil)
            let round = try WholeFile.check(file)
            #expect(round == acknowledged || round == acknowledged + 1)
            last = round
            // The next history begins from a file that was checked and written to.
            try file.open().advance(file.ledger, durability: kind.durability)
            last += 1
        }
    }

    /// - Returns: the last round that the child has told of; nil for none.
    private func killedAtRandom(_ child: ChildProcess) throws -> Int? {
        var last: String?
        for _ in 0..<Int.random(in: 0...6) { last = child.line() ?? last }
        // Somewhere in the next transaction; nothing waits for this.
        usleep(.random(in: 0...20_000))
        last = child.kill().last ?? last
        return try last.map { line in
            guard let round = Int(line) else { throw LedgerFailure("the child has told: \(line)") }
            return round
        }
    }

    /// What the next process learns by commits that were not flushed: once, and not after its check.
    private func checkUnclean(_ file: LedgerStore, _ kind: Kind, hasCommitted: Bool) throws {
        let isUnclean = try StoreFile.open(file.options).endedUncleanly
        if kind.durability != .none { #expect(!isUnclean) }
        // One that opens and closes may have been killed between two uses.
        if kind.durability == .none, hasCommitted, !kind.reopens { #expect(isUnclean) }
        _ = try file.openWithTables()
        #expect(try !StoreFile.open(file.options).endedUncleanly)
    }

    @Test func `while the file is being made leaves one that opens`() throws {
        for _ in 0..<(LongRun.isWanted ? 300 : 10) {
            let folder = try ScratchFolder()
            let child = try ChildProcess("ledger-write", folder.ledger.arguments)
            usleep(.random(in: 0...40_000))
            let last = child.kill().last.flatMap { Int($0) } ?? 0
            let store = try folder.ledger.openWithTables()
            #expect(try folder.ledger.ledger.check(store.makeSession()) >= last)
            try WholeFile.check(store, path: folder.file)
        }
    }

    /// The presence file says so, and opening runs the check before anything trusts the pages.
    @Test func `of commits that were not flushed has the damaged pages found at the next open`() throws {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.durability = .none
        let child = try ChildProcess("ledger-write", file.arguments)
        for _ in 0..<5 { _ = child.line() }
        child.kill()
        var bytes = try folder.bytes()
        // What a power loss may leave: pages that were never written, but the meta pages were.
        for index in (4096 * 2)..<bytes.count where index / 4096 % 3 == 0 { bytes[index] = 0 }
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file))
        try handle.write(contentsOf: bytes)
        try handle.close()
        let error = try storageError { _ = try file.open() }
        #expect(error?.code == .damaged)
        #expect(try storageError { _ = try file.open() }?.code == .damaged)
        #expect(try folder.bytes() == bytes)
    }
}
