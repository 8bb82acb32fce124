import Cairn
import Foundation
import TestSupport
import Testing

/// Smallest, largest, sum and mean of every type of number, and of what is no number.
@Suite struct CalculationCaseTests {
    @Test func `every type of number is calculated with, and nil is left out`() throws {
        let scratch = try Scratch([AllOptionals.self])
        let realm = try scratch.realm()
        try realm.write {
            for (key, value) in [("a", -2 as Int?), ("b", nil), ("c", -5), ("d", nil)] {
                let row = AllOptionals()
                row.key = key
                row.int = value
                row.int8 = value.map { Int8($0) }
                row.int16 = value.map { Int16($0) }
                row.int32 = value.map { Int32($0) }
                row.int64 = value.map { Int64($0) }
                row.float = value.map { Float($0) - 0.5 }
                row.double = value.map { Double($0) - 0.5 }
                row.decimal = value.map { Decimal128(value: $0) }
                row.date = value.map { Date(timeIntervalSince1970: Double($0)) }
                realm.add(row)
            }
            // The same inside of the write, by way of the uncommitted rows.
            check(realm.objects(AllOptionals.self))
        }
        let rows = realm.objects(AllOptionals.self)
        check(rows)
        check(rows.filter("key != 'zz'"))
        check(rows.sorted(byKeyPath: "double").limit(4))
        check(rows.distinct(by: ["key"]))
        check(rows.freeze())
        try scratch.verify()
    }

    private func check(_ rows: Results<AllOptionals>) {
        #expect(rows.min(of: \.int) == .some(-5))
        #expect(rows.max(of: \.int8) == .some(-2))
        #expect(rows.sum(of: \.int16) == -7)
        #expect(rows.sum(of: \.int32) == -7)
        #expect(rows.max(of: \.int32) == .some(-2))
        #expect(rows.min(of: \.int64) == .some(-5))
        #expect(rows.average(ofProperty: "int") == -3.5)
        #expect(rows.average(ofProperty: "int8") == -3.5)
        #expect(rows.average(ofProperty: "int64") == -3.5)
        #expect(rows.min(of: \.float) == .some(-5.5))
        #expect(rows.sum(of: \.float) == -8)
        #expect(rows.average(ofProperty: "float") == Float(-4))
        #expect(rows.max(of: \.double) == .some(-2.5))
        #expect(rows.sum(of: \.double) == -8)
        #expect(rows.average(of: \.double) == .some(-4))
        #expect(rows.min(of: \.decimal) == .some(-5))
        #expect(rows.max(of: \.decimal) == .some(-2))
        #expect(rows.sum(of: \.decimal) == -7)
        #expect(rows.average(ofProperty: "decimal") == Decimal128("-3.5"))
        #expect(rows.min(of: \.date) == .some(Date(timeIntervalSince1970: -5)))
        #expect(rows.max(of: \.date) == .some(Date(timeIntervalSince1970: -2)))
    }

    @Test(arguments: [[], [nil, nil]] as [[Double?]])
    func `of no value the sum is zero and everything else nothing`(_ values: [Double?]) throws {
        let scratch = try Scratch([AllOptionals.self, AllLists.self])
        let realm = try scratch.realm()
        let lists = AllLists()
        try realm.write {
            realm.add(lists)
            for (place, value) in values.enumerated() {
                let row = AllOptionals()
                row.key = "\(place)"
                row.double = value
                realm.add(row)
                lists.doubles.append(value)
            }
        }
        let rows = realm.objects(AllOptionals.self)
        #expect(rows.sum(ofProperty: "double") == 0.0)
        #expect(rows.sum(ofProperty: "int") == 0)
        #expect(rows.sum(of: \.decimal) == 0)
        #expect(rows.sum(of: \.float) == 0)
        #expect(rows.average(ofProperty: "double") as Double? == nil)
        #expect(rows.average(ofProperty: "decimal") as Decimal128? == nil)
        #expect(rows.min(ofProperty: "double") as Double? == nil)
        #expect(rows.max(ofProperty: "date") as Date? == nil)
        #expect(lists.doubles.sum() == 0)
        #expect(lists.doubles.average() as Double? == nil)
        #expect(lists.doubles.min() == nil)
        #expect(lists.decimals.sum() == 0)
        let all = realm.objects(AllLists.self)
        for format in [
            "doubles.@sum == 0", "doubles.@avg == nil", "doubles.@min == nil", "doubles.@max == nil",
            "ints.@sum == 0",
        ] {
            #expect(all.filter(format).count == 1, "\(format)")
        }
    }

