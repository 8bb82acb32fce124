import CairnLMDB
import CairnStorage
import DurabilityWorkload
import Foundation
import TestSupport
import Testing

@Suite struct `A store over a file that is none` {
    let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    struct Input: CustomTestStringConvertible {
        let testDescription: String
        let code: StorageError.Code
        /// What the sentence must say of the reason and of what to do.
        let words: [String]
        /// Makes the bad bytes of those of a healthy file.
        let spoil: @Sendable (inout [UInt8]) -> Void
    }

    static let inputs: [Input] = [
        Input(testDescription: "one byte", code: .notADatabase, words: ["not a Cairn", "Check the path"]) {
            $0 = [7]
        },
        Input(testDescription: "a text", code: .notADatabase, words: ["not a Cairn", "Check the path"]) {
            $0 = Array("a letter to somebody, of no great length".utf8)
        },
        Input(
            testDescription: "SQLite's first page", code: .notADatabase,
            words: ["not a Cairn", "Check the path"]
        ) {
            $0 = Array("SQLite format 3\0".utf8) + Array(repeating: 0, count: 8_176)
        },
        Input(testDescription: "zeros", code: .notADatabase, words: ["not a Cairn", "Check the path"]) {
            $0 = Array(repeating: 0, count: $0.count)
        },
        Input(testDescription: "cut by half", code: .cutShort, words: ["ends before", "Restore"]) {
            $0.removeLast($0.count / 2)
        },
        Input(testDescription: "cut by a byte", code: .cutShort, words: ["ends before", "Restore"]) {
            $0.removeLast()
        },
        Input(testDescription: "a newer format", code: .newerFormat, words: ["format 2", "newer version"]) {
            bytes in
            for place in identities(in: bytes) { bytes[place + 4] = 2 }
        },
        Input(testDescription: "an identity with a flipped bit", code: .damaged, words: ["checksum"]) {
            bytes in
            for place in identities(in: bytes) { bytes[place + 9] ^= 4 }
        },
        Input(
            testDescription: "an identity of somebody else", code: .notADatabase,
            words: ["not a Cairn", "Check the path"]
        ) {
            bytes in
            for place in identities(in: bytes) { bytes[place] = 0 }
        },
    ]

    /// Where the magic number of the identity record is, in every page that has or had it.
    private static func identities(in bytes: [UInt8]) -> [Int] {
        let magic = Array("CARN".utf8)
        return bytes.indices.dropLast(4).filter {
            bytes[$0] == magic[0] && Array(bytes[$0..<($0 + 4)]) == magic
        }
    }

    @Test(arguments: inputs, [false, true])
    func `is refused with a sentence that helps, and stays as it was`(input: Input, isReadOnly: Bool) throws {
        do { try folder.ledger.openWithTables().advance(folder.ledger.ledger, rounds: 5) }
        var bytes = try folder.bytes()
        input.spoil(&bytes)
        try folder.write(bytes)
        for name in ["-lock", "-presence"] { unlink(folder.file + name) }
        var file = folder.ledger
        file.isReadOnly = isReadOnly
        for _ in 0..<2 {
            let error = try storageError { _ = try file.open() }
            #expect(error?.code == input.code)
            for word in input.words {
                #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
            }
            #expect(error?.message.contains(folder.file) == true, "\(error?.message ?? "")")
            #expect(try folder.bytes() == bytes)
        }
    }

    @Test func `becomes one when it is empty and opened for writing, but not for reading`() throws {
        try folder.write([])
        var file = folder.ledger
        file.isReadOnly = true
        let error = try storageError { _ = try file.open() }
        #expect(error?.code == .notADatabase)
        #expect(error?.message.contains("Open it for writing") == true)
        #expect(try folder.bytes().isEmpty)
        _ = try folder.ledger.openWithTables()
        #expect(try WholeFile.check(folder.ledger) == 0)
    }

    @Test func `is told from a file that is not there, and from a folder that is not`() throws {
        var file = LedgerStore(path: folder.path + "/none/data")
        for isReadOnly in [false, true] {
            file.isReadOnly = isReadOnly
            let error = try storageError { _ = try file.open() }
            #expect(error?.code == .fileNotFound)
            #expect(error?.message.contains(folder.path + "/none") == true)
        }
        file = folder.ledger
        file.isReadOnly = true
        let error = try storageError { _ = try file.open() }
        #expect(error?.code == .fileNotFound)
        #expect(folder.names.isEmpty)
    }

    @Test func `is refused when it is a folder`() throws {
        let error = try storageError { _ = try LedgerStore(path: folder.path).open() }
        #expect(error?.code == .notADatabase)
        #expect(error?.message.contains("Give the path of a file") == true)
    }

    enum Foreign: String, CaseIterable {
        case named, unnamed, sameName
    }

    private func makeForeign(_ kind: Foreign) throws {
        let environment = try Environment.open(path: folder.file, options: .init(mapByteCount: 1 << 24))
        let transaction = try environment.beginWrite()
        let name = kind == .sameName ? "catalog" : "mail"
        if kind == .unnamed {
            try withUnsafeBytes(of: 5) { key in try transaction.put(Database(handle: 1), key, key) }
        } else if let database = try transaction.openDatabase(named: name, .create) {
            try withUnsafeBytes(of: 5) { key in try transaction.put(database, key, key) }
        }
        try transaction.commit()
    }

    @Test(arguments: Foreign.allCases, [false, true])
    func `is refused when it is an LMDB file of another program`(kind: Foreign, isReadOnly: Bool) throws {
        try makeForeign(kind)
        let bytes = try folder.bytes()
        var file = folder.ledger
        file.isReadOnly = isReadOnly
        let error = try storageError { _ = try file.open() }
        #expect(error?.code == .notADatabase)
        #expect(error?.message.contains("another program") == true, "\(error?.message ?? "")")
        #expect(try folder.bytes() == bytes)
    }

    /// The other program's lock file was taken away as one that belongs to no data file, and made anew: its
    /// next process would have written at the same time as this one.
    @Test func `took the lock file of another program away while that had it open`() throws {
        let child = try ChildProcess("foreign-hold", [folder.file])
        #expect(child.line() == "open")
        let before =
            try FileManager.default.attributesOfItem(atPath: folder.file + "-lock")[.systemFileNumber] as? Int
        let error = try storageError { _ = try folder.ledger.open() }
        #expect(error?.code == .alreadyOpen)
        let after =
            try FileManager.default.attributesOfItem(atPath: folder.file + "-lock")[.systemFileNumber] as? Int
        #expect(before == after)
        #expect(child.finish() == ["ok"])
    }
}
