import CairnStorage
import DurabilityWorkload
import Foundation
import Synchronization
import Testing

@Suite struct `Concurrency of reading` {
    private var rounds: Int { LongRun.isWanted ? 150 : 12 }

    @Test func `many threads read one version while a writer commits`() throws {
        let folder = try ScratchFolder()
        var file = folder.ledger
        file.bulkCount = 300
        do {
            let store = try file.openWithTables()
            try store.advance(file.ledger, rounds: 20)
            let isWriting = Atomic(true)
            let rounds = rounds
            let ledger = file.ledger
            for _ in 0..<(LongRun.isWanted ? 10 : 2) {
                // Nothing of it has been read yet, so all threads find its chunks at the same time.
                let snapshot = try store.newestSnapshot()
                let wanted = try ledger.check(try store.makeSession())
                isWriting.store(true, ordering: .relaxed)
                try Threads.run(5) { number in
                    guard number > 0 else {
                        defer { isWriting.store(false, ordering: .relaxed) }
                        return try store.advance(ledger, rounds: rounds)
                    }
                    repeat {
                        let round = try ledger.check(Session(snapshot))
                        guard round == wanted else {
                            throw LedgerFailure("a version went from \(wanted) to \(round)")
                        }
                    } while isWriting.load(ordering: .relaxed)
                }
            }
        }
        try WholeFile.check(file)
    }

    @Test func `sessions at several versions read on threads of their own`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        do {
            let store = try file.openWithTables()
            try Threads.run(4) { number in
                for round in 0..<rounds {
                    if number == 0 { try store.advance(file.ledger, rounds: 3) }
                    let (old, new) = (try store.makeSession(), try store.makeSession())
                    let before = try file.ledger.check(old)
                    if round % 3 == number % 3 { try store.refresh(new) }
                    let after = try file.ledger.check(new)
                    guard try file.ledger.check(old) == before, after >= before else {
                        throw LedgerFailure("rounds \(before), \(after)")
                    }
                    try LedgerChanges(from: old, to: new).check(store)
                }
            }
        }
        try WholeFile.check(file)
    }

    @Test func `a session is dropped while others of its version live`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        let store = try file.openWithTables()
        try store.advance(file.ledger, rounds: 10)
        try Threads.run(4) { number in
            for _ in 0..<(rounds * 4) {
                var session: Session? = try store.makeSession()
                let other = try store.makeSession()
                if let session { try file.ledger.check(session) }
                session = nil
                try file.ledger.check(other)
                if number == 0 { try store.advance(file.ledger) }
            }
        }
        try WholeFile.check(store, path: file.path)
    }

    /// Packed chunks are decoded into the cache, which is far too small: what one snapshot uses is dropped
    /// by another all the time.
    @Test func `threads decode packed chunks under a cache that holds almost nothing`() throws {
        let folder = try ScratchFolder()
        var options = folder.ledger.options
        options.cacheByteCount = 5_000
        let store = try Store.open(options)
        let session = try store.makeSession()
        try store.write(session, durability: .none) {
            let table = try session.createTable("T")
            for name in ["a", "b", "c"] {
                try session.addColumn(.init(name, .int), to: table.definition.space)
            }
            for number in 0..<(448 * 12) {
                let row = try table.insert()
                for position in 0..<3 { try table.set(row, position, Int64(number % (position + 3))) }
            }
        }
        let count = 448 * 12
        try Threads.run(4) { number in
            for round in 0..<rounds {
                let session = try store.makeSession()
                guard let table = try session.table(named: "T") else { throw LedgerFailure("no table") }
                for position in 0..<3 {
                    let wanted = (0..<count).reduce(0) { $0 + $1 % (position + 3) }
                    var sum = 0
                    table.forEachRow { sum += Int(table.value($0, position, as: Int64.self)) }
                    guard sum == wanted else { throw LedgerFailure("a sum is \(sum)") }
                    for row in stride(from: number, to: count, by: 97) {
                        let value = Int(table.value(RowKey(UInt64(row)), position, as: Int64.self))
                        guard value == row % (position + 3) else {
                            throw LedgerFailure("row \(row) is \(value)")
                        }
                    }
                }
                try session.throwDamage()
                guard number == 0 else { continue }
                try store.write(session, durability: .none) {
                    // Writes the chunks of a block anew with the same values.
                    let row = RowKey(UInt64(round * 448 % count))
                    for position in 0..<3 {
                        try table.set(row, position, Int64(Int(row.value) % (position + 3)))
                    }
                }
            }
        }
        try WholeFile.check(store, path: folder.file)
    }
}
