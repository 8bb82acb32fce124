import Cairn
import Foundation
import TestSupport
import Testing

/// What went wrong in other databases, asked of this one: nil, sets of values, ranges and collections.
@Suite struct QueryCaseTests {
    @Test func `not equal is the opposite of equal, and nil is no empty text`() throws {
        try CaseRows<String?>.everywhere([nil, "", "x"]) { rows in
            try rows.expect("§ == %@", nil, finds: [0])
            try rows.expect("§ != %@", nil, finds: [1, 2])
            try rows.expect("§ == ''", finds: [1])
            try rows.expect("§ != ''", finds: [0, 2])
            try rows.expect("§ != 'x'", finds: [0, 1])
            try rows.expect("NOT § == 'x'", finds: [0, 1])
            // Decided as Realm does: an empty text is in no text.
            try rows.expect("§ BEGINSWITH ''", finds: [])
            try rows.expect("§ CONTAINS %@", "", finds: [])
            try rows.expect("§ ENDSWITH[c] ''", finds: [])
            try rows.expect("§ LIKE ''", finds: [1])
            try rows.expect("§ LIKE '*'", finds: [1, 2])
            try rows.expect("NOT § CONTAINS 'x'", finds: [0, 1])
            try rows.expect("§ > ''", finds: [2])
            try rows.expect("§ <= ''", finds: [1])
        }
    }

    @Test func `a set of values may hold nothing, nil and an empty text`() throws {
        try CaseRows<String?>.everywhere([nil, "", "a", "b"]) { rows in
            try rows.expect("§ IN %@", [String](), finds: [])
            try rows.expect("NOT § IN %@", [String](), finds: [0, 1, 2, 3])
            try rows.expect("§ IN %@", ["", "a"], finds: [1, 2])
            try rows.expect("§ IN %@", [nil, "a"] as [String?], finds: [0, 2])
            try rows.expect("§ IN {}", finds: [])
            try rows.expect("§ IN[c] {'A', NULL}", finds: [0, 2])
            try rows.expect("§ == '' OR § == 'a' OR § == 'b'", finds: [1, 2, 3])
            try rows.expect("NOT (§ == '' OR § == 'a' OR § == 'b')", finds: [0])
            try rows.expect("NOT § IN %@", [nil, ""] as [String?], finds: [2, 3])
        }
    }

    @Test func `a range holds both of its bounds, and none that is the wrong way round`() throws {
        try CaseRows<Int?>.everywhere([19, 20, 40, 60, 61, nil, Int.min, Int.max]) { rows in
            try rows.expect("§ BETWEEN {20, 60}", finds: [1, 2, 3])
            try rows.expect("§ BETWEEN {60, 20}", finds: [])
            try rows.expect("§ BETWEEN %@", [20, 60], finds: [1, 2, 3])
            try rows.expect("NOT § BETWEEN {20, 60}", finds: [0, 4, 5, 6, 7])
            try rows.expect("§ BETWEEN {19.5, 60.5}", finds: [1, 2, 3])
            try rows.expect("§ < %@", Int.max, finds: [0, 1, 2, 3, 4, 6])
            try rows.expect("§ <= %@", Int.min, finds: [6])
            try rows.expect("§ > %@", Int.max, finds: [])
            try rows.expect("§ >= %@", Int.max, finds: [7])
            try rows.expect("§ > 2.5 AND § < 60.5", finds: [0, 1, 2, 3])
            try rows.expect("§ < 1e300 AND § > -1e300", finds: [0, 1, 2, 3, 4, 6, 7])
            // 2^63, one beyond the largest.
            try rows.expect("§ == 9223372036854775808.0", finds: [])
            try rows.expect("§ < 9223372036854775808.0 AND § > 100", finds: [7])
        }
    }

