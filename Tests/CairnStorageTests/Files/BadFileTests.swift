import CairnLMDB
import CairnStorage
import Foundation
import Testing

@Suite struct `Opening a file that is none` {
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    struct Input: CustomTestStringConvertible {
        let testDescription: String
        let code: StorageError.Code
        /// Makes the bad bytes of those of a healthy database with 16 pages or more.
        let spoil: @Sendable (inout [UInt8]) -> Void
    }

    static let inputs: [Input] = [
        Input(testDescription: "one byte", code: .notADatabase) { $0 = [1] },
        Input(testDescription: "a text", code: .notADatabase) { $0 = Array("hello, this is a text".utf8) },
        Input(testDescription: "nothing but zeros", code: .notADatabase) {
            $0 = .init(repeating: 0, count: 65536)
        },
        Input(testDescription: "a long file of other bytes", code: .notADatabase) {
            $0 = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
        },
        Input(testDescription: "a newer page format", code: .newerFormat) { $0[20] = 2 },
        Input(testDescription: "a first meta page without magic", code: .damaged) { $0[16] ^= 1 },
        Input(testDescription: "a second meta page without magic", code: .damaged) { $0[4096 + 16] ^= 1 },
        Input(testDescription: "a page size that cannot be", code: .damaged) { $0[41] = 0x17 },
        Input(testDescription: "two page sizes", code: .damaged) { $0[4096 + 41] = 0x20 },
        Input(testDescription: "a last page beyond all files", code: .cutShort) { bytes in
            for meta in [0, 4096] { for byte in 0..<8 { bytes[meta + 136 + byte] = 0x7F } }
        },
        Input(testDescription: "cut in the first page", code: .cutShort) { $0.removeLast($0.count - 100) },
        Input(testDescription: "cut after the first page", code: .cutShort) {
            $0.removeLast($0.count - 4096)
        },
        Input(testDescription: "cut after the second page", code: .cutShort) {
            $0.removeLast($0.count - 8192)
        },
        Input(testDescription: "cut by one byte", code: .cutShort) { $0.removeLast() },
        Input(testDescription: "cut by half", code: .cutShort) { $0.removeLast($0.count / 2) },
    ]

    @Test(arguments: inputs, [false, true])
    func `is refused with the right code, and leaves everything as it was`(
        input: Input, isReadOnly: Bool
    ) throws {
        do {
            let file = try StoreFile.open(StoreOptions(path: folder.file))
            for _ in 0..<3 { try file.append(byteCount: 50_000) }
        }
        var bytes = try folder.bytes()
        input.spoil(&bytes)
        try folder.write(bytes)
        for name in ["-lock", "-presence"] { unlink(folder.file + name) }

        #expect(codeOfOpening(folder.file, isReadOnly: isReadOnly) == input.code)
        #expect(try folder.bytes() == bytes)
        #expect(folder.names == ["data"])
    }

    @Test func `an empty file becomes a database when it is opened for writing`() throws {
        try folder.write([])
        #expect(codeOfOpening(folder.file, isReadOnly: true) == .notADatabase)
        #expect(try folder.bytes().isEmpty)
        #expect(codeOfOpening(folder.file) == nil)
        #expect(try folder.bytes().count == 8192)
    }

    @Test func `a missing file is made only for writing`() throws {
        #expect(codeOfOpening(folder.file, isReadOnly: true) == .fileNotFound)
        #expect(folder.names.isEmpty)
        #expect(codeOfOpening(folder.file) == nil)
        #expect(folder.names == ["data", "data-lock", "data-presence"])
    }

    @Test func `a missing folder is named`() throws {
        let error = #expect(throws: StorageError.self) {
            _ = try StoreFile.open(StoreOptions(path: folder.path + "/none/data"))
        }
        #expect(error?.code == .fileNotFound)
        #expect(error?.message.contains(folder.path + "/none") == true)
    }

    @Test func `a parent that is a file is an error`() throws {
        try folder.write([1])
        #expect(codeOfOpening(folder.file + "/data") == .fileAccess)
    }

    @Test(arguments: ["", "/", ".", "data/", "a\0b"])
    func `a path that names no file is an error`(path: String) {
        #expect(codeOfOpening(path) != nil)
    }

    @Test func `a folder and a pipe are no databases`() throws {
        #expect(codeOfOpening(folder.path) == .notADatabase)
        mkfifo(folder.file, 0o600)
        #expect(codeOfOpening(folder.file) == .notADatabase)
        #expect(folder.names == ["data"])
    }

    @Test func `a link that leads to itself is an error`() throws {
        symlink(folder.file, folder.file)
        #expect(codeOfOpening(folder.file) == .fileAccess)
    }

    // LMDB counts pages at the end as used that a commit took and gave back, and never writes them.
    @Test func `a healthy file that ends before its last page opens`() throws {
        do {
            let file = try StoreFile.open(StoreOptions(path: folder.file))
            for _ in 0..<100 { try file.append(byteCount: 100) }
            let transaction = try file.beginWrite()
            let database = try #require(try transaction.openDatabase(named: "test", .integerKeys))
            _ = try transaction.reserve(database, 1000, byteCount: 40_000)
            _ = try transaction.reserve(database, 1001, byteCount: 80_000)
            try transaction.delete(database, 1001)
            try transaction.delete(database, 1000)
            try transaction.commit()
            let last = file.environment.info.lastPageNumber
            try #require(try folder.bytes().count < (last + 1) * 4096)
        }
        let file = try StoreFile.open(StoreOptions(path: folder.file))
        #expect(try file.entryCount() == 100)
    }

    // The presence file says so when somebody died while making the file.
    @Test func `a file whose making was not finished is made anew`() throws {
        try folder.makeDatabase(commitCount: 0)
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.file + "-presence"))
        try handle.seek(toOffset: 24)
        try handle.write(contentsOf: [1])
        try handle.close()
        // Written in place: the presence file knows the inode.
        truncate(folder.file, 4096)
        #expect(codeOfOpening(folder.file, isReadOnly: true) == .cutShort)
        #expect(codeOfOpening(folder.file) == nil)
        truncate(folder.file, 4096)
        #expect(codeOfOpening(folder.file) == .cutShort)
    }
}
