import Cairn
import Foundation
import Testing

struct SchemaTests {
    @Test func `classes and properties are found by themselves`() throws {
        let schema = try Scratch([Person.self, Dog.self]).realm().schema
        #expect(schema.objectSchema.map(\.className) == ["Dog", "Person"])
        let person = try #require(schema["Person"])
        #expect(person.properties.map(\.name) == ["id", "name", "age", "bestFriend", "dogs"])
        #expect(person.primaryKeyProperty?.name == "id")
        #expect(person["name"]?.isIndexed == true && person["age"]?.isIndexed == false)
        #expect(person["bestFriend"]?.objectClassName == "Person" && person["bestFriend"]?.isOptional == true)
        #expect(person["dogs"]?.isArray == true && person["dogs"]?.type == .object)
        #expect(person["bestFriendOf"]?.type == .linkingObjects)
        #expect(person["nothing"] == nil)
        #expect(person.description.contains("name {"))
    }

    @Test func `the older style of declaring`() throws {
        let scratch = try Scratch([OldStyle.self])
        let realm = try scratch.realm()
        let schema = try #require(realm.schema["OldStyle"])
        #expect(schema.properties.map(\.name) == ["id", "stored"])
        #expect(schema.primaryKeyProperty?.name == "id")
        #expect(schema["stored"]?.isIndexed == true && schema["stored"]?.columnName == "renamed")
        let object = OldStyle()
        object.id = "a"
        object.stored = 5
        object.ignored = 7
        object.plain = 9
        try realm.write { realm.add(object) }
        let found = try #require(realm.object(ofType: OldStyle.self, forPrimaryKey: "a"))
        #expect(found.stored == 5 && found.ignored == 0 && found.plain == 1)
        #expect(object.plain == 9)
        let key = try mistake(in: realm) { found.id = "b" }
        #expect(key.message.contains("Primary key can't be changed"))
    }

    @Test func `properties of superclasses come first`() throws {
        let scratch = try Scratch([Derived.self])
        let realm = try scratch.realm()
        #expect(realm.schema["Derived"]?.properties.map(\.name) == ["base", "own"])
        try realm.write { realm.create(Derived.self, value: ["base": 1, "own": 2]) }
        let object = try #require(realm.objects(Derived.self).first)
        #expect(object.base == 1 && object.own == 2)
    }

    @Test func `every fault of a schema is in one message`() throws {
        let scratch = try Scratch([
            NoProperties.self, TwoKeys.self, BoolKey.self, BadInverse.self, WrongInverse.self, LinksOut.self,
            NamesNothing.self, Twins.Dog.self, Dog.self, Person.self,
        ])
        let error = #expect(throws: Realm.Error.self) { try scratch.realm() }
        #expect(error?.code == .fail)
        let message = error?.message ?? ""
        for fault in [
            "No properties are defined for 'NoProperties'", "'TwoKeys' has more than one primary key",
            "'BoolKey.key' cannot be the primary key", "'BadInverse.inverse' follows 'Dog.nothing' backwards",
            "'WrongInverse.inverse' follows 'Person.dogs' backwards, which does not link to 'WrongInverse'",
            "'LinksOut.out' links to 'AllTypes', which is not in the schema",
            "Primary key property 'nowhere' does not exist on class 'NamesNothing'",
            "'NamesNothing.missing', which indexedProperties() names", "Two classes are named 'Dog'",
        ] {
            #expect(message.contains(fault), "\(fault)\n\(message)")
        }
        #expect(!Realm.fileExists(for: scratch.configuration()))
    }

