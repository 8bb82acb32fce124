import Cairn
import Testing

/// Copies that belong to no Realm.
struct DetachingTests {
    @Test func `a copy has all values, and copies of what it leads to`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = try realm.write {
            realm.create(
                Person.self,
                value: ["name": "Ada", "age": 3, "dogs": [["name": "Rex", "weight": 2.5], ["name": "Ida"]]])
        }
        let copy = person.detached()
        try realm.write { realm.deleteAll() }
        #expect(copy.realm == nil)
        #expect(copy.name == "Ada")
        #expect(copy.age == 3)
        #expect(copy.dogs.map(\.name) == ["Rex", "Ida"])
        #expect(copy.dogs.map(\.weight) == [2.5, nil])
        #expect(copy.dogs.allSatisfy { $0.realm == nil })
        copy.name = "Bea"
        try realm.write { realm.add(copy) }
        #expect(realm.objects(Dog.self).count == 2)
    }

    @Test func `cycles and shared objects are what they are in the original`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let count = 20_000
        let (first, dog) = try realm.write {
            let dog = realm.create(Dog.self)
            let people = (0..<count).map { realm.create(Person.self, value: ["age": $0]) }
            for index in 0..<count {
                // A ring longer than a stack is deep.
                people[index].bestFriend = people[(index + 1) % count]
                people[index].dogs.append(dog)
            }
            return (people[0], dog)
        }
        let copy = first.detached()
        var person = copy
        for index in 0..<count {
            #expect(person.age == index)
            #expect(person.dogs[0] === copy.dogs[0])
            person = try #require(person.bestFriend)
        }
        #expect(person === copy)
        #expect(copy.dogs[0] !== dog)
        // As cycles of references keep each other.
        person = copy
        for _ in 0..<count {
            guard let next = person.bestFriend else { break }
            person.bestFriend = nil
            person = next
        }
    }

    @Test func `objects of a collection are copied once each`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = try realm.write {
            let person = realm.create(Person.self)
            let dog = realm.create(Dog.self, value: ["name": "Rex"])
            person.dogs.append(objectsIn: [dog, realm.create(Dog.self, value: ["name": "Ida"]), dog])
            return person
        }
        let dogs = person.dogs.detached()
        #expect(dogs.map(\.name) == ["Rex", "Ida", "Rex"])
        #expect(dogs[0] === dogs[2])
        #expect(dogs.allSatisfy { $0.realm == nil })
        #expect(realm.objects(Person.self).freeze().detached().count == 1)
    }

    @Test func `a copy of an unmanaged object is another object`() {
        let person = Person(value: ["name": "Ada"])
        person.bestFriend = person
        let copy = person.detached()
        #expect(copy !== person)
        #expect(copy.name == "Ada")
        #expect(copy.bestFriend === copy)
        person.bestFriend = nil
        copy.bestFriend = nil
    }
}
