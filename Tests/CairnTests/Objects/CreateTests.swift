import Cairn
import Foundation
import Testing

/// Objects from dictionaries, arrays and other objects.
struct CreateTests {
    @Test func `from a dictionary, with nested objects and lists`() throws {
        let value: [String: Any] = [
            "name": "Ada", "age": 36, "dogs": [["name": "Rex", "weight": 12.5], ["name": "Kim"]],
            "bestFriend": ["name": "Bob"], "no such property": 1,
        ]
        let unmanaged = Person(value: value)
        #expect(unmanaged.name == "Ada" && unmanaged.age == 36)
        #expect(unmanaged.dogs.map(\.name) == ["Rex", "Kim"])
        #expect(unmanaged.dogs[0].weight == 12.5 && unmanaged.dogs[1].weight == nil)
        #expect(unmanaged.bestFriend?.name == "Bob")
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = try realm.write { realm.create(Person.self, value: value) }
        #expect(person.name == "Ada" && person.dogs.count == 2 && person.bestFriend?.name == "Bob")
        #expect(realm.objects(Person.self).count == 2)
        try scratch.verify()
    }

    @Test func `from an array, in the order of the properties`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let id = ObjectId.generate()
        let person = try realm.write { realm.create(Person.self, value: [id, "Ada", 36] as [Any]) }
        #expect(person.id == id && person.name == "Ada" && person.age == 36 && person.bestFriend == nil)
        #expect(Dog(value: ["Rex"]).name == "Rex")
    }

    @Test func `from an object, which stays what it was`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let original = Person(value: ["name": "Ada"])
        original.dogs.append(Dog(value: ["name": "Rex"]))
        original.bestFriend = original
        let copy = try realm.write { realm.create(Person.self, value: original) }
        #expect(original.realm == nil && original.dogs[0].realm == nil)
        #expect(copy.id == original.id && copy.dogs[0].name == "Rex" && copy.bestFriend == copy)
        #expect(realm.objects(Person.self).count == 1)
    }

    @Test func `from an object of another Realm, with all that it leads to`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let other = try scratch.realm("other")
        let original = Person(value: ["name": "Ada", "dogs": [["name": "Rex"]]])
        try realm.write { realm.add(original) }
        let copy = try other.write { other.create(Person.self, value: original) }
        #expect(copy.realm == other && copy.dogs[0].realm == other)
        #expect(copy.dogs[0].name == "Rex")
        // Frozen ones too.
        let third = try scratch.realm("third")
        try third.write { third.create(Person.self, value: original.freeze()) }
        #expect(third.objects(Dog.self).count == 1)
    }

    @Test func `objects of the Realm itself are linked to`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog(value: ["name": "Rex"])
        try realm.write {
            realm.add(dog)
            realm.create(Person.self, value: ["dogs": [dog, dog]])
        }
        #expect(realm.objects(Dog.self).count == 1)
        #expect(dog.owners.count == 2)
    }

    @Test func `numbers, texts and NSNumbers are converted where they fit`() throws {
        let id = UUID()
        let object = AllTypes(
            value: [
                "int": Int8(5), "int8": 5.0, "int16": NSNumber(value: 5), "int32": UInt64(5), "bool": 1,
                "float": 5, "double": NSNumber(value: 5), "decimal": "1.5", "uuid": id.uuidString,
                "mood": 7, "colour": "green",
            ] as [String: Any])
        #expect(object.int == 5 && object.int8 == 5 && object.int16 == 5 && object.int32 == 5)
        #expect(object.bool && object.float == 5 && object.double == 5)
        #expect(object.decimal == Decimal128(value: "1.5") && object.uuid == id)
        #expect(object.mood == .wild && object.colour == .green)
    }

    @Test func `optionals in values are unwrapped`() throws {
        let name: String? = "Rex"
        let weight: Double? = nil
        let dog = Dog(value: ["name": name as Any, "weight": weight as Any] as [String: Any])
        #expect(dog.name == "Rex" && dog.weight == nil)
        let other = Dog(value: ["name": "Kim", "weight": NSNull()] as [String: Any])
        #expect(other.weight == nil)
    }

    @Test func `what is missing gets its default when created and stays when updated`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let id = ObjectId.generate()
        try realm.write { realm.create(Person.self, value: ["id": id, "age": 5] as [String: Any]) }
        let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: id))
        #expect(person.name.isEmpty)
        try realm.write {
            person.dogs.append(Dog())
            realm.create(Person.self, value: ["id": id, "name": "Ada"] as [String: Any], update: .all)
        }
        #expect(person.age == 5 && person.name == "Ada" && person.dogs.count == 1)
    }

    @Test func `properties by name`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        for isManaged in [false, true] {
            if isManaged { try realm.write { realm.add(person) } }
            let change = {
                person["name"] = "Ada"
                person.setValue(36, forKey: "age")
                person["bestFriend"] = person
                person["dogs"] = [["name": "Rex"]]
            }
            if isManaged { try realm.write { change() } } else { change() }
            #expect(person["name"] as? String == "Ada")
            #expect(person.value(forKey: "age") as? Int == 36)
            #expect(person["bestFriend"] as? Person === person || person["bestFriend"] as? Person == person)
            #expect((person["dogs"] as? List<Dog>)?.first?.name == "Rex")
        }
        try realm.write { person["bestFriend"] = nil }
        #expect(person["bestFriend"] == nil)
    }

    @Test func `a long chain of objects needs no deep stack`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let first = Person()
        // Held one by one: letting go of a chain would be deep itself.
        var all = [first]
        for _ in 0..<30_000 {
            let next = Person()
            all[all.count - 1].bestFriend = next
            all.append(next)
        }
        try realm.write { realm.add(first) }
        #expect(realm.objects(Person.self).count == 30_001)
        #expect(all.allSatisfy { $0.realm != nil })
        try scratch.verify()
    }
}
