import CairnStorage
import DurabilityWorkload
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct `Concurrency of writing` {
    private var rounds: Int { LongRun.isWanted ? 100 : 8 }

    @Test(arguments: [Store.WriteThread.caller, .store])
    func `writers on several threads take turns`(thread: Store.WriteThread) throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        do {
            let store = try file.openWithTables()
            try Threads.run(5) { number in
                let session = try store.makeSession()
                for round in 0..<rounds {
                    try store.beginWrite(session, on: thread)
                    try file.ledger.advance(session)
                    if (round + number) % 4 == 0 {
                        store.cancel(session)
                    } else {
                        try store.commit(session, durability: .none)
                    }
                    try file.ledger.check(session)
                }
            }
        }
        #expect(
            try WholeFile.check(file)
                == (0..<5).reduce(0) { sum, number in
                    sum + (0..<rounds).count { ($0 + number) % 4 != 0 }
                })
    }

    @Test(arguments: [Store.WriteThread.caller, .store])
    func `a thread that is in a write is refused another`(thread: Store.WriteThread) throws {
        let folder = try ScratchFolder()
        let store = try folder.ledger.openWithTables()
        let (first, second) = (try store.makeSession(), try store.makeSession())
        try store.beginWrite(first, on: thread)
        for other in [Store.WriteThread.caller, .store] {
            #expect(try storageError { try store.beginWrite(second, on: other) }?.code == .alreadyInWrite)
            #expect(!second.isWriting)
        }
        // Through another reference to the store, too.
        let again = try folder.ledger.open()
        #expect(again === store)
        #expect(try storageError { try again.advance(folder.ledger.ledger) }?.code == .alreadyInWrite)
        try folder.ledger.ledger.advance(first)
        try store.commit(first)
        try store.advance(folder.ledger.ledger)
        #expect(try WholeFile.check(folder.ledger) == 2)
    }

    /// Each of the four steps on a thread of its own, which ends.
    @Test(arguments: [false, true]) func `a write goes from thread to thread on the store's own`(
        cancels: Bool
    ) throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        let store = try file.openWithTables()
        for _ in 0..<rounds {
            let session = Handed(value: try store.makeSession())
            let before = try file.ledger.check(session.value)
            try Threads.run(1) { _ in try store.beginWrite(session.value, on: .store) }
            try Threads.run(1) { _ in _ = try file.ledger.advance(session.value) }
            // Another writer waits meanwhile, and comes behind.
            try Threads.run(2) { number in
                if number == 1 { return try store.advance(file.ledger) }
                if cancels { store.cancel(session.value) } else { try store.commit(session.value) }
            }
            try store.refresh(session.value)
            #expect(try file.ledger.check(session.value) == before + (cancels ? 1 : 2))
        }
        try WholeFile.check(store, path: file.path)
    }

    @Test func `a write that failed or was cancelled lets the next thread in`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        let store = try file.openWithTables()
        struct Refused: Error {}
        try Threads.run(4) { number in
            let session = try store.makeSession()
            for round in 0..<(rounds * 2) {
                do {
                    try store.write(session, durability: .none) {
                        try file.ledger.advance(session)
                        if (round + number) % 2 == 0 { throw Refused() }
                    }
                } catch is Refused {}
            }
        }
        #expect(try WholeFile.check(file) == 4 * rounds)
    }

    @Test func `threads open and close the store all the time`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        _ = try file.openWithTables()
        try Threads.run(5) { number in
            for round in 0..<(rounds * 3) {
                let store = try file.open()
                if (round + number) % 3 == 0 {
                    try store.advance(file.ledger)
                } else {
                    // The session outlives this reference to its store.
                    let session = try store.makeSession()
                    try file.ledger.check(session)
                }
            }
        }
        try WholeFile.check(file)
    }

    @Test func `a version is held by a thread while its store is closed and opened by others`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        try file.openWithTables().advance(file.ledger, rounds: 3)
        try Threads.run(4) { number in
            for _ in 0..<rounds {
                let session = Session(try file.open().newestSnapshot())
                let before = try file.ledger.check(session)
                if number == 0 { try file.open().advance(file.ledger) }
                guard try file.ledger.check(session) == before else {
                    throw LedgerFailure("a version has changed")
                }
            }
        }
        try WholeFile.check(file)
    }

    @Test func `watchers come and go on threads while others commit`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        let child = try ChildProcess("ledger-write", file.arguments)
        _ = child.line()
        let store = try file.openWithTables()
        let toldCount = Atomic(0)
        try Threads.run(4) { number in
            for _ in 0..<(rounds * 4) {
                let last = Monitor(Version(0))
                let token = store.watch { version in
                    last.withLock { last in
                        if version <= last { toldCount.store(-1_000_000, ordering: .relaxed) }
                        last = version
                    }
                    last.notifyAll()
                    toldCount.add(1, ordering: .relaxed)
                }
                if number == 0 { try store.advance(file.ledger) }
                guard number > 1 else { continue }
                // The other process goes on, so there will be news.
                let told: Void? = last.wait(until: MonotonicTime.now + .seconds(30)) {
                    $0 > Version(0) ? () : nil
                }
                guard told != nil else { throw LedgerFailure("no commit was told of") }
                token.cancel()
            }
        }
        child.kill()
        #expect(toldCount.load(ordering: .relaxed) > 0)
        try WholeFile.check(file)
    }

    /// The map is replaced when nobody reads in it, while others begin to read and to write.
    @Test func `threads open and write while another process grows the file beyond the map`() throws {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.maximumFileByteCount = 512 << 10
        file.bulkCount = 100
        file.durability = .none
        let store = try file.openWithTables()
        let child = try ChildProcess("ledger-write", file.arguments)
        _ = child.line()
        let ledger = file.ledger
        let token = store.watch { _ in }
        try Threads.run(4) { number in
            var written = 0
            for _ in 0..<(rounds * 20) {
                do {
                    let session = try store.makeSession()
                    if number < 2 {
                        try store.write(session, durability: .none) {
                            _ = try ledger.advance(session)
                        }
                        written += 1
                    } else {
                        try ledger.check(session)
                    }
                } catch let error as StorageError
                    where error.code == .grownByAnotherProcess || error.code == .mapFull
                {
                    // Others read in the map at this moment.
                }
            }
        }
        token.cancel()
        child.kill()
        try WholeFile.check(file)
    }
}
