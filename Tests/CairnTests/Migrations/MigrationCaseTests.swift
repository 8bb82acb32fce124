import Cairn
import Foundation
import Testing

private enum Cats {
    final class Cat: Versioned {
        @Persisted var name: String
    }
    final class Feline: Versioned {
        @Persisted var name: String
        @Persisted var hasClaws: Bool
    }
}

private enum Plain {
    final class Thing: Versioned {
        @Persisted var number = 1
    }
}

private enum Wide {
    enum State: String, PersistableEnum { case open, closed }

    final class Thing: Versioned {
        @Persisted var number = 1
        @Persisted var f: Float?
        @Persisted var d: Double?
        @Persisted var blob: Data
        @Persisted var list: List<Int>
        @Persisted var filled = List<Int>(1, 2)
        @Persisted var link: Thing?
        @Persisted var state: State = .closed
        @Persisted var id: UUID
        @Persisted var text = String(repeating: "long", count: 1_000)
        @Persisted var yes = true
        @Persisted(indexed: true) var word = "word"
    }
}

extension List where Element == Int {
    convenience fileprivate init(_ elements: Int...) {
        self.init()
        append(objectsIn: elements)
    }
}

private enum Rows {
    final class Row: Versioned {
        @Persisted var id: Int
        @Persisted var name: String
        @Persisted var x: Int
    }
}

private enum TaggedRows {
    final class Row: Versioned {
        @Persisted var id: Int
        @Persisted var name: String
        @Persisted var x: Int
        @Persisted var tag: String
    }
}

/// Cases of public reports, by their numbers.
struct MigrationCaseTests {
    @Test func `over a version, with a class renamed by copying (case M06)`() throws {
        let file = try VersionedFile()
        try file.make([Cats.Cat.self], version: 1) { realm in
            for name in ["a", "b", "c"] { realm.create(Cats.Cat.self, value: ["name": name]) }
        }
        try file.open(
            3, [Cats.Feline.self],
            block: { migration, version in
                #expect(version == 1)
                #expect(migration.oldSchema["Cat"]?.properties.map(\.name) == ["name"])
                #expect(migration.oldSchema["Feline"] == nil && migration.newSchema["Cat"] == nil)
                let hasClaws = migration.oldSchema["Cat"]?["hasClaws"] != nil
                if version < 3 {
                    migration.enumerateObjects(ofType: "Cat") { old, new in
                        #expect(new == nil)
                        let feline = migration.create("Feline", value: old ?? [:])
                        if hasClaws { feline["hasClaws"] = old?["hasClaws"] }
                    }
                    #expect(migration.deleteData(forType: "Cat"))
                    #expect(!migration.deleteData(forType: "Dog"))
                    migration.enumerateObjects(ofType: "Cat") { _, _ in Issue.record("a deleted object") }
                }
            }
        ) { realm in
            #expect(realm.objects(Cats.Feline.self).map(\.name) == ["a", "b", "c"])
            #expect(realm.objects(Cats.Feline.self).allSatisfy { !$0.hasClaws })
        }
        // The table has gone with its data.
        try file.open(3, [Cats.Cat.self]) { realm in #expect(realm.isEmpty) }
    }

    @Test func `a property that the old objects never had (case M06)`() throws {
        let file = try VersionedFile()
        try file.make([Cats.Cat.self]) { $0.create(Cats.Cat.self, value: ["name": "a"]) }
        let error = try file.refuse(1, [Cats.Feline.self]) { migration, _ in
            migration.enumerateObjects(ofType: "Cat") { old, _ in
                #expect(old?["hasClaws"] == nil)
                #expect(old?.hasClaws == nil)
            }
        }
        #expect(error.code == .misuse && error.className == "Cat" && error.propertyName == "hasClaws")
    }

    @Test func `added properties have their declared defaults (cases M09, M10)`() throws {
        let file = try VersionedFile()
        try file.make([Plain.Thing.self]) { realm in
            for number in 0..<500 { realm.create(Plain.Thing.self, value: ["number": number]) }
        }
        try file.open(1, [Wide.Thing.self]) { realm in
            let things = realm.objects(Wide.Thing.self)
            #expect(things.map(\.number) == Array(0..<500))
            for thing in things {
                #expect(thing.f == nil && thing.d == nil && thing.blob == Data() && thing.list.isEmpty)
                #expect(thing.link == nil && thing.state == .closed && thing.yes && thing.word == "word")
                #expect(Array(thing.filled) == [1, 2] && thing.text.count == 4_000)
            }
            #expect(Set(things.map(\.id)).count == 500)
            // And they can be changed, next to those that are not.
            try realm.write { things[1].word = "other" }
            #expect(things.map(\.word).prefix(3) == ["word", "other", "word"])
        }
    }

    @Test func `deleting in the block, then going through again (case M12)`() throws {
        let file = try VersionedFile()
        try file.make([Rows.Row.self]) { realm in
            for id in 0..<5 { realm.create(Rows.Row.self, value: ["id": id, "name": "n\(id)"]) }
        }
        try file.open(
            1, [TaggedRows.Row.self],
            block: { migration, _ in
                migration.enumerateObjects(ofType: "Row") { old, new in
                    if let new, (old?["id"] as? Int ?? 0).isMultiple(of: 2) { migration.delete(new) }
                }
                migration.create("Row", value: ["id": 9, "name": "fresh"])
                var met: [Int] = []
                migration.enumerateObjects(ofType: "Row") { old, new in
                    #expect(old?["id"] as? Int == new?["id"] as? Int)
                    met.append(old?["id"] as? Int ?? -1)
                    new?["tag"] = old?["name"]
                }
                #expect(met == [1, 3])
            }
        ) { realm in
            #expect(realm.objects(TaggedRows.Row.self).map(\.id) == [1, 3, 9])
            #expect(realm.objects(TaggedRows.Row.self).map(\.tag) == ["n1", "n3", ""])
        }
    }

    @Test func `the old side cannot be deleted or changed (case M13)`() throws {
        let file = try VersionedFile()
        try file.make([Rows.Row.self]) { $0.create(Rows.Row.self, value: ["id": 1]) }
        let deleted = try file.refuse(1, [TaggedRows.Row.self]) { migration, _ in
            migration.enumerateObjects(ofType: "Row") { old, _ in
                if let old { migration.delete(old) }
            }
        }
        #expect(deleted.code == .misuse && deleted.className == "Row")
        #expect(deleted.message.contains("read-only: pass the new object"))
        let changed = try file.refuse(1, [TaggedRows.Row.self]) { migration, _ in
            migration.enumerateObjects(ofType: "Row") { old, _ in old?["id"] = 2 }
        }
        #expect(changed.code == .misuse && changed.propertyName == "id")
        #expect(changed.message.contains("'Row.id' was set on the old side"))
    }

    @Test func `a version that is too low (case M18)`() throws {
        let file = try VersionedFile()
        try file.make([Rows.Row.self], version: 5) { $0.create(Rows.Row.self) }
        let lower = try file.refuse(3, [Rows.Row.self])
        #expect(
            lower.code == .fail && lower.message.contains("schema version 3 is less than last set version 5"))
    }

