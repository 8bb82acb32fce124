import Cairn
import Foundation
import Testing

/// Properties whose names mean something in a predicate, or are no names there.
final class OddlyNamed: Object {
    @Persisted var `in`: Int
    @Persisted var sort: Int
    @Persisted var limit: Int
    @Persisted var distinct: Int
    @Persisted var desc: Int
    @Persisted var and: Int
    @Persisted var between: Int
    @Persisted var any: Int
    @Persisted var contains: Int
    @Persisted var count: Int
    @Persisted var truepredicate: Int
    @Persisted var größe: Int
    @Persisted var `two words`: Int
    @Persisted var `🚀`: Int
    @Persisted(indexed: true) var firstName: String
    @Persisted var other: OddlyNamed?

    override class func propertiesMapping() -> [String: String] {
        ["firstName": "first_name"]
    }
}

/// Each of two properties is stored under the name of the other.
final class Swapped: Object {
    @Persisted var number: Int
    @Persisted var date: Date

    override class func propertiesMapping() -> [String: String] { ["number": "date", "date": "number"] }
}

@Suite struct OddNameTests {
    private func realm(_ scratch: Scratch) throws -> Realm {
        let realm = try scratch.realm()
        try realm.write {
            for number in [2, 1] {
                let object = OddlyNamed()
                for property in Self.numbers { object[property] = number }
                object.firstName = "n\(number)"
                realm.add(object)
                object.other = object
            }
        }
        return realm
    }

    private static let numbers = [
        "in", "sort", "limit", "distinct", "desc", "and", "between", "any", "contains", "count",
        "truepredicate", "größe", "two words", "🚀",
    ]

    @Test(arguments: numbers) func `a property of any name is filtered, sorted and calculated with`(
        _ name: String
    ) throws {
        let scratch = try Scratch([OddlyNamed.self])
        let all = try realm(scratch).objects(OddlyNamed.self)
        #expect(all.filter("%K == 1", name).map(\.firstName) == ["n1"])
        #expect(all.filter("other.%K == 1", name).map(\.firstName) == ["n1"])
        #expect(all.filter("%K == %K", name, "other.\(name)").count == 2)
        if !name.contains(" ") {
            #expect(all.filter("#\(name) == 1").map(\.firstName) == ["n1"])
            #expect(all.filter("other.\(name) == 1").map(\.firstName) == ["n1"])
        }
        #expect(all.sorted(byKeyPath: name).map(\.firstName) == ["n1", "n2"])
        #expect(all.sorted(byKeyPath: "other.\(name)").map(\.firstName) == ["n1", "n2"])
        #expect(all.distinct(by: [name]).count == 2)
        #expect(all.sum(ofProperty: name) == 3)
        #expect(all.max(ofProperty: name) == 2)
    }

    @Test func `where and key paths reach such properties`() throws {
        let scratch = try Scratch([OddlyNamed.self])
        let all = try realm(scratch).objects(OddlyNamed.self)
        #expect(all.where { $0.sort == 1 && $0.desc == 1 && $0.größe == 1 }.map(\.firstName) == ["n1"])
        #expect(all.where { $0.`two words` == 1 }.map(\.firstName) == ["n1"])
        #expect(all.where { $0.`🚀` < 2 && $0.other.and == 1 }.map(\.firstName) == ["n1"])
        #expect(all.filter(#Predicate { $0.limit == 1 && $0.desc == 1 }).map(\.firstName) == ["n1"])
        #expect(all.sorted(by: \.in).map(\.firstName) == ["n1", "n2"])
        #expect(all.sum(of: \.distinct) == 3)
    }

    @Test func `a name that needs a sign is refused with the way to write it`() throws {
        let scratch = try Scratch([OddlyNamed.self])
        let all = try realm(scratch).objects(OddlyNamed.self)
        let error = #expect(throws: RealmError.self) { try all.filtered("in == 1") }
        #expect(error?.message.contains("is written with # before it") == true, "\(error?.message ?? "")")
    }

    @Test func `a mapped property goes by both of its names`() throws {
        let scratch = try Scratch([OddlyNamed.self])
        let all = try realm(scratch).objects(OddlyNamed.self)
        for name in ["firstName", "first_name"] {
            #expect(all.filter("\(name) == 'n1'").count == 1)
            #expect(all.filter("other.\(name) == 'n1'").count == 1)
            #expect(all.sorted(byKeyPath: name).map(\.in) == [1, 2])
            #expect(all.distinct(by: [name]).count == 2)
            #expect(all.index(matching: "\(name) == 'n1'") == 1)
        }
        #expect(all.where { $0.firstName == "n1" }.count == 1)
        #expect(all.filter(#Predicate { $0.firstName == "n1" }).count == 1)
        #expect(all.grouped(by: \.firstName).count() == ["n1": 1, "n2": 1])
        #expect(all.sectioned(by: \.firstName).allKeys == ["n1", "n2"])
    }

    /// The type came of the first property with either name, the value of the other property.
    @Test func `the smallest date was none where another property is stored under its name`() throws {
        let scratch = try Scratch([Swapped.self])
        let realm = try scratch.realm()
        let date = Date(timeIntervalSince1970: 9)
        try realm.write { realm.create(Swapped.self, value: ["number": 4, "date": date]) }
        let all = realm.objects(Swapped.self)
        #expect(all.min(of: \.date) == date)
        #expect(all.max(ofProperty: "date") as Date? == date)
        #expect(all.sum(of: \.number) == 4)
        #expect(all.average(ofProperty: "number") == 4.0)
        #expect(all.filter("number == 4 AND date == %@", date).count == 1)
        #expect(all.where { $0.number == 4 && $0.date == date }.count == 1)
        #expect(all.grouped(by: \.number).max(of: \.date) == [4: date])
    }
}