    @Test func `lists are calculated with, and what is filtered of them`() throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let lists = AllLists()
        lists.doubles.append(objectsIn: [nil, -2.1, -5, .nan])
        lists.ints.append(objectsIn: [3, -4, 9])
        lists.floats.append(objectsIn: [1.5, 2.5])
        lists.int8s.append(objectsIn: [nil, 100, 100])
        lists.dates.append(objectsIn: [nil, Date(timeIntervalSince1970: 5), Date(timeIntervalSince1970: 1)])
        lists.decimals.append(objectsIn: [nil, "1.10", "2.20"])
        // Unmanaged, then managed.
        for isManaged in [false, true] {
            if isManaged { try realm.write { realm.add(lists) } }
            #expect(abs((lists.doubles.sum() ?? 0) - -7.1) < 1e-12, "\(isManaged)")
            #expect(lists.doubles.min() == -5, "\(isManaged)")
            #expect(lists.doubles.max() == -2.1, "\(isManaged)")
            #expect(lists.doubles.average() == -3.55, "\(isManaged)")
            #expect(lists.ints.sum() == 8, "\(isManaged)")
            #expect(lists.ints.average() == 8.0 / 3, "\(isManaged)")
            #expect(lists.ints.min() == -4, "\(isManaged)")
            #expect(lists.floats.sum() == 4, "\(isManaged)")
            #expect(lists.floats.average() == 2.0, "\(isManaged)")
            #expect(lists.floats.max() == 2.5, "\(isManaged)")
            #expect(lists.dates.min() == Date(timeIntervalSince1970: 1), "\(isManaged)")
            #expect(lists.dates.max() == Date(timeIntervalSince1970: 5), "\(isManaged)")
            #expect(lists.decimals.sum() == "3.30", "\(isManaged)")
            #expect(lists.decimals.average() == Decimal128("1.65"), "\(isManaged)")
            #expect(lists.int8s.average() == 100.0, "\(isManaged)")
        }
        #expect(lists.ints.filter("SELF > 0").sum() == 12)
        #expect(lists.ints.sorted().limit(2).max() == 3)
        #expect(lists.doubles.distinct().min() == -5)
        #expect(lists.ints.freeze().sum() == 8)
    }

    /// Of a sum of Int8 that has no room in one nothing was left: nil, or zero where it could not be nil.
    @Test func `a sum without room in its type was zero`() throws {
        let scratch = try Scratch([AllLists.self])
        let realm = try scratch.realm()
        let lists = AllLists()
        lists.ints.append(objectsIn: [.max, 1])
        lists.int8s.append(objectsIn: [100, 100])
        lists.int16s.append(objectsIn: [.min, .min])
        lists.floats.append(objectsIn: [3e38, 3e38])
        for isManaged in [false, true] {
            if isManaged { try realm.write { realm.add(lists) } }
            #expect(lists.ints.sum() == .max)
            #expect(lists.int8s.sum() == .some(Int8.max), "\(isManaged)")
            #expect(lists.int16s.sum() == .min, "\(isManaged)")
            #expect(lists.floats.sum() == .infinity, "\(isManaged)")
        }
    }

    @Test func `what cannot be calculated dooms the write`() throws {
        let scratch = try Scratch([AllOptionals.self, Person.self, Dog.self])
        let realm = try scratch.realm()
        try realm.write { realm.create(AllOptionals.self, value: ["key": "a"]) }
        let rows = realm.objects(AllOptionals.self)
        let date = try mistake(in: realm) { _ = rows.sum(ofProperty: "date") as Double }
        #expect(
            date.message.contains("The sum of 'AllOptionals.date' cannot be calculated"), "\(date.message)")
        let mean = try mistake(in: realm) { _ = rows.average(ofProperty: "date") as Double? }
        #expect(mean.message.contains("The average of 'AllOptionals.date'"), "\(mean.message)")
        let text = try mistake(in: realm) { _ = rows.min(ofProperty: "string") as Int? }
        #expect(text.message.contains("AllOptionals.string"), "\(text.message)")
        let link = try mistake(in: realm) { _ = rows.sum(ofProperty: "link.int") as Int }
        #expect(link.message.contains("by way of a link"), "\(link.message)")
        let alone = try mistake(in: realm) { _ = rows.max(ofProperty: "link") as Int? }
        #expect(alone.message.contains("link"), "\(alone.message)")
        let list = try mistake(in: realm) {
            _ = realm.objects(Person.self).sum(ofProperty: "dogs.weight") as Double
        }
        #expect(list.message.contains("dogs"), "\(list.message)")
        let unknown = try mistake(in: realm) { _ = rows.sum(ofProperty: "dubble") as Double }
        #expect(unknown.message.contains("double"), "\(unknown.message)")
    }
}
