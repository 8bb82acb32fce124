import CairnStorage
import Foundation
import Testing

/// The check of the pages when a file is opened.
@Suite struct OpeningTests {
    /// A copy of the sample whose pages are damaged: the middle of the file is overwritten.
    private func damagedFile() throws -> TestFolder {
        let folder = try TestFolder()
        var bytes = try [UInt8](reading: Damage.sample.get().options.path)
        // The heads of pages: which ones are tree pages does not matter, some are.
        for page in 2..<(bytes.count / 4_096) { bytes[page * 4_096 + 12] ^= 0x10 }
        try folder.write(bytes)
        return folder
    }

    @Test func `damaged pages are refused at open where checksums are to be verified`() throws {
        let folder = try damagedFile()
        var options = StoreOptions.testing(folder.file)
        options.verifyChecksums = true
        let error = #expect(throws: StorageError.self) { try Store.open(options) }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(folder.file) == true && error?.message.contains("Page ") == true)
    }

    @Test func `damaged pages are findings of verify and the contents are not read`() throws {
        let folder = try damagedFile()
        let report = try Verify.run(.testing(folder.file))
        #expect(!report.isSound && !report.coversContents)
        #expect(!report.findings.isEmpty && report.chunkCount == 0)
        #expect(
            report.findings.allSatisfy {
                if case .page = $0.kind { true } else { false }
            })
        #expect(report.findings[0].description == report.structure.findings[0].description)
    }

    @Test func `a sound file opens where checksums are to be verified`() throws {
        let folder = try TestFolder()
        try folder.copy(Damage.sample.get().options.path)
        var options = StoreOptions.testing(folder.file)
        options.verifyChecksums = true
        expectSound(try Verify.run(Store.open(options)))
    }

    @Test func `a new file opens where checksums are to be verified`() throws {
        let folder = try TestFolder()
        var options = StoreOptions.testing(folder.file)
        options.verifyChecksums = true
        expectSound(try Verify.run(options))
        expectSound(try Verify.run(options))
    }

    /// Leaves the note of commits that were not flushed, as a process that was killed does.
    private func noteUncleanEnd(_ file: String) throws {
        do {
            let store = try Store.open(.testing(file))
            _ = try store.makeSession()
        }
        let path = file + "-presence"
        var presence = try [UInt8](reading: path)
        presence[24] |= 2
        try Data(presence).write(to: URL(fileURLWithPath: path))
    }

    @Test func `a sound file is checked once after an unclean end`() throws {
        let folder = try TestFolder()
        try folder.copy(Damage.sample.get().options.path)
        try noteUncleanEnd(folder.file)
        for isChecked in [true, false] {
            let file = try StoreFile.open(.testing(folder.file))
            #expect(file.endedUncleanly == isChecked)
            try expectOpens(folder.file)
        }
    }

    private func expectOpens(_ path: String) throws {
        let store = try Store.open(.testing(path))
        _ = try store.makeSession()
    }

    @Test func `a damaged file is refused after an unclean end until it is replaced`() throws {
        let folder = try TestFolder()
        try folder.copy(Damage.sample.get().options.path)
        try noteUncleanEnd(folder.file)
        let damaged = try damagedFile()
        try overwrite(folder.file, with: [UInt8](reading: damaged.file))
        for _ in 0..<2 {
            let error = #expect(throws: StorageError.self) { try Store.open(.testing(folder.file)) }
            #expect(error?.code == .damaged)
        }
        try overwrite(folder.file, with: [UInt8](reading: Damage.sample.get().options.path))
        try expectOpens(folder.file)
        #expect(try !StoreFile.open(.testing(folder.file)).endedUncleanly)
    }

    /// Changes the bytes of a file and keeps its inode.
    private func overwrite(_ path: String, with bytes: [UInt8]) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Data(bytes))
        try handle.truncate(atOffset: UInt64(bytes.count))
        try handle.close()
    }

    @Test func `a file of another program is no damaged one`() throws {
        let folder = try TestFolder()
        do { try Patch.makeForeignFile(folder.file) }
        var options = StoreOptions.testing(folder.file)
        options.verifyChecksums = true
        let error = #expect(throws: StorageError.self) { try Store.open(options) }
        #expect(error?.code == .notADatabase)
    }

    @Test func `verify looks at one version while others are written`() throws {
        let sample = try SampleStore(limits: .tiny, rowCount: 60)
        let store = try Store.open(sample.options)
        let writer = try store.makeSession()
        var hasWritten = false
        let report = try Verify.run(store) { _ in
            guard !hasWritten else { return }
            hasWritten = true
            for number in 0..<20 {
                let result = Result {
                    try store.write(writer) {
                        _ = try SampleRows(writer).things.insert(key: Int64(1_000_000 + number))
                    }
                }
                #expect(throws: Never.self) { try result.get() }
            }
        }
        #expect(hasWritten)
        expectSound(report)
        #expect(report.version < writer.snapshot.version)
        expectSound(try Verify.run(store))
    }
}
