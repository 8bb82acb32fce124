import Cairn
import Foundation
import Testing

@Suite struct GroupingTests {
    private func people(_ scratch: Scratch) throws -> Realm {
        let realm = try scratch.realm()
        try realm.write {
            for (name, age) in [("Ada", 36), ("Ben", 7), ("Cleo", 36), ("Dan", 70), ("Ada", 4), ("Ben", 9)] {
                realm.create(Person.self, value: ["name": name, "age": age])
            }
        }
        return realm
    }

    @Test func `groups count, sum and find the extremes of their objects`() throws {
        let scratch = try Scratch()
        let all = try people(scratch).objects(Person.self)
        let byName = all.grouped(by: \.name)
        #expect(byName.keys == ["Ada", "Ben", "Cleo", "Dan"])
        #expect(byName.count() == ["Ada": 2, "Ben": 2, "Cleo": 1, "Dan": 1])
        #expect(byName.sum(of: \.age) == ["Ada": 40, "Ben": 16, "Cleo": 36, "Dan": 70])
        #expect(byName.min(of: \.age) == ["Ada": 4, "Ben": 7, "Cleo": 36, "Dan": 70])
        #expect(byName.max(of: \.age) == ["Ada": 36, "Ben": 9, "Cleo": 36, "Dan": 70])
        #expect(byName.average(of: \.age) == ["Ada": 20, "Ben": 8, "Cleo": 36, "Dan": 70])
    }

    @Test func `groups are those of what was filtered, and follow a write`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let byName = realm.objects(Person.self).filter("age > 8").grouped(by: \.name)
        #expect(byName.count() == ["Ada": 1, "Ben": 1, "Cleo": 1, "Dan": 1])
        try realm.write {
            realm.delete(realm.objects(Person.self).filter("name == 'Dan'"))
            realm.create(Person.self, value: ["name": "Cleo", "age": 10])
            #expect(byName.count() == ["Ada": 1, "Ben": 1, "Cleo": 2])
        }
        #expect(byName.sum(of: \.age) == ["Ada": 36, "Ben": 9, "Cleo": 46])
    }

    @Test func `nil is a key, and groups without a value have no mean`() throws {
        let scratch = try Scratch([AllOptionals.self])
        let realm = try scratch.realm()
        try realm.write {
            realm.create(AllOptionals.self, value: ["key": "a", "string": "x", "double": 1.5])
            realm.create(AllOptionals.self, value: ["key": "b", "string": "x", "double": 2.5])
            realm.create(AllOptionals.self, value: ["key": "c"])
        }
        let groups = realm.objects(AllOptionals.self).grouped(by: \.string)
        #expect(groups.count() == ["x": 2, nil: 1])
        #expect(groups.average(of: \.double) == ["x": 2])
        #expect(groups.sum(of: \.double) == ["x": 4, nil: 0])
    }

    @Test func `limits and offsets are pages`() throws {
        let scratch = try Scratch()
        let all = try people(scratch).objects(Person.self).sorted(by: ["name", "age"])
        #expect(all.limit(2).map(\.age) == [4, 36])
        #expect(all.offset(2).limit(2).map(\.age) == [7, 9])
        #expect(all.limit(3).offset(2).map(\.age) == [7])
        #expect(all.offset(5).limit(2).map(\.age) == [70])
        #expect(all.offset(9).isEmpty)
        #expect(all.limit(0).isEmpty)
        #expect(all.limit(3).count == 3)
        // What is filtered after a limit is filtered among those that it left.
        #expect(all.limit(3).filter("age < 10").map(\.age) == [4, 7])
    }
}
