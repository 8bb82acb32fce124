import Cairn
import Foundation
import Testing

/// A mistake inside a write makes the write fail, and does nothing else.
struct MisuseInWriteTests {
    @Test func `a second object with the same key`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let first = Person()
        try realm.write { realm.add(first) }
        let second = Person()
        second.id = first.id
        var wasReached = false
        let error = try mistake(in: realm) {
            realm.add(second)
            // What follows is carried out as usual.
            realm.add(Dog())
            #expect(realm.objects(Dog.self).count == 1)
            #expect(second.realm == nil)
            wasReached = true
        }
        #expect(wasReached)
        #expect(error.code == .duplicatePrimaryKey)
        #expect(error.className == "Person" && error.propertyName == "id")
        #expect(error.primaryKey == first.id.stringValue)
        #expect(realm.objects(Dog.self).isEmpty)
        #expect(realm.objects(Person.self).count == 1)
        // The object is unmanaged as before, and can be added under another key.
        second.id = ObjectId.generate()
        try realm.write { realm.add(second) }
        #expect(realm.objects(Person.self).count == 2)
        try scratch.verify()
    }

    @Test func `a duplicate deep in a graph adds nothing of the graph`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let known = Person()
        try realm.write { realm.add(known) }
        let root = Person()
        let child = Person()
        child.id = known.id
        root.bestFriend = child
        root.dogs.append(Dog())
        let error = try mistake(in: realm) {
            realm.add(root)
            #expect(realm.objects(Person.self).count == 1)
            #expect(realm.objects(Dog.self).isEmpty)
            #expect(root.realm == nil && child.realm == nil)
        }
        #expect(error.code == .duplicatePrimaryKey)
        #expect(root.bestFriend === child)
        try scratch.verify()
    }

    @Test func `the first of several mistakes is thrown`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        try realm.write { realm.add(person) }
        let error = try mistake(in: realm) {
            person.id = ObjectId.generate()
            person.dogs.remove(at: 3)
        }
        #expect(error.message.contains("Primary key can't be changed"))
        #expect(error.message.contains("Person.id"))
    }

    @Test func `an error of the block wins, and carries the mistake if it is ours`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        try realm.write { realm.add(person) }
        #expect(throws: TestFailure()) {
            try realm.write {
                person.dogs.remove(at: 0)
                throw TestFailure()
            }
        }
        let error = #expect(throws: Realm.Error.self) {
            try realm.write {
                person.dogs.remove(at: 0)
                _ = try ObjectId(string: "nonsense")
            }
        }
        #expect(error?.code == .invalidInput)
        #expect((error?.underlyingError as? Realm.Error)?.message.contains("out of bounds") == true)
    }

    @Test func `places out of bounds`() throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let object = AllLists()
        object.ints.append(objectsIn: [1, 2, 3])
        try realm.write { realm.add(object) }
        let changes: [@Sendable (AllLists) -> Void] = [
            { #expect($0.ints[3] == 0) }, { #expect($0.ints[-1] == 0) },
            { $0.ints[3] = 1 }, { $0.ints.insert(1, at: 5) }, { $0.ints.remove(at: 3) },
            { $0.ints.removeLast(4) }, { $0.ints.removeFirst(-1) }, { $0.ints.move(from: 0, to: 3) },
            { $0.ints.swapAt(0, 9) }, { $0.ints.removeSubrange(2..<5) },
            { $0.ints.replaceSubrange(3..<9, with: [1]) },
            { #expect($0.objects[0].realm == nil) },
        ]
        for change in changes {
            let error = try mistake(in: realm) { change(object) }
            #expect(error.code == .misuse)
            #expect(Array(object.ints) == [1, 2, 3])
        }
        _ = try mistake(in: realm) { #expect(realm.objects(AllLists.self)[1].realm == nil) }
    }

    @Test func `objects that cannot be linked to leave the list as it is`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let other = try Scratch()
        let otherRealm = try other.realm()
        let person = Person()
        let foreign = Dog()
        let dead = Dog()
        let live = Dog()
        try realm.write { realm.add([person as Object, dead, live]) }
        try otherRealm.write { otherRealm.add(foreign) }
        try realm.write { realm.delete(realm.objects(Dog.self)[0]) }
        let frozen = live.freeze()
        for bad in [foreign, dead, frozen] {
            _ = try mistake(in: realm) {
                person.dogs.append(bad)
                #expect(person.dogs.isEmpty)
            }
        }
        let twice = Dog()
        try realm.write {
            person.dogs.append(twice)
            person.dogs.append(twice)
        }
        #expect(person.dogs.count == 2)
        #expect(realm.objects(Dog.self).count == 2)
        #expect(twice.owners.count == 2)
        try scratch.verify()
    }

    @Test func `a deleted object is read as its type's zero, and the write fails`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        dog.name = "Rex"
        try realm.write { realm.add(dog) }
        let error = try mistake(in: realm) {
            let same = realm.objects(Dog.self)[0]
            realm.delete(dog)
            #expect(same.isInvalidated)
            #expect(same.name.isEmpty)
            same.name = "no more"
        }
        #expect(error.code == .invalidatedObject)
        #expect(error.className == "Dog" && error.propertyName == "name")
        #expect(realm.objects(Dog.self).first?.name == "Rex")
    }

    @Test func `a deleted object of every type can be read and set without a trap`() throws {
        let scratch = try Scratch([AllTypes.self, AllOptionals.self, AllLists.self])
        let realm = try scratch.realm()
        let objects: [Object] = [AllTypes(), AllOptionals(), AllLists()]
        try realm.write { realm.add(objects) }
        let types = realm.objects(AllTypes.self)[0]
        let optionals = realm.objects(AllOptionals.self)[0]
        let lists = realm.objects(AllLists.self)[0]
        for use in 0..<6 {
            let error = try mistake(in: realm) {
                // By other accessors: one that is handed to delete is dead for good.
                realm.deleteAll()
                switch use {
                case 0: #expect(types.int == 0 && types.string.isEmpty && types.values.count == 16)
                case 1: types.fill(5)
                case 2: #expect(optionals.values.allSatisfy { $0 == nil } && optionals.link == nil)
                case 3: optionals.fill(5)
                case 4: #expect(lists.values.allSatisfy(\.isEmpty) && lists.objects.first == nil)
                default: lists.fill(3)
                }
            }
            #expect(error.code == .invalidatedObject, "use \(use)")
            #expect(realm.objects(AllTypes.self).count == 1)
        }
        try scratch.verify()
    }

    @Test func `values that do not fit`() throws {
        let scratch = try Scratch([AllTypes.self])
        let realm = try scratch.realm()
        let bad: [[String: Any]] = [
            ["int": "text"], ["int8": 128], ["int": 1.5], ["bool": 2], ["string": 1], ["data": "x"],
            ["date": 5], ["uuid": "no uuid"], ["objectId": "00"], ["decimal": "one"], ["mood": 4],
            ["colour": "blue"], ["int": NSNull()], ["float": 1e300],
        ]
        for value in bad {
            let error = try mistake(in: realm) {
                let object = realm.create(AllTypes.self, value: value)
                #expect(object.realm == nil)
            }
            #expect(error.code == .invalidValue, "\(value)")
            #expect(error.propertyName == value.keys.first)
        }
        _ = try mistake(in: realm) { realm.create(AllTypes.self, value: "not a dictionary") }
        _ = try mistake(in: realm) {
            realm.create(AllTypes.self, value: Array(repeating: 0, count: 40))
        }
        #expect(realm.isEmpty)
    }

    @Test func `updating a class without a primary key`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let error = try mistake(in: realm) { realm.add(Dog(), update: .modified) }
        #expect(error.message.contains("does not have a primary key"))
    }

    @Test func `deleting what is not in the Realm`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        try realm.write { realm.add(dog) }
        _ = try mistake(in: realm) { realm.delete(Dog()) }
        try realm.write {
            let same = realm.objects(Dog.self)[0]
            realm.delete(dog)
            // Gone already, by another accessor: no mistake.
            realm.delete(same)
        }
        // Handed to delete before: it has no Realm any more.
        #expect(dog.realm == nil && dog.isInvalidated)
        _ = try mistake(in: realm) { realm.delete(dog) }
    }

    @Test func `a class that the Realm does not store`() throws {
        let scratch = try Scratch([Dog.self, Person.self])
        let realm = try scratch.realm()
        let error = try mistake(in: realm) { realm.add(AllTypes()) }
        #expect(error.message.contains("'AllTypes' is not managed by the Realm"))
    }

    @Test func `an object of another Realm`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let otherRealm = try scratch.realm("other")
        let dog = Dog()
        try otherRealm.write { otherRealm.add(dog) }
        let error = try mistake(in: realm) { realm.add(dog) }
        #expect(error.message.contains("already managed by another Realm"))
        // A copy can be made.
        try realm.write { realm.create(Dog.self, value: dog) }
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test func `inserting throws on the spot, and the write goes on`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        try realm.write {
            try realm.insert(person)
            let error = #expect(throws: Realm.Error.self) {
                try realm.insert(Person(value: ["id": person.id]))
            }
            #expect(error?.code == .duplicatePrimaryKey)
            #expect(throws: Realm.Error(.misuse, "")) { try realm.insert(Dog(), update: .modified) }
            try realm.insert(Dog())
        }
        #expect(realm.objects(Person.self).count == 1 && realm.objects(Dog.self).count == 1)
        try scratch.verify()
    }

    @Test func `setting the objects that link here`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        try realm.write { realm.add(dog) }
        _ = try mistake(in: realm) { dog.owners = dog.owners }
    }
}
