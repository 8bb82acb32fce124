import CairnLMDB
import CairnStorage
import Foundation
import TestSupport
import Testing

private let isRoot = geteuid() == 0

@Suite struct `Limits and permissions` {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    // The lock file needs 65 KiB, the data file 8 KiB and more.
    @Test(arguments: [("4096", ["fileTooLarge"]), ("70000", ["fileTooLarge", "ok"])])
    func `the limit on file sizes is an error, not a signal`(limit: String, lines: [String]) throws {
        for byteCount in ["100", "5000", "30000"] {
            let child = try ChildProcess("write-under-file-limit", folder.file, limit, byteCount)
            #expect(child.finish() == lines)
            #expect(child.exitStatus == 0)
            if lines.count == 1 { #expect(folder.names.isEmpty) }
        }
        #expect(codeOfOpening(folder.file) == nil)
    }

    @Test func `little address space gives a smaller map`() throws {
        let lines = try ChildProcess.lines("open-under-address-limit", folder.file, "\(16 << 30)")
        #expect(lines == ["smaller", "ok"])
    }

    @Test(.enabled(if: isRoot, "only root can become another user"))
    func `a file that may not be written is refused for writing only`() throws {
        try folder.makeDatabase()
        chmod(folder.file, 0o644)
        for name in ["-lock", "-presence"] { chmod(folder.file + name, 0o666) }
        #expect(try ChildProcess.lines("open-as-nobody", folder.file) == ["permissionDenied"])
        #expect(try ChildProcess.lines("open-as-nobody", folder.file, "ro") == ["ok"])
    }

    @Test(.enabled(if: isRoot, "only root can become another user"))
    func `a folder that may not be searched is an error`() throws {
        try folder.makeDatabase()
        chmod(folder.path, 0o700)
        #expect(try ChildProcess.lines("open-as-nobody", folder.file) == ["permissionDenied"])
    }

    @Test(.enabled(if: isRoot, "only root can become another user"))
    func `without side files only a file that nobody can write is read`() throws {
        try folder.makeDatabase()
        for name in ["-lock", "-presence"] { unlink(folder.file + name) }
        chmod(folder.path, 0o755)
        chmod(folder.file, 0o644)
        #expect(try ChildProcess.lines("open-as-nobody", folder.file) == ["permissionDenied"])
        #expect(try ChildProcess.lines("open-as-nobody", folder.file, "ro") == ["permissionDenied"])
        chmod(folder.file, 0o444)
        #expect(try ChildProcess.lines("open-as-nobody", folder.file, "ro") == ["ok"])
        #expect(folder.names == ["data"])
    }

    @Test(.enabled(if: isRoot, "only root can become another user"))
    func `a reader without side files is refused while somebody writes`() throws {
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        try file.append()
        for name in ["-lock", "-presence"] { chmod(folder.file + name, 0o600) }
        chmod(folder.path, 0o755)
        chmod(folder.file, 0o444)
        #expect(try ChildProcess.lines("open-as-nobody", folder.file, "ro") == ["alreadyOpen"])
    }

    @Test(.enabled(if: Mounted.isPossible, "file systems cannot be mounted here"))
    func `a read-only file system is read without side files`() throws {
        let mounted = try Mounted(byteCount: 4 << 20)
        let path = mounted.path + "/data"
        do { try StoreFile.open(StoreOptions(path: path)).append() }
        for name in ["-lock", "-presence"] { unlink(path + name) }
        try mounted.makeReadOnly()
        #expect(codeOfOpening(path) == .permissionDenied)
        do {
            let file = try StoreFile.open(StoreOptions(path: path, isReadOnly: true))
            #expect(try file.entryCount() == 1)
            #expect(try ChildProcess.lines("open", path, "ro") == ["ok"])
        }
        #expect(codeOfOpening(mounted.path + "/none", isReadOnly: true) == .fileNotFound)
    }
}
