import Cairn
import Foundation
import Testing

/// Faults of things that outlive what they came from.
struct LifetimeFaultTests {
    /// The reference knew the store by an address, and the store had been closed.
    @Test func `a reference whose Realm has closed meanwhile led nowhere`() throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let reference = try onNewThread {
            let realm = try Realm(configuration: configuration)
            let dog = Dog(value: ["name": "Rex"])
            try realm.write { realm.add(dog) }
            return ThreadSafeReference(to: dog)
        }
        let realm = try scratch.realm()
        #expect(realm.resolve(reference)?.name == "Rex")
    }

    @Test func `a reference keeps a Realm in memory`() throws {
        let configuration = Realm.Configuration(
            inMemoryIdentifier: UUID().uuidString, objectTypes: [Person.self, Dog.self])
        let reference = try onNewThread {
            let realm = try Realm(configuration: configuration)
            let dog = Dog(value: ["name": "Rex"])
            try realm.write { realm.add(dog) }
            return ThreadSafeReference(to: realm.objects(Dog.self))
        }
        #expect(try Realm(configuration: configuration).resolve(reference)?.first?.name == "Rex")
        #expect(try Realm(configuration: configuration).isEmpty)
    }

    /// The process ended: the tables that the loop was reading had gone.
    @Test func `a loop in which the Realm is invalidated did not end`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        try realm.write {
            for number in 0..<200 { person.dogs.append(Dog(value: ["name": "\(number)"])) }
            realm.add(person)
        }
        var seen = 0
        for _ in realm.objects(Dog.self) {
            seen += 1
            if seen == 3 { realm.invalidate() }
        }
        #expect(seen == 3)
        // The Realm may be in use again by then.
        let dogs = realm.objects(Person.self)[0].dogs
        for _ in dogs {
            seen += 1
            realm.invalidate()
            _ = realm.objects(Dog.self).count
        }
        #expect(seen == 4)
        #expect(person.isInvalidated)
        realm.beginWrite()
        for _ in realm.objects(Dog.self) { realm.invalidate() }
        #expect(realm.objects(Dog.self).count == 200)
    }

    @Test func `a loop goes on over refreshes, deletes and cancels`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { for number in 0..<1_000 { realm.add(Dog(value: ["name": "\(number)"])) } }
        let configuration = scratch.configuration()
        var seen = 0
        for dog in realm.objects(Dog.self) {
            #expect(!dog.isInvalidated)
            seen += 1
            if seen == 10 {
                try onNewThread {
                    let realm = try Realm(configuration: configuration)
                    try realm.write { realm.delete(Array(realm.objects(Dog.self).dropFirst(500))) }
                }
                realm.refresh()
            }
            if seen == 20 {
                realm.beginWrite()
                realm.deleteAll()
                realm.cancelWrite()
            }
            if seen == 30 { try realm.write { realm.delete(Array(realm.objects(Dog.self).prefix(100))) } }
        }
        #expect(seen == 430)
    }

    /// Its row was replaced by a mark, which its hash was made of.
    @Test func `a deleted object could not be found in the set that held it`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        let dog = Dog()
        try realm.write { realm.add([person, dog]) }
        var people: Set<Person> = [person]
        var dogs: Set<Dog> = [dog]
        let other = realm.objects(Person.self)[0]
        try realm.write {
            realm.delete(person)
            realm.delete(dog)
        }
        #expect(person.isInvalidated && person.realm == nil && other.isInvalidated)
        #expect(other.realm == realm)
        #expect(person != other)
        #expect(people.remove(person) != nil)
        #expect(dogs.remove(dog) != nil)
        #expect(person.description == "[invalid object]")
    }

    @Test func `an object that was handed to delete stays dead when the write is undone`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person(value: ["name": "Ada"])
        try realm.write { realm.add(person) }
        let other = realm.objects(Person.self)[0]
        realm.beginWrite()
        realm.delete(person)
        #expect(other.isInvalidated)
        realm.cancelWrite()
        #expect(!other.isInvalidated && other.name == "Ada")
        #expect(person.isInvalidated && person.realm == nil)
    }

    @Test func `objects of undone writes stay dead, whatever is added afterwards`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let undone = Person(value: ["dogs": [["name": "Rex"]]])
        let list = undone.dogs
        let dog = list[0]
        realm.beginWrite()
        realm.add(undone)
        realm.cancelWrite()
        for _ in 0..<3 {
            try realm.write { realm.add(Person(value: ["dogs": [["name": "new"]]])) }
            #expect(undone.isInvalidated && dog.isInvalidated && list.isInvalidated)
        }
        for use in [{ realm.add(undone) }, { realm.add(dog) }, { realm.add(Person(value: ["dogs": [dog]])) }]
        {
            let error = try mistake(in: realm, use)
            #expect(error.code == .invalidatedObject)
        }
        #expect(realm.objects(Person.self).count == 3 && realm.objects(Dog.self).count == 3)
        try scratch.verify()
    }

    @Test func `a list kept from before the adding is the managed one`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        let list = person.dogs
        list.append(Dog(value: ["name": "a"]))
        try realm.write { realm.add(person) }
        #expect(person.dogs === list)
        #expect(list.realm == realm)
        #expect(list == realm.objects(Person.self)[0].dogs)
        try realm.write { list.append(Dog(value: ["name": "b"])) }
        #expect(realm.objects(Person.self)[0].dogs.map(\.name) == ["a", "b"])
        try realm.write {
            // Itself, by another accessor.
            person.dogs = realm.objects(Person.self)[0].dogs
            realm.objects(Person.self)[0].dogs = list
        }
        #expect(list.map(\.name) == ["a", "b"])
        try realm.write { realm.delete(realm.objects(Person.self)[0]) }
        #expect(list.isInvalidated && person.isInvalidated)
        #expect(list.description.contains("invalidated"))
    }

    @Test func `objects and Realms are let go on other threads`() throws {
        let scratch = try Scratch()
        final class Box: @unchecked Sendable {
            var content: [Any] = []
        }
        let box = Box()
        let configuration = scratch.configuration()
        for round in 0..<20 {
            try onNewThread {
                let realm = try Realm(configuration: configuration)
                let person = Person(value: ["dogs": [["name": "Rex"]]])
                try realm.write { realm.add(person) }
                box.content = [
                    realm, person, person.dogs, person.dogs[0].owners, realm.objects(Dog.self),
                    person.freeze(), ThreadSafeReference(to: person),
                ]
                if round % 2 == 0 {
                    realm.beginWrite()
                    realm.add(Dog())
                }
            }
            box.content = []
        }
        let realm = try scratch.realm()
        #expect(realm.objects(Dog.self).count == 20)
        try scratch.verify()
    }
}
