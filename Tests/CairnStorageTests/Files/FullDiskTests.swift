import CairnLMDB
import CairnStorage
import Foundation
import TestSupport
import Testing

@Suite struct `A full disk` {
    /// Fills the file system, but for so many bytes.
    private func fill(_ mounted: Mounted, leaving byteCount: Int) throws {
        let path = mounted.path + "/fill"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let piece = [UInt8](repeating: 1, count: 4096)
        while write(handle.fileDescriptor, piece, piece.count) == piece.count {}
        fsync(handle.fileDescriptor)
        ftruncate(handle.fileDescriptor, lseek(handle.fileDescriptor, 0, SEEK_END) - off_t(byteCount))
        fsync(handle.fileDescriptor)
        try handle.close()
    }

    @Test(
        .enabled(if: Mounted.isPossible, "file systems cannot be mounted here"),
        arguments: Mounted.Kind.allCases, [0, 4096, 16384, 65536, 73728])
    func `is an error of opening, and leaves nothing behind`(kind: Mounted.Kind, free: Int) throws {
        if kind == .ext4 && !Mounted.isLoopPossible { try Test.cancel("no loop device can be mounted here") }
        let mounted = try Mounted(kind, byteCount: 4 << 20)
        try fill(mounted, leaving: free)
        let path = mounted.path + "/data"
        #expect(codeOfOpening(path) == .diskFull)
        let names = try FileManager.default.contentsOfDirectory(atPath: mounted.path)
        #expect(names.filter { $0.hasPrefix("data") } == [])
        unlink(mounted.path + "/fill")
        #expect(codeOfOpening(path) == nil)
    }

    @Test(
        .enabled(if: Mounted.isPossible, "file systems cannot be mounted here"),
        arguments: Mounted.Kind.allCases, [2000, 5000, 60_000])
    func `is an error of writing, and what was committed stays readable`(
        kind: Mounted.Kind, byteCount: Int
    ) throws {
        if kind == .ext4 && !Mounted.isLoopPossible { try Test.cancel("no loop device can be mounted here") }
        let mounted = try Mounted(kind, byteCount: 4 << 20)
        let path = mounted.path + "/data"
        var committed = 0
        do {
            let file = try StoreFile.open(StoreOptions(path: path))
            try file.append()
            committed += 1
            try fill(mounted, leaving: 128 << 10)
            let code = storageCode { () throws(StorageError) in
                while committed < 10_000 {
                    try file.append(byteCount: byteCount)
                    committed += 1
                }
            }
            #expect(code == .diskFull)
            #expect(try file.entryCount() == committed)
            unlink(mounted.path + "/fill")
            try file.append()
        }
        let file = try StoreFile.open(StoreOptions(path: path))
        #expect(try file.entryCount() == committed + 1)
    }
}