    @Test func `classes and indexes that the file lacks are added`() throws {
        let scratch = try Scratch([First.Thing.self])
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write {
                for name in ["b", "a"] { realm.create(First.Thing.self, value: ["name": name]) }
            }
        }
        let types = [[Indexed.Thing.self, Dog.self, Person.self], [First.Thing.self]] as [[ObjectBase.Type]]
        for types in types {
            try autoreleasing {
                let realm = try Realm(
                    configuration: Realm.Configuration(fileURL: scratch.url(), objectTypes: types))
                #expect(realm.isEmpty == false)
            }
            try scratch.verify()
        }
    }

    @Test func `other differences are all listed`() throws {
        let scratch = try Scratch([Before.Thing.self, Dog.self, Person.self])
        try autoreleasing { _ = try scratch.realm() }
        let configuration = Realm.Configuration(
            fileURL: scratch.url(), objectTypes: [After.Thing.self, Dog.self, Person.self])
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .schemaMismatch)
        let message = error?.message ?? ""
        for line in [
            "- Property 'Thing.added' has been added.", "- Property 'Thing.removed' has been removed.",
            "- Property 'Thing.type' has been changed from 'Int' to 'String'.",
            "- Property 'Thing.optional' has been made optional ('Int' to 'Int?').",
            "- Property 'Thing.required' has been made required ('Int?' to 'Int').",
            "- Property 'Thing.link' has been changed from 'Dog?' to 'Person?'.",
            "- Property 'Thing.list' has been changed from 'List<Int>' to 'Int'.",
            "- Primary key for class 'Thing' has been changed from 'id' to 'key'.",
        ] {
            #expect(message.contains(line), "\(line)\n\(message)")
        }
        // Nothing was changed.
        #expect(throws: Never.self) { try scratch.realm() }
    }

    @Test func `a schema version older than the file's is refused`() throws {
        let scratch = try Scratch()
        var configuration = scratch.configuration()
        configuration.schemaVersion = 3
        try autoreleasing { _ = try Realm(configuration: configuration) }
        configuration.schemaVersion = 2
        let error = #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
        #expect(error?.code == .fail)
        #expect(error?.message.contains("schema version 2 is less than last set version 3") == true)
        configuration.schemaVersion = 4
        try autoreleasing { _ = try Realm(configuration: configuration) }
        configuration.schemaVersion = 3
        #expect(throws: Realm.Error.self) { try Realm(configuration: configuration) }
    }

    @Test func `changing the width of an integer is no change`() throws {
        let scratch = try Scratch([WideNumber.self])
        try autoreleasing { _ = try scratch.realm() }
        let narrow = Realm.Configuration(fileURL: scratch.url(), objectTypes: [Narrow.WideNumber.self])
        #expect(throws: Never.self) { try Realm(configuration: narrow) }
    }

    @Test func `a file opened with some of its classes keeps the others (case J01)`() throws {
        let scratch = try Scratch([Target.self, Origin.self])
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write {
                let first = Target(value: ["name": "first"])
                let second = Target(value: ["name": "second"])
                realm.create(Origin.self, value: ["one": first, "many": [first, second]] as [String: Any])
            }
        }
        try autoreleasing {
            let realm = try Realm(
                configuration: Realm.Configuration(fileURL: scratch.url(), objectTypes: [Target.self]))
            try realm.write {
                realm.delete(realm.objects(Target.self)[0])
                realm.create(Target.self, value: ["name": "third"])
            }
        }
        let realm = try scratch.realm()
        let origin = try #require(realm.objects(Origin.self).first)
        #expect(origin.one == nil && origin.many.map(\.name) == ["second"])
        #expect(realm.objects(Target.self).map(\.name) == ["second", "third"])
        try scratch.verify()
    }

    @Test func `two threads with different classes of one file (case J03)`() throws {
        let scratch = try Scratch([Target.self])
        let realm = try scratch.realm()
        try realm.write { realm.create(Target.self, value: ["name": "first"]) }
        let target = realm.objects(Target.self)[0]
        let url = scratch.url()
        try onNewThread {
            let all = Realm.Configuration(fileURL: url, objectTypes: [Target.self, Origin.self])
            let realm = try Realm(configuration: all)
            try realm.write {
                realm.create(Origin.self, value: ["many": [realm.objects(Target.self)[0]]])
                realm.objects(Target.self)[0].name = "changed"
            }
            let other = Realm.Configuration(fileURL: url, objectTypes: [Wider.Target.self])
            let error = #expect(throws: Realm.Error.self) { try Realm(configuration: other) }
            #expect(error?.code == .schemaMismatch)
        }
        // The new class has given this one a hidden column: nothing may shift.
        #expect(target.name == "first")
        realm.refresh()
        #expect(target.name == "changed")
        try realm.write { target.name = "again" }
        #expect(target.name == "again")
        try realm.write { realm.delete(target) }
        try scratch.verify()
    }
}

final class OldStyle: Object {
    @Persisted var id: String
    @Persisted var stored: Int
    @Persisted var ignored: Int
    var plain = 1

    override class func primaryKey() -> String? { "id" }
    override class func indexedProperties() -> [String] { ["stored"] }
    override class func ignoredProperties() -> [String] { ["ignored"] }
    override class func propertiesMapping() -> [String: String] { ["stored": "renamed"] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Basis: Object {
    @Persisted var base: Int
}

final class Derived: Basis {
    @Persisted var own: Int
}

final class NoProperties: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class TwoKeys: Object {
    @Persisted(primaryKey: true) var one: Int
    @Persisted(primaryKey: true) var two: Int
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class BoolKey: Object {
    @Persisted var key: Bool
    override class func primaryKey() -> String? { "key" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class BadInverse: Object {
    @Persisted var dog: Dog?
    @Persisted(originProperty: "nothing") var inverse: LinkingObjects<Dog>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class WrongInverse: Object {
    @Persisted var number: Int
    @Persisted(originProperty: "dogs") var inverse: LinkingObjects<Person>
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class LinksOut: Object {
    @Persisted var out: AllTypes?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class NamesNothing: Object {
    @Persisted var number: Int
    override class func primaryKey() -> String? { "nowhere" }
    override class func indexedProperties() -> [String] { ["missing"] }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

enum Twins {
    final class Dog: Object {
        @Persisted var name: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

enum First {
    final class Thing: Object {
        @Persisted var name: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

enum Indexed {
    final class Thing: Object {
        @Persisted(indexed: true) var name: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

enum Before {
    final class Thing: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var key: Int
        @Persisted var removed: Int
        @Persisted var type: Int
        @Persisted var optional: Int
        @Persisted var required: Int?
        @Persisted var link: Dog?
        @Persisted var list: List<Int>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

enum After {
    final class Thing: Object {
        @Persisted var id: Int
        @Persisted(primaryKey: true) var key: Int
        @Persisted var added: Int
        @Persisted var type: String
        @Persisted var optional: Int?
        @Persisted var required: Int
        @Persisted var link: Person?
        @Persisted var list: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}

final class Target: Object {
    @Persisted var name: String
}

final class Origin: Object {
    @Persisted var one: Target?
    @Persisted var many: List<Target>
}

enum Wider {
    final class Target: Object {
        @Persisted var name: String
        @Persisted var more: Int
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
