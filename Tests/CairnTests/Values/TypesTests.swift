import Cairn
import Foundation
import Testing

/// Every type a property may have, in every state an object may be in.
struct TypesTests {
    private static let sampleCount = 24

    @Test func `unmanaged objects keep what they are given`() {
        for index in 0..<Self.sampleCount {
            let object = AllTypes()
            object.fill(index)
            let other = AllTypes()
            other.fill(index)
            #expect(object.values == other.values)
        }
    }

    @Test func `values of every type are stored, read, frozen and read again after the file was closed`()
        throws
    {
        let scratch = try Scratch([AllTypes.self])
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write {
                for index in 0..<Self.sampleCount {
                    let object = AllTypes()
                    object.key = index
                    object.fill(index)
                    realm.add(object)
                    check(object, index)
                }
            }
            checkAll(realm)
            checkAll(realm.freeze())
        }
        checkAll(try scratch.realm())
        try scratch.verify()
    }

    private func checkAll(_ realm: Realm) {
        #expect(realm.objects(AllTypes.self).count == Self.sampleCount)
        for index in 0..<Self.sampleCount {
            let object = realm.object(ofType: AllTypes.self, forPrimaryKey: index)
            #expect(object != nil)
            if let object { check(object, index) }
        }
    }

    private func check(_ object: AllTypes, _ index: Int) {
        let expected = AllTypes()
        expected.fill(index)
        #expect(object.key == index)
        #expect(object.values == expected.values)
    }

    @Test func `a managed object takes every value that an unmanaged one takes`() throws {
        let scratch = try Scratch([AllTypes.self, AllOptionals.self])
        let realm = try scratch.realm()
        let object = AllTypes()
        let optionals = AllOptionals()
        try realm.write { realm.add([object as Object, optionals]) }
        for index in 0..<Self.sampleCount {
            try realm.write {
                object.fill(index)
                optionals.fill(index)
                // Inside the write already.
                checkSet(object, optionals, index)
            }
            checkSet(object, optionals, index)
            checkSet(object.freeze(), optionals.freeze(), index)
        }
        try scratch.verify()
    }

    private func checkSet(_ object: AllTypes, _ optionals: AllOptionals, _ index: Int) {
        let expected = AllTypes()
        expected.fill(index)
        #expect(object.values == expected.values)
        let expectedOptionals = AllOptionals()
        expectedOptionals.fill(index)
        #expect(optionals.values == expectedOptionals.values)
    }

    @Test func `optional values of every type are stored, nil among them`() throws {
        let scratch = try Scratch([AllOptionals.self])
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write {
                for index in 0..<Self.sampleCount {
                    let object = AllOptionals()
                    object.key = index == 0 ? nil : "key \(index)"
                    object.fill(index)
                    object.link = realm.objects(AllOptionals.self).first
                    realm.add(object)
                }
            }
        }
        let realm = try scratch.realm()
        for world in [realm, realm.freeze()] {
            for index in 0..<Self.sampleCount {
                let key: String? = index == 0 ? nil : "key \(index)"
                let object = try #require(world.object(ofType: AllOptionals.self, forPrimaryKey: key))
                let expected = AllOptionals()
                expected.fill(index)
                #expect(object.values == expected.values)
                #expect((object.link == nil) == (index == 0))
                #expect(object.link?.key == nil)
            }
        }
        try scratch.verify()
    }

    @Test(arguments: [0, 1, 5, 200, 3_000])
    func `lists of every type are stored`(count: Int) throws {
        let scratch = try Scratch([AllLists.self])
        let expected = AllLists()
        expected.fill(count)
        try autoreleasing {
            let realm = try scratch.realm()
            let object = AllLists()
            object.fill(count)
            object.objects.append(object)
            try realm.write { realm.add(object) }
            #expect(object.values == expected.values)
        }
        let realm = try scratch.realm()
        for world in [realm, realm.freeze()] {
            let object = try #require(world.objects(AllLists.self).first)
            #expect(object.values == expected.values)
            #expect(object.objects.count == 1)
            #expect(object.objects.first?.key == object.key)
        }
        try scratch.verify()
    }

    @Test func `a managed list takes every value that an unmanaged one takes`() throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let object = AllLists()
        try realm.write { realm.add(object) }
        let expected = AllLists()
        for _ in 0..<3 {
            expected.fill(40)
            try realm.write { object.fill(40) }
            #expect(object.values == expected.values)
        }
        try scratch.verify()
    }

    @Test func `properties without a declared default have that of their type`() throws {
        let before = Date()
        let object = AllTypes()
        #expect(object.int == 0 && !object.bool && object.double == 0 && object.string.isEmpty)
        #expect(object.data.isEmpty && object.decimal == 0)
        #expect(object.mood == .calm && object.colour == .red)
        #expect(object.date >= before && object.date <= Date())
        // Made once, not at each read.
        #expect(
            object.uuid == object.uuid && object.objectId == object.objectId && object.date == object.date)
        #expect(AllTypes().uuid != AllTypes().uuid)
        #expect(AllOptionals().values.allSatisfy { $0 == nil })
        // What was read as the default is what is stored.
        let scratch = try Scratch([AllTypes.self])
        let realm = try scratch.realm()
        let uuid = object.uuid
        try realm.write { realm.add(object) }
        #expect(object.uuid == uuid)
    }

    @Test func `strings are equal by their bytes, canonical equivalence does not count`() throws {
        let scratch = try Scratch([AllOptionals.self])
        let realm = try scratch.realm()
        let keys = ["é", "e\u{301}", "a", "A", "a ", "a\0", ""]
        try realm.write {
            for key in keys { realm.create(AllOptionals.self, value: ["key": key]) }
        }
        #expect(realm.objects(AllOptionals.self).count == keys.count)
        for key in keys {
            let found = realm.object(ofType: AllOptionals.self, forPrimaryKey: key)
            #expect(found.map { Array(($0.key ?? "?").utf8) } == Array(key.utf8))
        }
        #expect(realm.object(ofType: AllOptionals.self, forPrimaryKey: String?.none) == nil)
        try scratch.verify()
    }

    @Test(arguments: [510, 511, 512, 600, 70_000])
    func `keys longer than LMDB's own are told apart by their last byte`(length: Int) throws {
        let scratch = try Scratch([AllOptionals.self, Person.self, Dog.self])
        let realm = try scratch.realm()
        let stem = String(repeating: "k", count: length - 1)
        try realm.write {
            for end in ["a", "b"] {
                realm.create(AllOptionals.self, value: ["key": stem + end, "string": end])
                realm.create(Person.self, value: ["name": stem + end])
            }
        }
        #expect(realm.object(ofType: AllOptionals.self, forPrimaryKey: stem + "a")?.string == "a")
        #expect(realm.object(ofType: AllOptionals.self, forPrimaryKey: stem + "b")?.string == "b")
        #expect(realm.object(ofType: AllOptionals.self, forPrimaryKey: stem + "c") == nil)
        try scratch.verify()
    }

    @Test func `data that is nil, empty or one byte stays so while other objects are deleted`() throws {
        let scratch = try Scratch([AllOptionals.self])
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write {
                for index in 0..<9 { realm.create(AllOptionals.self, value: ["key": "other \(index)"]) }
                realm.create(AllOptionals.self, value: ["key": "nil"])
                realm.create(AllOptionals.self, value: ["key": "empty", "data": Data()])
                realm.create(AllOptionals.self, value: ["key": "byte", "data": Data([1])])
            }
            try realm.write {
                let others = realm.objects(AllOptionals.self).filter { $0.key?.hasPrefix("other") ?? false }
                realm.delete(Array(others))
            }
        }
        let realm = try scratch.realm()
        #expect(realm.objects(AllOptionals.self).map { $0.data } == [nil, Data(), Data([1])])
        try scratch.verify()
    }

    @Test func `an integer that another program stored too wide reads clamped`() throws {
        let scratch = try Scratch([WideNumber.self])
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write { realm.create(WideNumber.self, value: ["number": 1_000_000]) }
        }
        let narrow = Realm.Configuration(fileURL: scratch.url(), objectTypes: [Narrow.WideNumber.self])
        let realm = try Realm(configuration: narrow)
        let object = try #require(realm.objects(Narrow.WideNumber.self).first)
        #expect(object.number == Int8.max)
    }

    @Test func `an unknown raw value reads as the first case, or nil where that may be`() throws {
        let scratch = try Scratch([Raw.Moody.self])
        try autoreleasing {
            let realm = try scratch.realm()
            try realm.write { realm.create(Raw.Moody.self, value: ["mood": 99, "other": 99]) }
        }
        let moody = Realm.Configuration(fileURL: scratch.url(), objectTypes: [Moody.self])
        let realm = try Realm(configuration: moody)
        let object = try #require(realm.objects(Moody.self).first)
        #expect(object.mood == .calm)
        #expect(object.other == nil)
        try realm.write { object.mood = .wild }
        #expect(object.mood == .wild)
    }
}

final class WideNumber: Object {
    @Persisted var number: Int
}

/// Another version of the class above.
enum Narrow {
    final class WideNumber: Object {
        @Persisted var number: Int8
    }
}

final class Moody: Object {
    @Persisted var mood: Mood
    @Persisted var other: Mood?
}

enum Raw {
    final class Moody: Object {
        @Persisted var mood: Int
        @Persisted var other: Int?
    }
}
