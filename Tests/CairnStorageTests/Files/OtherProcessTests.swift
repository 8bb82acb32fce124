import CairnLMDB
import CairnStorage
import Foundation
import TestSupport
import Testing

@Suite struct `A file that another process has open` {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func holder() throws -> ChildProcess {
        let child = try ChildProcess("hold", folder.file)
        #expect(child.line() == "open")
        return child
    }

    @Test func `is written by both in turn`() throws {
        let child = try holder()
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        for _ in 0..<3 {
            child.send("commit")
            #expect(child.line() == "ok")
            try file.append()
        }
        #expect(try file.entryCount() == 6)
        #expect(child.finish() == ["closed"])
        #expect(try file.entryCount() == 6)
    }

    // It gave two files under one lock file, and lost commits.
    @Test func `is refused under the name it was moved to`() throws {
        let child = try holder()
        rename(folder.file, folder.path + "/moved")
        #expect(codeOfOpening(folder.path + "/moved") == .alreadyOpen)
        #expect(codeOfOpening(folder.path + "/moved", isReadOnly: true) == .alreadyOpen)
        child.send("commit")
        #expect(child.line() == "ok")
        // The old name is free for another database, with side files of its own.
        do {
            let file = try StoreFile.open(StoreOptions(path: folder.file))
            try file.append()
            #expect(try file.entryCount() == 1)
        }
        #expect(child.finish() == ["closed"])
        let moved = try StoreFile.open(StoreOptions(path: folder.path + "/moved"))
        #expect(try moved.entryCount() == 1)
    }

    @Test func `is refused by a second name`() throws {
        let child = try holder()
        link(folder.file, folder.path + "/hard")
        #expect(codeOfOpening(folder.path + "/hard") == .alreadyOpen)
        #expect(codeOfOpening(folder.file) == nil)
        _ = child.finish()
        #expect(codeOfOpening(folder.path + "/hard") == nil)
        let names = ["data", "data-lock", "data-presence", "hard", "hard-lock", "hard-presence"]
        #expect(folder.names == names)
    }

    @Test(arguments: [("-lock", StorageError.Code.fileAccess), ("-presence", .alreadyOpen)])
    func `is refused when a side file was removed`(name: String, code: StorageError.Code) throws {
        let child = try holder()
        unlink(folder.file + name)
        #expect(codeOfOpening(folder.file) == code)
        child.send("commit")
        #expect(child.line() == "ok")
        _ = child.finish()
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(try file.entryCount() == 1)
    }

    @Test func `opens after that process was killed`() throws {
        let child = try holder()
        child.send("commit")
        #expect(child.line() == "ok")
        child.kill()
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(try file.entryCount() == 1)
        try file.append()
    }

    @Test func `loses nothing when processes open and close it all the time`() throws {
        let children = try (0..<4).map { _ in try ChildProcess("open-and-close-often", folder.file, "50") }
        for child in children {
            #expect(child.finish() == ["ok"])
            #expect(child.exitStatus == 0)
        }
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(try file.entryCount() == 200)
    }
}

@Suite struct `After an unclean end` {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func endedUncleanly() throws -> Bool {
        try StoreFile.open(StoreOptions(path: folder.file)).endedUncleanly
    }

    @Test func `with unsynced commits the next opens know, until a check has passed`() throws {
        #expect(try ChildProcess.lines("end-uncleanly", folder.file) == ["ok"])
        #expect(try endedUncleanly())
        #expect(try endedUncleanly())
        try StoreFile.open(StoreOptions(path: folder.file)).acknowledgeUncleanEnd()
        #expect(try !endedUncleanly())
    }

    @Test func `with synced commits nothing is to be checked`() throws {
        let child = try ChildProcess("hold", folder.file)
        #expect(child.line() == "open")
        child.send("commit")
        #expect(child.line() == "ok")
        child.kill()
        #expect(try !endedUncleanly())
    }

    @Test func `a clean close leaves nothing to check`() throws {
        do {
            let file = try StoreFile.open(StoreOptions(path: folder.file, durability: .none))
            try file.noteUnsyncedCommits()
            try file.append()
        }
        #expect(try !endedUncleanly())
    }

    @Test func `a process that goes on does not take the note away`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file, durability: .none))
        #expect(try ChildProcess.lines("end-uncleanly", folder.file) == ["ok"])
        #expect(!file.endedUncleanly)
        try file.append()
    }
}

@Suite struct `A fork` {
    @Test func `leaves the file to the parent, and lets the child open it anew`() throws {
        let folder = try TestFolder()
        let lines = try ChildProcess.lines("fork", folder.file)
        #expect(
            lines == ["usedAfterFork", "usedAfterFork", "ok", "child ended with 0", "ok", "readers: 1"])
    }
}
