import Cairn
import Foundation
import Testing

/// What is frozen never changes and is read from every thread (case C04).
struct FrozenTests {
    @Test func `frozen things show what was there`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person(value: ["name": "Ada", "dogs": [["name": "Rex"], ["name": "Kim"]]])
        try realm.write {
            realm.add(person)
            person.bestFriend = person
        }
        let frozen = person.freeze()
        let frozenDogs = person.dogs.freeze()
        let frozenPeople = realm.objects(Person.self).freeze()
        let frozenFriends = person.bestFriendOf.freeze()
        let frozenRealm = realm.freeze()
        try realm.write {
            person.name = "Bob"
            realm.delete(person.dogs)
            person.bestFriend = nil
            realm.add(Person())
        }
        #expect(frozen.name == "Ada" && frozen.isFrozen && frozen.realm == frozenRealm)
        #expect(frozenDogs.map(\.name) == ["Rex", "Kim"] && frozenDogs == frozen.dogs)
        #expect(frozenPeople.count == 1 && frozenPeople[0] == frozen && frozenPeople.first?.isFrozen == true)
        #expect(frozenFriends.first == frozen && frozen.bestFriend == frozen)
        #expect(frozenRealm.objects(Dog.self).count == 2 && frozenRealm.isFrozen)
        #expect(frozenRealm.object(ofType: Person.self, forPrimaryKey: frozen.id) == frozen)
        // Freezing what is frozen is no work.
        #expect(frozen.freeze() === frozen && frozenRealm.freeze() == frozenRealm)
        #expect(!frozenRealm.refresh() && !frozenRealm.autorefresh)
        #expect(person.name == "Bob" && person.dogs.isEmpty)
    }

    @Test func `thawing gives the live counterpart, nil for what is gone`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person(value: ["name": "Ada", "dogs": [["name": "Rex"]]])
        try realm.write { realm.add(person) }
        let frozen = person.freeze()
        let frozenDog = frozen.dogs[0]
        try realm.write {
            person.name = "Bob"
            realm.delete(person.dogs)
        }
        let thawed = try #require(frozen.thaw())
        #expect(thawed == person && thawed.name == "Bob" && !thawed.isFrozen)
        #expect(frozenDog.thaw() == nil)
        #expect(frozen.dogs.thaw()?.isEmpty == true)
        #expect(frozen.realm?.thaw() == realm)
        #expect(person.thaw() === person)
        #expect(frozen.bestFriendOf.thaw() == person.bestFriendOf)
        #expect(realm.objects(Dog.self).freeze().thaw()?.count == 0)
    }

    @Test func `a concurrent crowd reads one frozen object`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write {
            for number in 0..<2_000 {
                realm.create(
                    Person.self, value: ["name": "person \(number)", "dogs": [["name": "dog \(number)"]]])
            }
        }
        let crowd = Crowd(people: realm.objects(Person.self).freeze())
        let failures = FailureCount()
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for round in 0..<200 {
                let place = (number * 211 + round * 7) % 2_000
                let person = crowd.people[place]
                let dog = person.dogs[0]
                if person.name != "person \(place)" || dog.name != "dog \(place)"
                    || dog.owners.first != person
                {
                    failures.note("\(place): \(person.name), \(dog.name)")
                }
            }
            // And one long look at everything.
            if crowd.people.reduce(0, { $0 + $1.dogs.count }) != 2_000 { failures.note("not all dogs") }
        }
        #expect(failures.texts.isEmpty)
    }

    private struct Crowd: @unchecked Sendable {
        // @unchecked: frozen.
        let people: Results<Person>
    }

    @Test func `threads that have ended leave nothing with a frozen Realm`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
        let crowd = Pack(realm: realm.freeze())
        for _ in 0..<200 {
            let name = try onNewThread { crowd.realm.objects(Dog.self).first?.name }
            #expect(name == "Rex")
        }
        #expect(crowd.realm.frozenReaderCount < 80)
    }

    private struct Pack: @unchecked Sendable {
        // @unchecked: frozen.
        let realm: Realm
    }

    @Test func `a frozen object outlives its Realm`() throws {
        let scratch = try Scratch()
        let frozen = try autoreleasing {
            let realm = try scratch.realm()
            let dog = Dog(value: ["name": "Rex"])
            try realm.write { realm.add(dog) }
            return dog.freeze()
        }
        #expect(frozen.name == "Rex")
        #expect(frozen.thaw()?.name == "Rex")
    }

    @Test func `in a write the version before it is frozen`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog(value: ["name": "old"])
        try realm.write { realm.add(dog) }
        try realm.write {
            dog.name = "new"
            #expect(dog.freeze().name == "old")
            #expect(realm.freeze().objects(Dog.self).count == 1)
        }
        #expect(dog.freeze().name == "new")
        _ = try mistake(in: realm) {
            let dog = Dog()
            realm.add(dog)
            _ = dog.freeze()
        }
    }

    @Test func `a read-only Realm can be frozen`() throws {
        let scratch = try Scratch()
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
        }
        var configuration = scratch.configuration()
        configuration.readOnly = true
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(Dog.self).freeze().first?.name == "Rex")
        #expect(realm.objects(Dog.self).first?.freeze().thaw()?.name == "Rex")
    }

    @Test func `frozen objects of two freezes at one version are equal`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        try realm.write { realm.add(dog) }
        let first = dog.freeze()
        let second = realm.objects(Dog.self).freeze()[0]
        #expect(first == second && first.hashValue == second.hashValue)
        try realm.write { dog.name = "new" }
        #expect(dog.freeze() != first)
    }
}
