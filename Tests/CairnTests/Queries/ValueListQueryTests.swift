import Cairn
import Foundation
import TestSupport
import Testing

/// Lists of values of every type are asked for each of their values.
@Suite struct ValueListQueryTests {
    @Test func `every value of every type is found in its list`() throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let (lists, empty) = (AllLists(), AllLists())
        (lists.key, empty.key) = (UUID(), UUID())
        lists.fill(13)
        try realm.write {
            realm.add([lists, empty])
            try check(lists)
        }
        try check(lists)
        try check(lists.freeze())
    }

    private func check(_ all: AllLists) throws {
        try check(all.ints, "ints", all) { $0 == $1 }
        try check(all.int8s, "int8s", all) { $0 == $1 }
        try check(all.int16s, "int16s", all) { $0 == $1 }
        try check(all.int32s, "int32s", all) { $0 == $1 }
        try check(all.int64s, "int64s", all) { $0 == $1 }
        try check(all.bools, "bools", all) { $0 == $1 }
        try check(all.optionalBools, "optionalBools", all) { $0 == $1 }
        try check(all.floats, "floats", all) { $0 == $1 }
        try check(all.doubles, "doubles", all) { $0 == $1 }
        try check(all.strings, "strings", all) { $0.utf8.elementsEqual($1.utf8) }
        try check(all.optionalStrings, "optionalStrings", all) { $0 == $1 }
        try check(all.datas, "datas", all) { $0 == $1 }
        try check(all.dates, "dates", all) { $0 == $1 }
        try check(all.uuids, "uuids", all) { $0 == $1 }
        try check(all.objectIds, "objectIds", all) { $0 == $1 }
        try check(all.decimals, "decimals", all) { $0 == $1 }
        try check(all.moods, "moods", all) { $0 == $1 }
        try check(all.colours, "colours", all) { $0 == $1 }
    }

    private func check<Value>(
        _ list: List<Value>, _ name: String, _ owner: AllLists, _ areEqual: (Value, Value) -> Bool
    ) throws {
        let values = Array(list)
        let owners = try #require(owner.realm).objects(AllLists.self)
        for value in values {
            let expected = values.filter { areEqual($0, value) }
            let found = list.filter("SELF == %@", value)
            #expect(found.count == expected.count, "\(name) \(value)")
            #expect(zip(found, expected).allSatisfy { areEqual($0, $1) }, "\(name) \(value)")
            #expect(
                list.filter("SELF != %@", value).count == values.count - expected.count, "\(name) \(value)")
            #expect(list.filter("SELF IN %@", [value]).count == expected.count, "\(name) \(value)")
            let place = values.firstIndex { areEqual($0, value) }
            #expect(list.index(matching: "SELF == %@", value) == place, "\(name) \(value)")
            #expect(owners.filter("ANY \(name) == %@", value).map(\.key) == [owner.key], "\(name) \(value)")
            #expect(owners.filter("%@ IN \(name)", value).count == 1, "\(name) \(value)")
        }
        #expect(owners.filter("\(name).@count == 13").count == 1, "\(name)")
        #expect(owners.filter("\(name).@count == 0").count == 1, "\(name)")
    }
}
