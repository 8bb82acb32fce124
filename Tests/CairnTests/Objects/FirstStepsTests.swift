import Cairn
import Foundation
import Testing

struct FirstStepsTests {
    @Test func `what was written is there when the file is opened again`() throws {
        let scratch = try Scratch()
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write {
                let person = Person()
                person.name = "Ada"
                person.age = 36
                let dog = Dog()
                dog.name = "Rex"
                person.dogs.append(dog)
                person.bestFriend = person
                realm.add(person)
            }
        }
        let realm = try scratch.realm()
        let people = realm.objects(Person.self)
        #expect(people.count == 1)
        let person = try #require(people.first)
        #expect(person.name == "Ada")
        #expect(person.age == 36)
        #expect(person.dogs.count == 1)
        #expect(person.dogs.first?.name == "Rex")
        #expect(person.dogs.first?.weight == nil)
        #expect(person.bestFriend == person)
        #expect(person.bestFriendOf.count == 1)
        #expect(person.dogs.first?.owners.first == person)
        #expect(realm.object(ofType: Person.self, forPrimaryKey: person.id) == person)
        try scratch.verify()
    }
}

/// A scope whose locals are gone at its end.
func autoreleasing<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
