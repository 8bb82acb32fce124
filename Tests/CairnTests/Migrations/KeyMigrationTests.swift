import Cairn
import Foundation
import Testing

private enum IntKeys {
    final class Dog: Versioned {
        @Persisted(primaryKey: true) var id: Int
    }
    final class Owner: Versioned {
        @Persisted var dog: Dog?
        @Persisted var dogs: List<Dog>
    }
}

private enum StringKeys {
    final class Dog: Versioned {
        @Persisted(primaryKey: true) var id: String
    }
    final class Owner: Versioned {
        @Persisted var dog: Dog?
        @Persisted var dogs: List<Dog>
    }
}

private enum KeyA {
    final class Item: Versioned {
        @Persisted(primaryKey: true) var a: Int
        @Persisted var b: String
        @Persisted var blob: Data
    }
    final class Box: Versioned {
        @Persisted var items: List<Item>
    }
}

private enum KeyB {
    final class Item: Versioned {
        @Persisted var a: Int
        @Persisted(primaryKey: true) var b: String
        @Persisted var blob: Data
    }
    final class Box: Versioned {
        @Persisted var items: List<Item>
    }
}

private enum NoKey {
    final class Item: Versioned {
        @Persisted var a: Int
        @Persisted(indexed: true) var b: String
        @Persisted var blob: Data
    }
    final class Box: Versioned {
        @Persisted var items: List<Item>
    }
}

private enum OptionalKey {
    final class Dog: Versioned {
        @Persisted(primaryKey: true) var id: Int?
    }
    final class Owner: Versioned {
        @Persisted var dog: Dog?
        @Persisted var dogs: List<Dog>
    }
}

struct KeyMigrationTests {
    private func dogs(_ count: Int) throws -> VersionedFile {
        let file = try VersionedFile()
        try file.make([IntKeys.Dog.self, IntKeys.Owner.self]) { realm in
            let dogs = (1...count).map { realm.create(IntKeys.Dog.self, value: ["id": $0]) }
            guard count == 3 else { return }
            realm.create(
                IntKeys.Owner.self,
                value: ["dog": dogs[1], "dogs": [dogs[2], dogs[0], dogs[2]]] as [String: Any])
        }
        return file
    }

    private let strings: [ObjectBase.Type] = [StringKeys.Dog.self, StringKeys.Owner.self]

    @Test func `a key gets another type and links stay (case M03)`() throws {
        let file = try dogs(3)
        try file.open(
            1, strings,
            block: { migration, _ in
                migration.enumerateObjects(ofType: "Dog") { old, new in
                    new?["id"] = "\(old?["id"] ?? "")"
                }
            }
        ) { realm in
            #expect(realm.objects(StringKeys.Dog.self).map(\.id) == ["1", "2", "3"])
            let second = try #require(realm.object(ofType: StringKeys.Dog.self, forPrimaryKey: "2"))
            let owner = try #require(realm.objects(StringKeys.Owner.self).first)
            #expect(owner.dog == second)
            #expect(owner.dogs.map(\.id) == ["3", "1", "3"])
        }
    }

    @Test func `keys that are equal in the end are refused (case M03)`() throws {
        let error = try dogs(3).refuse(1, strings)
        #expect(error.code == .duplicatePrimaryKey)
        #expect(error.className == "Dog" && error.propertyName == "id" && error.primaryKey == "")
        #expect(error.message.contains("'Dog.id' has duplicate values after migration"))
    }

    @Test func `a single object has the default as its key (case M03)`() throws {
        try dogs(1).open(1, strings) { realm in
            #expect(realm.object(ofType: StringKeys.Dog.self, forPrimaryKey: "") != nil)
        }
    }

    @Test func `keys may be equal while the block runs`() throws {
        let file = try dogs(3)
        try file.open(
            1, [IntKeys.Dog.self, IntKeys.Owner.self],
            block: { migration, _ in
                // Turned round: each step makes a key that another has.
                migration.enumerateObjects(ofType: "Dog") { old, new in
                    new?["id"] = 4 - ((old?["id"] as? Int) ?? 0)
                }
                migration.create("Dog", value: ["id": 3])
                migration.enumerateObjects(ofType: "Dog") { old, new in
                    if old?["id"] as? Int == 1 { new?["id"] = 9 }
                }
            }
        ) { realm in
            #expect(realm.objects(IntKeys.Dog.self).map(\.id) == [9, 2, 1, 3])
            #expect(realm.object(ofType: IntKeys.Dog.self, forPrimaryKey: 9) != nil)
            #expect(realm.objects(IntKeys.Owner.self).first?.dogs.map(\.id) == [1, 9, 1])
        }
    }

    @Test func `equal keys of a class whose key stays are refused in the end`() throws {
        let error = try dogs(3).refuse(1, [IntKeys.Dog.self, IntKeys.Owner.self]) { migration, _ in
            migration.create("Dog", value: ["id": 2])
        }
        #expect(error.code == .duplicatePrimaryKey && error.primaryKey == "2")
    }

    @Test func `another property becomes the key (case M04)`() throws {
        let file = try VersionedFile()
        let blobs = [Data([1, 2]), Data(repeating: 9, count: 5_000)]
        try file.make([KeyA.Item.self, KeyA.Box.self]) { realm in
            let items = (0..<2).map {
                realm.create(
                    KeyA.Item.self, value: ["a": $0, "b": "b\($0)", "blob": blobs[$0]] as [String: Any])
            }
            realm.create(KeyA.Box.self, value: ["items": [items[1], items[0]]])
        }
        try file.open(1, [KeyB.Item.self, KeyB.Box.self]) { realm in
            let item = try #require(realm.object(ofType: KeyB.Item.self, forPrimaryKey: "b1"))
            #expect(item.a == 1 && item.blob == blobs[1])
            #expect(realm.objects(KeyB.Box.self).first?.items.map(\.b) == ["b1", "b0"])
            #expect(realm.objects(KeyB.Item.self).map(\.blob) == blobs)
            let error = try mistake(in: realm) { realm.create(KeyB.Item.self, value: ["b": "b0"]) }
            #expect(error.code == .duplicatePrimaryKey)
        }
        // And no key at all, with an index in its place; and back.
        try file.open(2, [NoKey.Item.self, NoKey.Box.self]) { realm in
            #expect(realm.objects(NoKey.Item.self).map(\.b) == ["b0", "b1"])
            try realm.write { realm.create(NoKey.Item.self, value: ["b": "b2"]) }
        }
        try file.open(3, [KeyB.Item.self, KeyB.Box.self]) { realm in
            #expect(realm.object(ofType: KeyB.Item.self, forPrimaryKey: "b2") != nil)
        }
    }

    @Test func `a key made optional and required again`() throws {
        let file = try dogs(3)
        let optional: [ObjectBase.Type] = [OptionalKey.Dog.self, OptionalKey.Owner.self]
        try file.open(1, optional) { realm in
            #expect(realm.object(ofType: OptionalKey.Dog.self, forPrimaryKey: 2) != nil)
            try realm.write { realm.create(OptionalKey.Dog.self, value: ["id": nil] as [String: Any?]) }
            #expect(realm.objects(OptionalKey.Dog.self).map(\.id) == [1, 2, 3, nil])
        }
        try file.open(2, [IntKeys.Dog.self, IntKeys.Owner.self]) { realm in
            #expect(realm.object(ofType: IntKeys.Dog.self, forPrimaryKey: 0) != nil)
            #expect(realm.objects(IntKeys.Owner.self).first?.dog?.id == 2)
        }
    }
}
