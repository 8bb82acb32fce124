import CairnStorage
import DurabilityWorkload
import Foundation
import Testing

@Suite(.serialized) struct `Memory` {
    @Test func `sessions, snapshots and stores are freed`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        weak var store: Store?
        weak var snapshot: Snapshot?
        weak var session: Session?
        weak var token: Store.Token?
        do {
            let opened = try file.openWithTables()
            let made = try opened.makeSession()
            let watch = opened.watch { _ in }
            (store, session, token, snapshot) = (opened, made, watch, made.snapshot)
            try opened.write(made) { _ = try file.ledger.advance(made) }
            #expect(snapshot == nil, "a version that nobody is at")
            snapshot = made.snapshot
            try opened.beginWrite(made, on: .store)
            try file.ledger.advance(made)
            opened.cancel(made)
            withExtendedLifetime((made, watch)) {}
        }
        #expect(session == nil && token == nil && snapshot == nil && store == nil)
        // Closed: a file is opened anew, with options of its own.
        var readOnly = file
        readOnly.isReadOnly = true
        _ = try readOnly.open()
    }

    @Test func `a version lives as long as one that uses it`() throws {
        let folder = try ScratchFolder()
        let file = folder.ledger
        weak var store: Store?
        weak var snapshot: Snapshot?
        do {
            var opened: Store? = try file.openWithTables()
            store = opened
            let session = try opened.map { Session(try $0.newestSnapshot()) }
            snapshot = session?.snapshot
            opened = nil
            #expect(store == nil)
            #expect(try session.map { try file.ledger.check($0) } == 0)
        }
        #expect(snapshot == nil)
    }

    @Test func `small transactions leave nothing behind`() throws {
        let folder = try ScratchFolder()
        let store = try folder.ledger.open()
        let session = try store.makeSession()
        try store.write(session) {
            let table = try session.createTable("T")
            try session.addColumn(.init("n", .int), to: table.definition.space)
            try session.addColumn(.init("text", .string), to: table.definition.space)
            let columns = table.definition.columns
            try session.addIndex(.ordered, on: [columns[0].id], of: table.definition.space)
            for _ in 0..<1_000 { _ = try table.insert() }
        }
        func write(_ count: Int) throws {
            for number in 0..<count {
                try store.write(session, durability: StoreOptions.Durability.none) {
                    guard let table = try session.table(named: "T") else { return }
                    let row = RowKey(UInt64(number % 1_000))
                    try table.set(row, 0, Int64(number))
                    try table.setText(
                        row, 1, String(repeating: "x", count: number % 97 == 0 ? 1_200 : number % 100))
                }
                guard number % 10 == 0, let table = try session.table(named: "T") else { continue }
                // Read, so that snapshots hold what they decode.
                _ = try table.rows(ordered: 0, limit: 5)
                _ = table.string(RowKey(500), 1)
            }
        }
        try write(2_000)
        let memory = try Self.anonymousByteCount()
        try write(LongRun.isWanted ? 10_000 : 3_000)
        // A kilobyte a transaction would be more.
        #expect(try Self.anonymousByteCount() - memory < (LongRun.isWanted ? 8 : 3) << 20)
        #expect(try folder.bytes().count < 8 << 20)
        try WholeFile.check(store, path: folder.file)
    }

    /// `RssAnon`: pages of mapped files do not count.
    private static func anonymousByteCount() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.split(separator: " ")[1])) << 10
    }
}
