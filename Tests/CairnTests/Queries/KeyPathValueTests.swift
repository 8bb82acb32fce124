import Cairn
import Foundation
import Testing

@Suite struct KeyPathValueTests {
    @Test func `key paths give values and calculations`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write {
            let ada = realm.create(Person.self, value: ["name": "Ada", "age": 36])
            let rex: [String: Any] = ["name": "Rex", "weight": 30.0]
            ada.dogs.append(realm.create(Dog.self, value: rex))
            ada.dogs.append(realm.create(Dog.self, value: ["name": "Max"]))
            let ben = realm.create(Person.self, value: ["name": "Ben", "age": 7])
            ben.bestFriend = ada
            realm.create(Person.self, value: ["name": "Ada", "age": 4])
        }
        let all = realm.objects(Person.self)
        #expect(all.value(forKey: "name") as? [String] == ["Ada", "Ben", "Ada"])
        #expect(all.value(forKeyPath: "@count") as? Int == 3)
        #expect(all.value(forKeyPath: "@sum.age") as? Int == 47)
        #expect(all.value(forKeyPath: "@max.age") as? Int == 36)
        #expect(all.value(forKeyPath: "@min.age") as? Int == 4)
        #expect(all.value(forKeyPath: "@avg.age") as? Double == 47.0 / 3)
        #expect(all.value(forKeyPath: "@unionOfObjects.name") as? [String] == ["Ada", "Ben", "Ada"])
        #expect(all.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String] == ["Ada", "Ben"])
        let friends = try #require(all.value(forKeyPath: "bestFriend.name") as? [Any])
        #expect(friends.count == 3)
        #expect(friends[0] is NSNull)
        #expect(friends[1] as? String == "Ada")
        let ada = all[0]
        #expect(ada.value(forKeyPath: "dogs.name") as? [String] == ["Rex", "Max"])
        #expect(ada.value(forKeyPath: "dogs.@sum.weight") as? Double == 30)
        #expect((ada.dogs.value(forKey: "weight") as? [Any])?.last is NSNull)
        #expect(all[1].value(forKeyPath: "bestFriend.dogs.@count") as? Int == 2)
        #expect(all[0].value(forKeyPath: "bestFriend.name") == nil)
    }

    @Test func `a key is set for the elements that there were when it began`() throws {
        // Q21: an element that leaves the results by what is set is not a reason to skip the next.
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { for age in 0..<10 { realm.create(Person.self, value: ["name": "p", "age": age]) } }
        let young = realm.objects(Person.self).filter("age < 100")
        try realm.write { young.setValue(100, forKey: "age") }
        #expect(young.isEmpty)
        #expect(realm.objects(Person.self).filter("age == 100").count == 10)
        try realm.write { for person in realm.objects(Person.self).filter("age == 100") { person.age = 1 } }
        #expect(young.count == 10)
        try realm.write { for person in young { realm.delete(person) } }
        #expect(realm.objects(Person.self).isEmpty)
    }
}
