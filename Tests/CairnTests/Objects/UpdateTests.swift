import Cairn
import Foundation
import Testing

/// Update policies (cases K01 to K06 of the public reports).
struct UpdateTests {
    @Test func `nil is a key, and not the empty string`() throws {
        let scratch = try Scratch([AllOptionals.self])
        let realm = try scratch.realm()
        try realm.write { realm.add(AllOptionals()) }
        let error = try mistake(in: realm) { realm.add(AllOptionals()) }
        #expect(error.code == .duplicatePrimaryKey && error.primaryKey == "nil")
        let update = AllOptionals()
        update.string = "x"
        try realm.write { realm.add(update, update: .modified) }
        #expect(realm.objects(AllOptionals.self).count == 1)
        let found = try #require(realm.object(ofType: AllOptionals.self, forPrimaryKey: String?.none))
        #expect(found.string == "x")
        #expect(realm.object(ofType: AllOptionals.self, forPrimaryKey: NSNull()) == found)
        let empty = AllOptionals()
        empty.key = ""
        try realm.write { realm.add(empty) }
        #expect(realm.objects(AllOptionals.self).count == 2)
        #expect(realm.object(ofType: AllOptionals.self, forPrimaryKey: "") == empty)
    }

    @Test(arguments: [Realm.UpdatePolicy.all, .modified])
    func `adding over an object overwrites everything, nils and defaults too`(policy: Realm.UpdatePolicy)
        throws
    {
        let scratch = try Scratch([AllTypes.self])
        let realm = try scratch.realm()
        let first = AllTypes()
        first.fill(5)
        try realm.write { realm.add(first) }
        let second = AllTypes()
        second.fill(8)
        try realm.write { realm.add(second, update: policy) }
        #expect(realm.objects(AllTypes.self).count == 1)
        let expected = AllTypes()
        expected.fill(8)
        #expect(first.values == expected.values)
        #expect(first == second)
        try scratch.verify()
    }

    @Test(arguments: [Realm.UpdatePolicy.all, .modified])
    func `lists are replaced, what was in them stays`(policy: Realm.UpdatePolicy) throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        person.dogs.append(objectsIn: [Dog(value: ["name": "one"]), Dog(value: ["name": "two"])])
        try realm.write { realm.add(person) }
        let update = Person()
        update.id = person.id
        update.dogs.append(Dog(value: ["name": "three"]))
        try realm.write { realm.add(update, update: policy) }
        #expect(person.dogs.map(\.name) == ["three"])
        #expect(realm.objects(Dog.self).count == 3)
        #expect(realm.objects(Dog.self)[0].owners.isEmpty)
        try scratch.verify()
    }

    @Test(arguments: [Realm.UpdatePolicy.all, .modified])
    func `the policy holds for the whole graph`(policy: Realm.UpdatePolicy) throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let child = Person(value: ["name": "old", "age": 5])
        try realm.write { realm.add(child) }
        try realm.write {
            realm.create(
                Person.self,
                value: ["name": "parent", "bestFriend": ["id": child.id, "name": "new"]] as [String: Any],
                update: policy)
        }
        #expect(realm.objects(Person.self).count == 2)
        #expect(child.name == "new")
        // What the dictionary does not name stays.
        #expect(child.age == 5)
        #expect(child.bestFriendOf.first?.name == "parent")
        try scratch.verify()
    }

    @Test func `cycles are added once`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let a = Person(value: ["name": "a"])
        let b = Person(value: ["name": "b"])
        a.bestFriend = b
        b.bestFriend = a
        try realm.write { realm.add(a) }
        #expect(realm.objects(Person.self).count == 2)
        #expect(a.bestFriend == b && b.bestFriend == a)
        try realm.write {
            let a2 = Person()
            let b2 = Person()
            a2.id = a.id
            b2.id = b.id
            a2.bestFriend = b2
            b2.bestFriend = a2
            a2.name = "a2"
            realm.add(a2, update: .modified)
        }
        #expect(realm.objects(Person.self).count == 2)
        #expect(a.name == "a2" && a.bestFriend == b)
        try scratch.verify()
    }

    @Test func `of two objects with one key in a graph the last one wins`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let id = ObjectId.generate()
        let root = Person()
        let first = Person(value: ["id": id, "name": "first"])
        let second = Person(value: ["id": id, "name": "second"])
        root.bestFriend = first
        first.bestFriend = second
        try realm.write { realm.add(root, update: .modified) }
        #expect(realm.objects(Person.self).count == 2)
        #expect(root.bestFriend?.name == "second")
        #expect(first == second)
        try scratch.verify()
    }

    @Test func `a key is free again after its object was deleted in the same write`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person(value: ["name": "old"])
        let fan = Person()
        fan.bestFriend = person
        try realm.write { realm.add(fan) }
        let id = person.id
        try realm.write {
            realm.delete(person)
            realm.add(Person(value: ["id": id, "name": "new"]))
        }
        #expect(realm.object(ofType: Person.self, forPrimaryKey: id)?.name == "new")
        // A link follows the object, not the key (case L04).
        #expect(fan.bestFriend == nil)
        try scratch.verify()
    }

    @Test func `a duplicate that was cancelled leaves no trace`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        let id = person.id
        realm.beginWrite()
        realm.add(person)
        realm.cancelWrite()
        #expect(realm.object(ofType: Person.self, forPrimaryKey: id) == nil)
        try realm.write { realm.add(Person(value: ["id": id])) }
        #expect(realm.objects(Person.self).count == 1)
        try scratch.verify()
    }

    @Test func `integer keys at the borders`() throws {
        let scratch = try Scratch([AllTypes.self])
        let realm = try scratch.realm()
        let keys = [0, -1, Int.min, Int.max, 448]
        try realm.write { for key in keys { realm.create(AllTypes.self, value: ["key": key]) } }
        for key in keys { #expect(realm.object(ofType: AllTypes.self, forPrimaryKey: key)?.key == key) }
        #expect(realm.object(ofType: AllTypes.self, forPrimaryKey: 1) == nil)
    }

    @Test func `creating from an object of the Realm with a policy gives that object`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        try realm.write { realm.add(person) }
        try realm.write {
            #expect(realm.create(Person.self, value: person, update: .modified) === person)
        }
        #expect(realm.objects(Person.self).count == 1)
    }
}
