import Cairn
import Foundation
import Testing

@Suite struct SortingTests {
    private func realm(_ scratch: Scratch, _ names: [String]) throws -> Realm {
        let realm = try scratch.realm()
        try realm.write { for name in names { realm.create(Person.self, value: ["name": name]) } }
        return realm
    }

    /// S07: one order everywhere.
    @Test func `strings are in the order of their bytes, as a dictionary only if asked`() throws {
        let scratch = try Scratch()
        let names = ["b", "A", "a", "B", "é", "z", "Z", "~", "e", "f"]
        let all = try realm(scratch, names).objects(Person.self)
        #expect(all.sorted(byKeyPath: "name").map(\.name).joined() == "ABZabefz~é")
        #expect(all.sorted(by: \.name, ascending: false).map(\.name).joined() == "é~zfebaZBA")
        let insensitive = SortDescriptor(keyPath: "name", stringOrder: .caseInsensitive)
        // What is equal without its case keeps the order that it had.
        #expect(all.sorted(by: [insensitive]).map(\.name).joined() == "AabBefzZ~é")
        let dictionary = SortDescriptor(keyPath: "name", stringOrder: .localized)
        #expect(all.sorted(by: [dictionary]).map(\.name).joined() == "~aAbBeéfzZ")
        #expect(all.sorted(by: [dictionary.reversed()]).map(\.name).joined() == "ZzféeBbAa~")
    }

    @Test func `nil goes where it is asked to`() throws {
        let scratch = try Scratch([AllOptionals.self])
        let realm = try scratch.realm()
        try realm.write {
            for (key, int) in [("a", 2), ("b", nil), ("c", 1)] as [(String, Int?)] {
                realm.create(AllOptionals.self, value: ["key": key, "int": int as Any])
            }
        }
        let all = realm.objects(AllOptionals.self)
        func keys(_ ascending: Bool, _ nilOrder: Cairn.SortDescriptor.NilOrder) -> String {
            all.sorted(by: [Cairn.SortDescriptor(keyPath: "int", ascending: ascending, nilOrder: nilOrder)])
                .map { $0.key ?? "-" }.joined()
        }
        #expect(keys(true, .automatic) == "bca")
        #expect(keys(false, .automatic) == "acb")
        #expect(keys(true, .last) == "cab")
        #expect(keys(false, .first) == "bac")
        #expect(keys(true, .first) == "bca")
        #expect(keys(false, .last) == "acb")
    }

    @Test func `a nil link on the way is last in rising order and first in falling order`() throws {
        let scratch = try Scratch()
        let realm = try realm(scratch, ["a", "b", "c"])
        let all = realm.objects(Person.self)
        try realm.write {
            all[0].age = 5
            all[1].age = 3
            all[1].bestFriend = all[0]
            all[2].bestFriend = all[1]
        }
        #expect(all.sorted(byKeyPath: "bestFriend.age").map(\.name).joined() == "cba")
        #expect(all.sorted(byKeyPath: "bestFriend.age", ascending: false).map(\.name).joined() == "abc")
        #expect(all.sorted(by: \.bestFriend?.age).map(\.name).joined() == "cba")
    }

    /// Q16: descriptors are a pipeline.
    @Test func `sort, distinct and limit are carried out in the order in which they were written`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write {
            for (name, age) in [("a", 1), ("b", 2), ("a", 3), ("b", 1)] {
                realm.create(Person.self, value: ["name": name, "age": age])
            }
        }
        let all = realm.objects(Person.self)
        func text(_ results: Results<Person>) -> String {
            results.map { "\($0.name)\($0.age)" }.joined(separator: " ")
        }
        #expect(text(all.sorted(by: \.age, ascending: false).distinct(by: ["name"])) == "a3 b2")
        #expect(text(all.distinct(by: [\.name]).sorted(by: \.age, ascending: false)) == "b2 a1")
        let newest = all.sorted(by: \.age, ascending: false).distinct(by: ["name"])
        #expect(text(newest.limit(1)) == "a3")
        #expect(newest.count == 2)
        // The later sort counts first.
        #expect(text(all.sorted(by: \.age).sorted(by: \.name)) == "a1 a3 b1 b2")
        // A filter is asked before what was told apart.
        #expect(text(newest.filter("age < 3")) == "b2 a1")
        try realm.write { realm.delete(newest) }
        #expect(text(all) == "a1 b1")
    }

    @Test func `calculations follow what is written`() throws {
        let scratch = try Scratch()
        let realm = try realm(scratch, ["a", "b", "c"])
        let all = realm.objects(Person.self)
        let some = all.filter("name != 'b'")
        try realm.write { for (place, person) in all.enumerated() { person.age = place + 1 } }
        for _ in 0..<2 {
            #expect(some.sum(of: \.age) == 4)
            #expect(all.average(of: \.age) == 2)
            #expect(all.max(of: \.age) == 3)
        }
        try realm.write {
            all[0].age = 10
            #expect(some.sum(of: \.age) == 13)
            #expect(all.max(of: \.age) == 10)
            realm.delete(all[0])
            #expect(all.max(of: \.age) == 3)
        }
        #expect(some.sum(ofProperty: "age") == 3)
        #expect(all.min(of: \.age) == 2)
    }

    @Test(arguments: ["dogs", "bestFriend", "bestFriendOf", "dogs.name", "nmae", "name.length", "@count", ""])
    func `a key path that has no order dooms the write`(_ keyPath: String) throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let error = try mistake(in: realm) { _ = realm.objects(Person.self).sorted(byKeyPath: keyPath) }
        #expect(error.code == .misuse)
    }
}