    @Test(arguments: [false, true])
    func `a format that is too new is another error, and no reason to delete (case M18)`(deletes: Bool) throws
    {
        let file = try VersionedFile()
        try file.make([Rows.Row.self]) { $0.create(Rows.Row.self) }
        var bytes = [UInt8](try Data(contentsOf: file.scratch.url()))
        // The identity record, in every page that has or had it: its format number.
        let magic = Array("CARN".utf8)
        for place in bytes.indices.dropLast(5) where Array(bytes[place..<(place + 4)]) == magic {
            bytes[place + 4] = 9
        }
        try Data(bytes).write(to: file.scratch.url())
        var configuration = file.configuration(1, [Rows.Row.self])
        configuration.deleteRealmIfMigrationNeeded = deletes
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .unsupportedFileFormatVersion)
        #expect(error?.message.contains("format 9") == true)
        #expect(try Data(contentsOf: file.scratch.url()) == Data(bytes))
    }

    @Test func `what needs a higher version (case M21)`() throws {
        let file = try VersionedFile()
        try file.make([Rows.Row.self]) { $0.create(Rows.Row.self, value: ["id": 4]) }
        try file.refuse(0, [TaggedRows.Row.self])
        for deletes in [false, true] {
            var configuration = file.configuration(0, [Rows.Row.self, Cats.Cat.self])
            configuration.deleteRealmIfMigrationNeeded = deletes
            try autoreleasing {
                let realm = try Realm(configuration: configuration)
                #expect(realm.objects(Rows.Row.self).map(\.id) == [4])
            }
        }
    }

    @Test func `the old side does not move while the block writes (case M22)`() throws {
        let file = try VersionedFile()
        try file.make([Rows.Row.self]) { realm in
            for id in 0..<1_000 { realm.create(Rows.Row.self, value: ["id": id, "x": id]) }
        }
        try file.open(
            1, [TaggedRows.Row.self],
            block: { migration, _ in
                var kept: [MigrationObject] = []
                migration.enumerateObjects(ofType: "Row") { old, new in
                    new?["x"] = -1
                    if let old { kept.append(old) }
                }
                _ = RunLoop.current.run(mode: .default, before: Date())
                migration.enumerateObjects(ofType: "Row") { old, new in
                    #expect(old?["x"] as? Int == old?["id"] as? Int && new?["x"] as? Int == -1)
                }
                #expect(kept.map { $0["x"] as? Int } == Array(0..<1_000))
            }
        ) { realm in
            #expect(realm.objects(TaggedRows.Row.self).allSatisfy { $0.x == -1 })
        }
    }
}