    @Test func `one element of a list must satisfy both bounds`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        try realm.write {
            for numbers in [[10, 70], [30]] {
                let row = realm.create(CaseRow.self, value: ["place": numbers.count])
                row.numbers.append(objectsIn: numbers.map { $0 })
            }
        }
        let rows = realm.objects(CaseRow.self)
        #expect(rows.filter("ANY numbers BETWEEN {20, 60}").map(\.place) == [1])
        #expect(rows.filter("NONE numbers BETWEEN {20, 60}").map(\.place) == [2])
        #expect(rows.filter("ANY numbers > 20 AND ANY numbers < 60").map(\.place) == [2, 1])
    }

    @Test func `nil is not zero in a column that cannot be nil`() throws {
        let scratch = try Scratch([RequiredRow.self])
        let realm = try scratch.realm()
        try realm.write {
            for (key, int) in [("", 0), ("k", 5)] {
                let row = RequiredRow()
                row.key = key
                row.int = int
                realm.add(row)
            }
        }
        let rows = realm.objects(RequiredRow.self)
        for property in ["key", "int", "plainInt", "objectId", "date", "uuid", "bool", "data"] {
            #expect(rows.filter("\(property) == nil").isEmpty, "\(property)")
            #expect(rows.filter("\(property) != nil").count == 2, "\(property)")
            #expect(rows.filter("\(property) IN {NULL}").isEmpty, "\(property)")
            #expect(rows.filter("NOT \(property) == NULL").count == 2, "\(property)")
        }
        try scratch.verify()
    }

    @Test func `ANY speaks of each condition by itself, and a sub-query of one element`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write {
            for (name, dogs) in [("A", [("rex", 3.0), ("max", 9)]), ("B", [("rex", 9), ("max", 3)])] {
                let person = realm.create(Person.self, value: ["name": name])
                for (name, weight) in dogs {
                    person.dogs.append(realm.create(Dog.self, value: ["name": name, "weight": weight]))
                }
            }
        }
        let people = realm.objects(Person.self)
        #expect(people.filter("ANY dogs.name == 'rex' AND ANY dogs.weight == 3").map(\.name) == ["A", "B"])
        #expect(
            people.filter("SUBQUERY(dogs, $d, $d.name == 'rex' AND $d.weight == 3).@count > 0").map(\.name)
                == ["A"])
        #expect(
            people.where { ($0.dogs.name == "rex" && $0.dogs.weight == 3).count > 0 }.map(\.name) == ["A"])
        #expect(
            people.filter(#Predicate { $0.dogs.contains { $0.name == "rex" && $0.weight == 3 } }).map(\.name)
                == ["A"])
    }

    @Test func `many values are looked for in a list, and an object at any place of a long one`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        let places = [0, 999, 1_000, 1_001, 4_999]
        let holder = CaseHolder()
        try realm.write {
            let row = realm.create(CaseRow.self, value: ["place": -1])
            row.numbers.append(100)
            realm.add(holder)
            for place in 0..<5_000 {
                holder.rows.append(realm.create(CaseRow.self, value: ["place": place]))
            }
        }
        let rows = realm.objects(CaseRow.self)
        #expect(rows.filter("{1, 2, 3, 4, 5, 6, 7, 8, 9} IN numbers").isEmpty)
        #expect(rows.filter("{1, 2, 3, 4, 5, 6, 7, 8, 100} IN numbers").count == 1)
        #expect(rows.filter("ANY numbers IN %@", Array(92...100)).count == 1)
        for place in places {
            let row = try #require(rows.filter("place == %d", place).first)
            #expect(realm.objects(CaseHolder.self).filter("ANY rows == %@", row).count == 1)
            #expect(realm.objects(CaseHolder.self).filter("%@ IN rows", row).count == 1)
            #expect(holder.rows.index(of: row) == place)
            #expect(holder.rows.index(matching: "place == %d", place) == place)
            #expect(holder.rows.filter("SELF == %@", row).map(\.place) == [place])
        }
    }

    @Test func `the number of elements compares as numbers do`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write {
            for count in 0...2 {
                let person = realm.create(Person.self, value: ["name": "\(count)", "age": count])
                for _ in 0..<count { person.dogs.append(realm.create(Dog.self, value: ["name": "d"])) }
                if count > 0 { person.bestFriend = realm.objects(Person.self).first { $0.age == count - 1 } }
            }
        }
        let people = realm.objects(Person.self)
        func names(_ format: String) -> [String] { people.filter(format).map(\.name) }
        #expect(names("dogs.@count == 0") == ["0"])
        #expect(names("dogs.@count < 1") == ["0"])
        for format in ["dogs.@count > 0", "dogs.@count >= 1", "dogs.@count != 0", "0 < dogs.@count"] {
            #expect(names(format) == ["1", "2"], "\(format)")
        }
        #expect(names("bestFriendOf.@count == 0") == ["2"])
        #expect(names("bestFriendOf.@count == 1") == ["0", "1"])
        // Where the link is nil there are no elements.
        #expect(names("bestFriend.dogs.@count == 0") == ["0", "1"])
        #expect(names("bestFriend.dogs.@count > 0") == ["2"])
        #expect(names("bestFriend.bestFriend.dogs.@count >= 1") == [])
        #expect(names("dogs.@count == age").count == 3)
        #expect(names("dogs.@count BETWEEN {1, 2}") == ["1", "2"])
        #expect(names("dogs.@count > 0.5 AND dogs.@count < 1.5") == ["1"])
    }

    @Test func `nil is an element that is counted`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        try realm.write {
            realm.create(CaseRow.self, value: ["place": 0])
            realm.create(CaseRow.self, value: ["place": 1]).numbers.append(nil)
        }
        let rows = realm.objects(CaseRow.self)
        #expect(rows.filter("numbers.@count == 1").map(\.place) == [1])
        #expect(rows.filter("ANY numbers == nil").map(\.place) == [1])
        #expect(rows.filter("ANY numbers != nil").isEmpty)
        #expect(rows.filter("ALL numbers == nil").map(\.place) == [0, 1])
    }

    @Test func `results follow links that are walked backwards twice`() throws {
        let scratch = try Scratch([City.self, Inhabitant.self, Pet.self])
        let realm = try scratch.realm()
        let berlin = City()
        let anna = Inhabitant()
        anna.home = berlin
        try realm.write { realm.add(anna) }
        let found = realm.objects(City.self).filter("ANY inhabitants.pets.name == 'x'")
        let counted = realm.objects(City.self).filter("inhabitants.@count > 0")
        #expect((found.count, counted.count) == (0, 1))
        let pet = Pet()
        pet.name = "x"
        pet.owner = anna
        try realm.write { realm.add(pet) }
        #expect(found.count == 1)
        try realm.write { pet.name = "y" }
        #expect(found.isEmpty)
        try realm.write { pet.name = "x" }
        #expect(found.count == 1)
        try realm.write {
            realm.delete(anna)
            #expect(found.isEmpty)
            #expect(counted.isEmpty)
        }
        #expect(found.count == 0)
        #expect(counted.count == 0)
        try scratch.verify()
    }
}

final class RequiredRow: Object {
    @Persisted(primaryKey: true) var key: String
    @Persisted(indexed: true) var int: Int
    @Persisted var plainInt: Int
    @Persisted(indexed: true) var objectId: ObjectId
    @Persisted(indexed: true) var date = Date(timeIntervalSinceReferenceDate: 0)
    @Persisted(indexed: true) var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    @Persisted(indexed: true) var bool: Bool
    @Persisted var data = Data()
}

final class City: Object {
    @Persisted var name: String
    @Persisted(originProperty: "home") var inhabitants: LinkingObjects<Inhabitant>
}

final class Inhabitant: Object {
    @Persisted var home: City?
    @Persisted(originProperty: "owner") var pets: LinkingObjects<Pet>
}

final class Pet: Object {
    @Persisted var name: String
    @Persisted var owner: Inhabitant?
}
