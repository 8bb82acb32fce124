import Cairn
import Foundation
import Testing

private enum V1 {
    final class Thing: Versioned {
        @Persisted var number: Int
    }
}

private enum V2 {
    final class Thing: Versioned {
        @Persisted var number: Int
        @Persisted var text = "new"
    }
}

private enum V3 {
    final class Thing: Versioned {
        @Persisted(indexed: true) var text = "new"
    }
}

struct MigrationConfigurationTests {
    private func file(_ count: Int = 1, version: UInt64 = 0) throws -> VersionedFile {
        let file = try VersionedFile()
        try file.make([V1.Thing.self], version: version) { realm in
            for number in 0..<count { realm.create(V1.Thing.self, value: ["number": number]) }
        }
        return file
    }

    @Test func `the block is called once, for files of an older version alone`() throws {
        let calls = Recorder<UInt64>()
        let block: ThrowingMigrationBlock = { _, version in calls.append(version) }
        let fresh = try VersionedFile()
        try fresh.open(3, [V1.Thing.self], block: block) { _ in }
        let file = try file()
        try file.open(0, [V1.Thing.self], block: block) { _ in }
        #expect(calls.values == [])
        try file.open(2, [V2.Thing.self], block: block) { _ in }
        try file.open(2, [V2.Thing.self], block: block) { _ in }
        // Without any change of a class too.
        try file.open(4, [V2.Thing.self], block: block) { _ in }
        #expect(calls.values == [0, 2])
        #expect(try schemaVersionAtURL(file.scratch.url()) == 4)
    }

    @Test func `one block takes the place of the other`() {
        var configuration = Realm.Configuration(schemaVersion: 1, migrationBlock: { _, _ in })
        #expect(configuration.migrationBlock != nil)
        configuration.throwingMigrationBlock = { _, _ in }
        #expect(configuration.migrationBlock == nil && configuration.throwingMigrationBlock != nil)
        configuration.migrationBlock = { _, _ in }
        #expect(configuration.throwingMigrationBlock == nil)
    }

