import Cairn
import Foundation
import Testing

struct IdentityTests {
    @Test func `objects with a primary key are equal by their row, others by identity`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        let dog = Dog()
        #expect(person == person && person != Person(value: ["id": person.id]))
        try realm.write { realm.add([person as Object, dog]) }
        let samePerson = realm.objects(Person.self)[0]
        let sameDog = realm.objects(Dog.self)[0]
        #expect(person == samePerson && person.hashValue == samePerson.hashValue)
        #expect(Set([person, samePerson]).count == 1)
        #expect(dog != sameDog && dog.isSameObject(as: sameDog))
        #expect(!dog.isSameObject(as: nil) && !dog.isSameObject(as: person))
        #expect(sameDog.freeze() == dog.freeze() && sameDog.freeze().hashValue == dog.freeze().hashValue)
        #expect(dog.freeze() != dog)
    }

    @Test func `a set that was filled before its objects were added finds them afterwards`() throws {
        let scratch = try Scratch([AllTypes.self, AllOptionals.self, Person.self, Dog.self])
        let realm = try scratch.realm()
        let objects: [Object] = [
            AllTypes(value: ["key": 7]), AllOptionals(), AllOptionals(value: ["key": "ä"]), Person(),
        ]
        let set = Set(objects)
        let hashes = objects.map(\.hashValue)
        try realm.write { realm.add(objects) }
        #expect(objects.map(\.hashValue) == hashes)
        #expect(objects.allSatisfy { set.contains($0) })
        // Other accessors of the same rows, and frozen ones.
        #expect(realm.objects(AllTypes.self)[0].hashValue == hashes[0])
        #expect(set.contains(realm.objects(Person.self)[0]))
        #expect(objects.map { $0.freeze().hashValue } == hashes)
        // In a loop one object goes from row to row.
        #expect(realm.objects(AllOptionals.self).map { $0.hashValue } == Array(hashes[1...2]))
        try realm.write { realm.delete(objects) }
        #expect(objects.map(\.hashValue) == hashes)
        #expect(objects.allSatisfy { set.contains($0) })
    }

    @Test func `a deleted object can be looked at`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        try realm.write { realm.add(dog) }
        let same = realm.objects(Dog.self)[0]
        try realm.write { realm.delete(dog) }
        for object in [dog, same] {
            #expect(object.isInvalidated)
            #expect(!object.description.isEmpty)
            #expect(object == object)
            #expect(Set([object]).contains(object))
            #expect(!object.isFrozen)
        }
        #expect(same.realm == realm)
        #expect(dog.realm == nil)
    }

    @Test func `objects are let go of on another thread`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { realm.add(Dog()) }
        final class Holder: @unchecked Sendable {
            // @unchecked: the object is only let go of.
            var object: Dog?
            init(_ object: Dog) { self.object = object }
        }
        let holder = Holder(realm.objects(Dog.self)[0])
        try onNewThread { holder.object = nil }
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test func `descriptions are in Realm's form`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog(value: ["name": "Rex", "weight": 12.5])
        #expect(dog.description == "Dog {\n\tname = Rex;\n\tweight = 12.5;\n}")
        try realm.write { realm.add(dog) }
        #expect(dog.description == "Dog {\n\tname = Rex;\n\tweight = 12.5;\n}")
        let person = Person()
        person.bestFriend = person
        person.dogs.append(dog)
        try realm.write { realm.add(person) }
        #expect(person.description.contains("<Maximum depth exceeded>"))
        #expect(person.dogs.description.contains("[0] Dog {"))
        #expect(realm.objects(Dog.self).description.hasPrefix("Results<Dog> <0x"))
        let types = AllTypes()
        types.data = Data(repeating: 0xAB, count: 30)
        #expect(
            types.description.contains("<abababababababababababababababababababababababab... 30 total bytes>")
        )
        #expect(Dog().description.contains("weight = (null);"))
    }

    @Test func `an object is its own when the Realm is invalidated, and dead`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        try realm.write { realm.add(dog) }
        let dogs = realm.objects(Dog.self)
        realm.invalidate()
        #expect(dog.isInvalidated && dogs.isInvalidated)
        // The Realm goes on.
        #expect(realm.objects(Dog.self).count == 1)
        #expect(dog.isInvalidated && dogs.isInvalidated)
        #expect(!realm.objects(Dog.self)[0].isInvalidated)
    }

    @Test func `the list that an object had before it was added is the managed one afterwards`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        let dogs = person.dogs
        try realm.write {
            realm.add(person)
            dogs.append(Dog())
        }
        #expect(person.dogs.count == 1 && dogs == person.dogs && dogs.realm == realm)
    }

    @Test func `declared defaults are made for new objects, not for those that are read`() throws {
        let scratch = try Scratch([Counting.self])
        let realm = try scratch.realm()
        try realm.write { realm.add(Counting()) }
        let count = Counting.counter.value
        for _ in 0..<10 { #expect(realm.objects(Counting.self).first?.number == 1) }
        #expect(Counting.counter.value == count)
        #expect(Counting().number == 1)
        #expect(Counting.counter.value == count + 1)
    }
}

final class Counting: Object {
    @Persisted var number = Counting.count()

    static let counter = Counter()

    static func count() -> Int {
        counter.value += 1
        return 1
    }

    override class func shouldIncludeInDefaultSchema() -> Bool { false }

    final class Counter: @unchecked Sendable {
        // @unchecked: one test uses it.
        var value = 0
    }
}
