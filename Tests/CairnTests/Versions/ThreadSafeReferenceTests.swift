import Cairn
import Foundation
import Testing

/// Things handed to other threads (case C06).
struct ThreadSafeReferenceTests {
    @Test func `objects, lists, links and results are resolved on another thread`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person(value: ["name": "Ada", "dogs": [["name": "Rex"]]])
        try realm.write {
            realm.add(person)
            person.bestFriend = person
        }
        let object = ThreadSafeReference(to: person)
        let list = ThreadSafeReference(to: person.dogs)
        let links = ThreadSafeReference(to: person.bestFriendOf)
        let results = ThreadSafeReference(to: realm.objects(Dog.self))
        let configuration = scratch.configuration()
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            let person = realm.resolve(object)
            #expect(person?.name == "Ada")
            #expect(realm.resolve(list)?.map(\.name) == ["Rex"])
            #expect(realm.resolve(links)?.first == person)
            #expect(realm.resolve(results)?.count == 1)
            try realm.write { person?.name = "Bob" }
        }
        #expect(object.isInvalidated)
        realm.refresh()
        #expect(person.name == "Bob")
    }

    @Test func `what was deleted meanwhile resolves to nil`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        try realm.write { realm.add(dog) }
        let reference = ThreadSafeReference(to: dog)
        try realm.write { realm.delete(dog) }
        #expect(realm.resolve(reference) == nil)
        #expect(reference.isInvalidated)
    }

    @Test func `a Realm at an older version is refreshed`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let configuration = scratch.configuration()
        let reference = try onNewThread {
            let realm = try Realm(configuration: configuration)
            let dog = Dog(value: ["name": "Rex"])
            try realm.write { realm.add(dog) }
            return ThreadSafeReference(to: dog)
        }
        #expect(realm.objects(Dog.self).isEmpty)
        #expect(realm.resolve(reference)?.name == "Rex")
    }

    @Test func `references that are never resolved hold nothing`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        try realm.write { realm.add(dog) }
        for _ in 0..<10_000 { _ = ThreadSafeReference(to: dog) }
        #expect(dog.name.isEmpty)
    }

    @Test func `references in a read-only Realm`() throws {
        let scratch = try Scratch()
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
        }
        var configuration = scratch.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        let reference = ThreadSafeReference(to: realm.objects(Dog.self)[0])
        #expect(realm.resolve(reference)?.name == "Rex")
    }
}