    @Test func `the block without throwing`() throws {
        let file = try file()
        let configuration = Realm.Configuration(
            fileURL: file.scratch.url(), schemaVersion: 1,
            migrationBlock: { migration, _ in
                migration.enumerateObjects(ofType: "Thing") { old, new in
                    new?.text = "was \(old?.number ?? "")"
                }
            }, objectTypes: [V2.Thing.self])
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(V2.Thing.self).map(\.text) == ["was 0"])
        try file.scratch.verify()
    }

    @Test func `a file that would need a migration is deleted if that is wanted`() throws {
        let file = try file()
        var configuration = file.configuration(0, [V2.Thing.self])
        configuration.deleteRealmIfMigrationNeeded = true
        configuration.throwingMigrationBlock = { _, _ in Issue.record("called") }
        try autoreleasing {
            let realm = try Realm(configuration: configuration)
            #expect(realm.isEmpty)
            try realm.write { realm.create(V2.Thing.self) }
        }
        try autoreleasing {
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(V2.Thing.self).count == 1)
        }
        for version: UInt64 in [5, 2] {
            configuration.schemaVersion = version
            try autoreleasing {
                let realm = try Realm(configuration: configuration)
                #expect(realm.isEmpty)
                try realm.write { realm.create(V2.Thing.self) }
            }
            #expect(try schemaVersionAtURL(file.scratch.url()) == version)
        }
    }

    @Test func `a file that somebody has open is not deleted`() throws {
        let file = try file()
        let realm = try Realm(configuration: file.configuration(0, [V1.Thing.self]))
        var configuration = file.configuration(1, [V2.Thing.self])
        configuration.deleteRealmIfMigrationNeeded = true
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .alreadyOpen)
        #expect(realm.objects(V1.Thing.self).count == 1)
    }

    @Test func `a file that is no database is not deleted`() throws {
        let file = try VersionedFile()
        try Data("not a database, but somebody's text".utf8).write(to: file.scratch.url())
        var configuration = file.configuration(1, [V2.Thing.self])
        configuration.deleteRealmIfMigrationNeeded = true
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .invalidDatabase)
        #expect(try String(contentsOf: file.scratch.url(), encoding: .utf8).hasPrefix("not a"))
    }

    @Test func `what cannot be configured`() throws {
        var configuration = Realm.Configuration(readOnly: true)
        configuration.deleteRealmIfMigrationNeeded = true
        let both = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(both?.code == .fail && both?.message.contains("readOnly") == true)
        let last = Realm.Configuration(inMemoryIdentifier: "last", schemaVersion: .max)
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: last) }
        #expect(error?.code == .fail)
    }

    @Test func `a file opened read-only is not migrated`() throws {
        let file = try file(version: 1)
        for (version, type) in [(0, V1.Thing.self), (2, V1.Thing.self), (1, V2.Thing.self)]
            as [(UInt64, ObjectBase.Type)]
        {
            var configuration = file.configuration(version, [type])
            configuration.readOnly = true
            configuration.throwingMigrationBlock = { _, _ in Issue.record("called") }
            let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
            #expect(error?.code == (version == 1 ? .schemaMismatch : .fail))
        }
    }

    @Test func `the version of a file`() throws {
        let file = try file(version: 8)
        #expect(try schemaVersionAtURL(file.scratch.url()) == 8)
        let realm = try Realm(configuration: file.configuration(8, [V1.Thing.self]))
        #expect(try schemaVersionAtURL(file.scratch.url()) == 8)
        withExtendedLifetime(realm) {}
        let nothing = #expect(throws: Realm.Error.self) {
            try schemaVersionAtURL(file.scratch.url("nothing"))
        }
        #expect(nothing?.code == .fileNotFound)
        try Data(repeating: 7, count: 9_000).write(to: file.scratch.url("other"))
        let other = #expect(throws: Realm.Error.self) { try schemaVersionAtURL(file.scratch.url("other")) }
        #expect(other?.code == .invalidDatabase)
    }

    @Test func `migrating without opening`() throws {
        let file = try file()
        var configuration = file.configuration(1, [V2.Thing.self])
        try autoreleasing {
            let realm = try Realm(configuration: file.configuration(0, [V1.Thing.self]))
            let error = #expect(throws: Realm.Error.self) { try Realm.performMigration(for: configuration) }
            #expect(error?.code == .alreadyOpen)
            withExtendedLifetime(realm) {}
        }
        try Realm.performMigration(for: configuration)
        #expect(try schemaVersionAtURL(file.scratch.url()) == 1)
        configuration.schemaVersion = 2
        configuration.throwingMigrationBlock = { _, _ in throw TestFailure() }
        #expect(throws: TestFailure()) { try Realm.performMigration(for: configuration) }
        #expect(try schemaVersionAtURL(file.scratch.url()) == 1)
    }

    @Test func `progress rises from nothing to all`() throws {
        let file = try file(5_000)
        var configuration = file.configuration(1, [V3.Thing.self])
        let calls = Recorder<[Int]>()
        configuration.migrationProgress = { calls.append([$0, $1]) }
        configuration.throwingMigrationBlock = { migration, _ in
            for _ in 0..<2 {
                migration.enumerateObjects(ofType: "Thing") { old, new in
                    new?["text"] = "\(old?["number"] ?? "")"
                }
            }
        }
        try Realm.performMigration(for: configuration)
        let total = try #require(calls.values.first?[1])
        #expect(total >= 5_000)
        #expect(calls.values.allSatisfy { $0[1] == total && $0[0] <= total })
        let done = calls.values.map { $0[0] }
        #expect(done.first == 0 && done.last == total && done == done.sorted())
        #expect(done.count > 10 && done.count < 120)
        // Nothing is said of a file that needs no migration.
        try Realm.performMigration(for: configuration)
        #expect(calls.values.count == done.count)
    }
}
