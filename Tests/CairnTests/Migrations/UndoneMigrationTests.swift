import Cairn
import Foundation
import Testing

private enum V1 {
    final class A: Versioned {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name: String
        @Persisted var link: B?
        @Persisted var tags: List<String>
    }
    final class B: Versioned {
        @Persisted(indexed: true) var number: Int
    }
}

private enum V2 {
    final class A: Versioned {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var title: String
        @Persisted var links: List<B>
        @Persisted var tags: List<String?>
    }
    final class B: Versioned {
        @Persisted var number: String
    }
}

/// A migration that fails leaves nothing behind.
struct UndoneMigrationTests {
    private let old: [ObjectBase.Type] = [V1.A.self, V1.B.self]
    private let new: [ObjectBase.Type] = [V2.A.self, V2.B.self]

    private func file() throws -> VersionedFile {
        let file = try VersionedFile()
        try file.make(old, version: 1) { realm in
            for id in 0..<3 {
                let b = realm.create(V1.B.self, value: ["number": id])
                realm.create(
                    V1.A.self,
                    value: ["id": id, "name": "n\(id)", "link": b, "tags": ["t\(id)"]] as [String: Any])
            }
        }
        return file
    }

    private func expectOld(_ file: VersionedFile) throws {
        try file.open(1, old) { realm in
            #expect(realm.objects(V1.A.self).map(\.name) == ["n0", "n1", "n2"])
            #expect(realm.objects(V1.A.self).map { $0.link?.number } == [0, 1, 2])
            #expect(realm.objects(V1.A.self).map { Array($0.tags) } == [["t0"], ["t1"], ["t2"]])
            #expect(realm.object(ofType: V1.A.self, forPrimaryKey: 2) != nil)
        }
        #expect(try schemaVersionAtURL(file.scratch.url()) == 1)
    }

    private func change(_ migration: Migration) {
        migration.renameProperty(onType: "A", from: "name", to: "title")
        migration.enumerateObjects(ofType: "A") { old, new in
            new?["title"] = "changed"
            new?["links"] = [old?["link"]]
        }
        migration.enumerateObjects(ofType: "B") { old, new in new?["number"] = "\(old?["number"] ?? "")" }
    }

    @Test func `a block that throws (case M15)`() throws {
        let file = try file()
        var configuration = file.configuration(2, new)
        configuration.throwingMigrationBlock = { migration, _ in
            change(migration)
            throw TestFailure(7)
        }
        #expect(throws: TestFailure(7)) { try Realm(configuration: configuration) }
        try expectOld(file)
        configuration.throwingMigrationBlock = { migration, _ in change(migration) }
        try autoreleasing {
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(V2.A.self).map(\.title) == ["changed", "changed", "changed"])
            #expect(realm.objects(V2.A.self).map { $0.links.map(\.number) } == [["0"], ["1"], ["2"]])
        }
        try file.scratch.verify()
    }

    @Test func `an error that is thrown in a loop ends it`() throws {
        let file = try file()
        var configuration = file.configuration(2, new)
        let met = Recorder<Int>()
        configuration.throwingMigrationBlock = { migration, _ in
            try migration.enumerateObjects(ofType: "A") { old, _ in
                met.append(old?["id"] as? Int ?? -1)
                throw TestFailure(3)
            }
        }
        #expect(throws: TestFailure(3)) { try Realm(configuration: configuration) }
        #expect(met.values == [0])
        try expectOld(file)
    }

    @Test func `a mistake of the block, with an error of its own after it`() throws {
        let file = try file()
        let error = try file.refuse(2, new) { migration, _ in
            change(migration)
            migration.enumerateObjects(ofType: "A") { _, new in new?["nothing"] = 1 }
        }
        #expect(error.code == .misuse && error.className == "A" && error.propertyName == "nothing")
        try expectOld(file)
        var configuration = file.configuration(2, new)
        configuration.throwingMigrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "A") { _, new in new?["nothing"] = 1 }
            throw TestFailure(4)
        }
        #expect(throws: TestFailure(4)) { try Realm(configuration: configuration) }
        try expectOld(file)
    }

    @Test func `a value of the wrong type`() throws {
        let file = try file()
        let error = try file.refuse(2, new) { migration, _ in
            migration.enumerateObjects(ofType: "A") { _, new in new?["title"] = 12 }
        }
        #expect(error.code == .invalidValue && error.className == "A" && error.propertyName == "title")
        #expect(error.message.contains("'12'"))
        let link = try file.refuse(2, new) { migration, _ in
            migration.enumerateObjects(ofType: "A") { old, new in new?["links"] = [old] }
        }
        #expect(link.code == .invalidValue && link.propertyName == "links")
        let null = try file.refuse(2, new) { migration, _ in
            migration.enumerateObjects(ofType: "A") { _, new in new?["title"] = nil }
        }
        #expect(null.code == .invalidValue && null.propertyName == "title")
        try expectOld(file)
    }

    @Test func `a million mistakes in a loop are one error`() throws {
        let file = try VersionedFile()
        try file.make([V1.B.self], version: 1) { realm in
            for number in 0..<3_000 { realm.create(V1.B.self, value: ["number": number]) }
        }
        let error = try file.refuse(2, [V2.B.self]) { migration, _ in
            for _ in 0..<2_000 {
                migration.enumerateObjects(ofType: "B") { _, new in new?["wrong"] = 1 }
                migration.create("Nothing")["x"] = 1
                migration.renameProperty(onType: "X", from: "a", to: "b")
            }
        }
        #expect(error.propertyName == "wrong")
    }

    @Test func `a class that the program does not have`() throws {
        let error = try file().refuse(2, new) { migration, _ in
            let object = migration.create("Nothing", value: ["x": 1])
            object["x"] = 2
            #expect(object["x"] == nil)
            migration.delete(object)
        }
        #expect(error.code == .misuse && error.className == "Nothing")
    }

    @Test func `classes that do not fit together`() throws {
        let file = try file()
        let error = try file.refuse(2, [V2.A.self, TwoKeys.self]) { _, _ in Issue.record("called") }
        #expect(error.code == .fail)
        #expect(error.message.contains("'A.links' links to 'B', which is not in the schema"))
        #expect(error.message.contains("'TwoKeys' has more than one primary key"))
        try expectOld(file)
    }
}
