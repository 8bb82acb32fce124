import CairnStorage
import DurabilityWorkload
import Foundation
import TestSupport
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

    /// In a process of its own: other suites run at the same time in this one.
    @Test func `small transactions leave nothing behind`() throws {
        let folder = try ScratchFolder()
        let child = try ChildProcess("small-writes", [folder.file, LongRun.isWanted ? "10000" : "3000"])
        let lines = child.finish()
        let growth = try #require(lines.first?.split(separator: " ").last.flatMap { Int($0) })
        // A kilobyte a transaction would be more.
        #expect(growth < (LongRun.isWanted ? 8 : 3) << 20)
        #expect(lines.last == "ok")
        #expect(try folder.bytes().count < 8 << 20)
        try WholeFile.check(try Store.open(StoreOptions(path: folder.file)), path: folder.file)
    }
}
