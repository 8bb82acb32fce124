import CairnStorage
internal import Glibc
import Testing

/// Files that are open, missing, or no files.
@Suite struct LiveFileTests {
    @Test func `the version of a read transaction is checked while newer ones are committed`() throws {
        let file = try SampleFile.make()
        let environment = try LMDBEnvironment(file)
        func commit() throws {
            try environment.write { try $0.clear($0.byteKeys("names")) }
        }
        try environment.read { reader in
            try commit()
            let report = try file.check(version: reader.id)
            #expect(report.findings == [])
            #expect(report.version == reader.id)
            #expect(try file.check().version == reader.id + 1)
            try commit()
            let error = #expect(throws: StorageError.self) {
                try file.check(version: reader.id)
            }
            #expect(error?.code == .notFound)
        }
        // The environment works on: a second descriptor has taken no lock away.
        try commit()
        #expect(try file.check().findings == [])
    }

    @Test func `a descriptor is read without moving its position`() throws {
        let file = try SampleFile.make()
        let descriptor = withExtendedLifetime(file) { open($0.path, O_RDONLY) }
        defer { close(descriptor) }
        lseek(descriptor, 77, SEEK_SET)
        #expect(try StructureCheck.run(descriptor: descriptor).findings == [])
        #expect(lseek(descriptor, 0, SEEK_CUR) == 77)
    }

    @Test func `what cannot be opened is thrown`() throws {
        let file = try DataFile()
        let missing = #expect(throws: StorageError.self) { try file.check() }
        #expect(missing?.code == .fileNotFound)
        let folder = #expect(throws: StorageError.self) { try StructureCheck.run(path: "/") }
        #expect(folder?.code == .fileAccess)
        withExtendedLifetime(file) { _ = mkfifo($0.path, 0o600) }
        let pipe = #expect(throws: StorageError.self) { try file.check() }
        #expect(pipe?.code == .fileAccess)
    }

    @Test func `the check of a damaged file does not throw for a version that damage hides`() throws {
        let file = try SampleFile.make()
        var image = try file.image()
        let version = image.transaction
        image.set(image.meta, 16, 0 as UInt32)
        try file.replace(with: image)
        let report = try file.check(version: version)
        #expect(report.findings.map(\.kind) == [.metaMagic])
        #expect(report.version == nil)
    }
}
