import Cairn
import CairnStorage
import Foundation
import Testing

private enum V1 {
    final class Item: Versioned {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var number: Int?
    }
    final class Other: Versioned {
        @Persisted var text: String
    }
}

private enum Added {
    final class Item: Versioned {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var number: Int?
        @Persisted var extra = "extra"
    }
}

private enum Changed {
    final class Item: Versioned {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var number: String
    }
}

/// Realms that are open while another thread, or the next version of the program, migrates the file.
struct MigrationIsolationTests {
    private func file() throws -> VersionedFile {
        let file = try VersionedFile()
        try file.make([V1.Item.self, V1.Other.self]) { realm in
            for id in 0..<3 { realm.create(V1.Item.self, value: ["id": id, "name": "n\(id)", "number": id]) }
            realm.create(V1.Other.self, value: ["text": "other"])
        }
        return file
    }

    private func migrate(_ configuration: Realm.Configuration) throws {
        try onNewThread { _ = try Realm(configuration: configuration) }
    }

    @Test func `an added property does not disturb a Realm that is open`() throws {
        let file = try file()
        let realm = try Realm(configuration: file.configuration(0, [V1.Item.self, V1.Other.self]))
        let item = realm.objects(V1.Item.self)[1]
        try migrate(file.configuration(1, [Added.Item.self]))
        #expect(item.name == "n1")
        #expect(realm.refresh() && item.name == "n1")
        try realm.write {
            item.name = "changed"
            realm.create(V1.Item.self, value: ["id": 9, "name": "n9"])
        }
        try onNewThread { [configuration = file.configuration(1, [Added.Item.self])] in
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(Added.Item.self).map(\.name) == ["n0", "changed", "n2", "n9"])
            #expect(realm.objects(Added.Item.self).allSatisfy { $0.extra == "extra" })
        }
        try file.scratch.verify()
    }

    @Test func `a Realm whose property has changed goes on reading, and its write is refused (case J03)`()
        throws
    {
        let file = try file()
        let realm = try Realm(configuration: file.configuration(0, [V1.Item.self, V1.Other.self]))
        let items = realm.objects(V1.Item.self)
        try migrate(file.configuration(1, [Changed.Item.self]))
        #expect(items.map(\.name) == ["n0", "n1", "n2"] && items.map(\.number) == [0, 1, 2])
        #expect(!realm.refresh())
        #expect(items.map(\.number) == [0, 1, 2])
        let error = #expect(throws: Realm.Error.self) { try realm.write { items[0].name = "x" } }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("'Item.number' has been changed from 'String' to 'Int?'") == true)
        #expect(items.map(\.name) == ["n0", "n1", "n2"])
        // A subset that does not use the property goes on.
        let others = try Realm(configuration: file.configuration(1, [V1.Other.self]))
        try others.write { others.objects(V1.Other.self)[0].text = "changed" }
        #expect(others.objects(V1.Other.self)[0].text == "changed")
    }

    @Test func `the same thread cannot have a file open in two versions of one class`() throws {
        let file = try file()
        let realm = try Realm(configuration: file.configuration(0, [V1.Item.self, V1.Other.self]))
        let error = #expect(throws: Realm.Error.self) {
            try Realm(configuration: file.configuration(1, [V1.Item.self, V1.Other.self]))
        }
        #expect(error?.code == .fail)
        withExtendedLifetime(realm) {}
    }

    @Test func `a frozen Realm stays as it is`() throws {
        let file = try file()
        let frozen = try Realm(configuration: file.configuration(0, [V1.Item.self, V1.Other.self])).freeze()
        try migrate(file.configuration(1, [Changed.Item.self]))
        #expect(frozen.objects(V1.Item.self).map(\.number) == [0, 1, 2])
    }

    @Test func `two threads that open an old file migrate it once`() throws {
        let file = try file()
        let calls = Recorder<UInt64>()
        var configuration = file.configuration(1, [Changed.Item.self])
        configuration.throwingMigrationBlock = { migration, version in
            calls.append(version)
            migration.enumerateObjects(ofType: "Item") { old, new in new?["number"] = "\(old?["id"] ?? "")" }
        }
        let threads = 4
        let results = Recorder<[String]>()
        DispatchQueue.concurrentPerform(iterations: threads) { [configuration] _ in
            guard let realm = try? Realm(configuration: configuration) else { return }
            results.append(realm.objects(Changed.Item.self).map(\.number))
        }
        #expect(calls.values == [0])
        #expect(results.values == Array(repeating: ["0", "1", "2"], count: threads))
    }

    @Test func `objects that were kept are dead after the migration`() async {
        await #expect(processExitsWith: .failure) {
            let file = try VersionedFile()
            try file.make([V1.Other.self]) { $0.create(V1.Other.self) }
            nonisolated(unsafe) var kept: MigrationObject?
            try file.open(
                1, [V1.Other.self],
                block: { migration, _ in
                    migration.enumerateObjects(ofType: "Other") { _, new in kept = new }
                }
            ) { _ in }
            #expect(kept?.isInvalidated == true)
            _ = kept?["text"]
        }
    }

    @Test func `a migration is of no use after its block`() async {
        await #expect(processExitsWith: .failure) {
            let file = try VersionedFile()
            try file.make([V1.Other.self]) { $0.create(V1.Other.self) }
            nonisolated(unsafe) var kept: Migration?
            try file.open(1, [V1.Other.self], block: { migration, _ in kept = migration }) { _ in }
            kept?.create("Other")
        }
    }
}
