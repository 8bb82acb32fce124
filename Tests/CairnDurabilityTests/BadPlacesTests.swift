import CairnStorage
import DurabilityWorkload
import Foundation
import TestSupport
import Testing

@Suite struct `A store in a place that is not for it` {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func asNobody(_ arguments: String...) throws -> [String] {
        try ChildProcess.lines("ledger-open-as-nobody", folder.ledger.arguments + arguments)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `is refused without permission, and the file stays as it was`() throws {
        _ = try folder.ledger.openWithTables()
        let bytes = try folder.bytes()
        chmod(folder.file, 0o600)
        for name in ["-lock", "-presence"] { chmod(folder.file + name, 0o666) }
        #expect(try asNobody() == ["permissionDenied"])
        #expect(try asNobody("ro") == ["permissionDenied"])
        chmod(folder.file, 0o644)
        #expect(try asNobody() == ["permissionDenied"])
        #expect(try asNobody("ro") == ["ok"])
        #expect(try folder.bytes() == bytes)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func `is refused in a folder that may not be written, and read when nobody writes the file`() throws {
        chmod(folder.path, 0o755)
        #expect(try asNobody() == ["permissionDenied"])
        #expect(folder.names.isEmpty)
        _ = try folder.ledger.openWithTables()
        for name in ["-lock", "-presence"] { unlink(folder.file + name) }
        let bytes = try folder.bytes()
        chmod(folder.file, 0o444)
        #expect(try asNobody() == ["permissionDenied"])
        #expect(try asNobody("ro") == ["ok"])
        #expect(try folder.bytes() == bytes)
        #expect(folder.names == ["data"])
    }

    @Test(.enabled(if: Mounted.isPossible, "file systems cannot be mounted here"))
    func `is read on a read-only file system, and refused for writing`() throws {
        let mounted = try Mounted(byteCount: 4 << 20)
        var file = LedgerStore(path: mounted.path + "/data")
        try file.openWithTables().advance(file.ledger, rounds: 3)
        try mounted.makeReadOnly()
        let error = try storageError { _ = try file.open() }
        #expect(error?.code == .permissionDenied)
        #expect(error?.message.contains("Check the permissions") == true)
        file.isReadOnly = true
        let store = try file.open()
        let session = try store.makeSession()
        #expect(try file.ledger.check(session) == 3)
        #expect(try storageError { try store.beginWrite(session) }?.code == .readOnly)
        try WholeFile.check(store, path: file.path)
    }

    /// The check that follows needs to write the presence file, which a reader may not be able to.
    @Test(.enabled(if: Mounted.isPossible, "file systems cannot be mounted here"))
    func `is read on a read-only file system after an unclean end`() throws {
        let mounted = try Mounted(byteCount: 4 << 20)
        var file = LedgerStore(path: mounted.path + "/data")
        file.durability = .none
        let child = try ChildProcess("ledger-write", file.arguments)
        for _ in 0..<3 { _ = child.line() }
        child.kill()
        try mounted.makeReadOnly()
        file.isReadOnly = true
        let store = try file.open()
        #expect(try file.ledger.check(try store.makeSession()) >= 3)
    }

    @Test func `is refused under another name while a process has it open`() throws {
        let child = try ChildProcess("ledger-hold", folder.ledger.arguments)
        #expect(child.line() == "open")
        rename(folder.file, folder.path + "/moved")
        let moved = LedgerStore(path: folder.path + "/moved")
        let error = try storageError { _ = try moved.open() }
        #expect(error?.code == .alreadyOpen)
        #expect(error?.message.contains("close the database everywhere") == true)
        // Both go on: the other process with its file, and a new file under the old name.
        child.send("round")
        #expect(child.line() == "ok")
        do { try folder.ledger.openWithTables().advance(folder.ledger.ledger, rounds: 4) }
        child.send("round")
        #expect(child.line() == "ok")
        #expect(child.finish() == ["ok"])
        #expect(try WholeFile.check(moved) == 2)
        #expect(try WholeFile.check(folder.ledger) == 4)
    }

    @Test func `is refused for a second use that does not fit the first`() throws {
        let store = try folder.ledger.openWithTables()
        var readOnly = folder.ledger
        readOnly.isReadOnly = true
        #expect(try storageError { _ = try readOnly.open() }?.code == .mismatchedOptions)
        try store.advance(folder.ledger.ledger)
        #expect(try WholeFile.check(folder.ledger) == 1)
    }
}
