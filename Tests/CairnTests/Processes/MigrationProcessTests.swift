import Cairn
import Foundation
import RealmChildModels
import TestSupport
import Testing

/// Migrations in one process that another one ends, or is at work with.
struct MigrationProcessTests {
    private static let isLong = ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil

    private func makeFile(count: Int) throws -> Scratch {
        let scratch = try Scratch([])
        let realm = try Realm(configuration: ParcelFile.old(scratch.url().path))
        try ParcelFile.fill(realm, count: count)
        return scratch
    }

    /// The names of the files in the folder: nothing may be left behind by one that was killed.
    private func names(_ scratch: Scratch) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
    }

    @Test func `a process that is killed leaves the old file or the new one (case M19)`() throws {
        let count = Self.isLong ? 100_000 : 5_000
        var chance = SeededGenerator(seed: Self.isLong ? UInt64.random(in: 0..<UInt64.max) : 5)
        let original = try makeFile(count: count)
        var found: [String: Int] = [:]
        for _ in 0..<(Self.isLong ? 100 : 12) {
            let scratch = try Scratch([])
            try FileManager.default.copyItem(at: original.url(), to: scratch.url())
            // The steps are a hundred and one; the last of them come before, in and after the commit.
            let step = Int.random(in: 0..<110, using: &chance)
            let child = try RealmChildProcess(scratch.url().path)
            child.send("migrate")
            for _ in 0..<step {
                guard let line = child.line(), line != "ok" else { break }
            }
            child.kill()
            let summary = try ParcelFile.summary(scratch.url().path)
            #expect(summary == "old \(count)" || summary == "new \(count)", "killed at step \(step)")
            found[String(summary.prefix(3)), default: 0] += 1
            try scratch.verify()
            let files = try names(scratch)
            // And once more, to the end.
            try Realm.performMigration(for: ParcelFile.new(scratch.url().path))
            #expect(try ParcelFile.summary(scratch.url().path) == "new \(count)")
            #expect(try names(scratch) == files)
        }
        #expect(found["old"] ?? 0 > 0, "\(found)")
    }

    @Test func `another process goes on reading, and its write is refused if it uses what has changed`()
        throws
    {
        let scratch = try makeFile(count: 100)
        let child = try RealmChildProcess(scratch.url().path)
        #expect(child.ask("open-parcels") == "ok")
        #expect(child.ask("parcels") == "100 0 parcel 99")
        try Realm.performMigration(for: ParcelFile.new(scratch.url().path))
        #expect(child.ask("parcels") == "100 0 parcel 99")
        #expect(child.ask("refresh") == "same")
        #expect(child.ask("add-parcel 500") == "schemaMismatch")
        #expect(child.ask("parcels") == "100 0 parcel 99")
        #expect(child.ask("close") == "ok")
        // Its program is too old for the file from now on.
        #expect(child.ask("open-parcels") == "fail")
        #expect(child.finish() == 0)
        #expect(try ParcelFile.summary(scratch.url().path) == "new 100")
        try scratch.verify()
    }

    @Test(.enabled(if: Mounted.isPossible, "file systems cannot be mounted here"))
    func `a full disk is an error, and the file stays what it was`() throws {
        let mounted = try Mounted(.tmpfs, byteCount: 8 << 20)
        let path = mounted.path + "/parcels.cairn"
        let count = 20_000
        try autoreleasing {
            try ParcelFile.fill(try Realm(configuration: ParcelFile.old(path)), count: count)
        }
        try mounted.fill(leaving: 200 << 10)
        let error = #expect(throws: Realm.Error.self) {
            try Realm.performMigration(for: ParcelFile.new(path))
        }
        #expect(error?.code == .outOfDiskSpace)
        #expect(try ParcelFile.summary(path) == "old \(count)")
        try FileManager.default.removeItem(atPath: mounted.path + "/fill")
        try Realm.performMigration(for: ParcelFile.new(path))
        #expect(try ParcelFile.summary(path) == "new \(count)")
    }
}
