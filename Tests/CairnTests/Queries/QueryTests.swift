import Cairn
import CairnPredicate
import Foundation
import Testing

/// What each operator of `Query` says, as predicate text.
@Suite struct QueryTests {
    @Test func `comparisons with values`() throws {
        try expect(AllTypes.self, "(int == %@)", [1]) { $0.int == 1 }
        try expect(AllTypes.self, "(int != %@)", [1]) { $0.int != 1 }
        try expect(AllTypes.self, "(int8 > %@)", [1]) { $0.int8 > 1 }
        try expect(AllTypes.self, "(int16 >= %@)", [1]) { $0.int16 >= 1 }
        try expect(AllTypes.self, "(int32 < %@)", [1]) { $0.int32 < 1 }
        try expect(AllTypes.self, "(int64 <= %@)", [1]) { $0.int64 <= 1 }
        try expect(AllTypes.self, "(float > %@)", [Float(1.5)]) { $0.float > 1.5 }
        try expect(AllTypes.self, "(double < %@)", [1.5]) { $0.double < 1.5 }
        try expect(AllTypes.self, "(string == %@)", ["a"]) { $0.string == "a" }
        try expect(AllTypes.self, "(string >= %@)", ["a"]) { $0.string >= "a" }
        try expect(AllTypes.self, "(bool == %@)", [false]) { $0.bool == false }
        let data = Data([1, 2])
        try expect(AllTypes.self, "(data != %@)", [data]) { $0.data != data }
        try expect(AllTypes.self, "(data < %@)", [data]) { $0.data < data }
        let date = Date(timeIntervalSinceReferenceDate: 0.25)
        try expect(AllTypes.self, "(date <= %@)", [date]) { $0.date <= date }
        let uuid = UUID()
        try expect(AllTypes.self, "(uuid == %@)", [uuid]) { $0.uuid == uuid }
        let id = ObjectId.generate()
        try expect(AllTypes.self, "(objectId != %@)", [id]) { $0.objectId != id }
        try expect(AllTypes.self, "(decimal > %@)", [Decimal128("1.5")]) { $0.decimal > 1.5 }
    }

    @Test func `optional properties compare with values and nil`() throws {
        try expect(AllOptionals.self, "(int == %@)", [NSNull()]) { $0.int == nil }
        try expect(AllOptionals.self, "(int != %@)", [NSNull()]) { $0.int != nil }
        try expect(AllOptionals.self, "(int > %@)", [3]) { $0.int > 3 }
        try expect(AllOptionals.self, "(string == %@)", ["a"]) { $0.string == "a" }
        try expect(AllOptionals.self, "(date == %@)", [NSNull()]) { $0.date == nil }
        try expect(AllOptionals.self, "(bool == %@)", [true]) { $0.bool == true }
        let some: Int? = 4
        try expect(AllOptionals.self, "(int <= %@)", [4]) { $0.int <= some }
    }

    @Test func `columns compare with columns`() throws {
        try expect(AllTypes.self, "(int == key)", []) { $0.int == $0.key }
        try expect(AllTypes.self, "(int != key)", []) { $0.int != $0.key }
        try expect(AllTypes.self, "(int < key)", []) { $0.int < $0.key }
        try expect(AllTypes.self, "(int <= key)", []) { $0.int <= $0.key }
        try expect(AllTypes.self, "(int > key)", []) { $0.int > $0.key }
        try expect(AllTypes.self, "(int >= key)", []) { $0.int >= $0.key }
        try expect(AllOptionals.self, "(string < key)", []) { $0.string < $0.key }
        try expect(AllOptionals.self, "(string CONTAINS[c] key)", []) {
            $0.string.contains($0.key, options: .caseInsensitive)
        }
        try expect(AllOptionals.self, "(string BEGINSWITH key)", []) { $0.string.starts(with: $0.key) }
        try expect(AllOptionals.self, "(string ENDSWITH key)", []) { $0.string.ends(with: $0.key) }
        try expect(AllOptionals.self, "(string ==[d] key)", []) {
            $0.string.equals($0.key, options: .diacriticInsensitive)
        }
        try expect(AllOptionals.self, "(string != key)", []) { $0.string.notEquals($0.key) }
        try expect(AllOptionals.self, "(string LIKE key)", []) { $0.string.like($0.key) }
        try expect(Person.self, "(dogs.@count > bestFriend.age)", []) { $0.dogs.count > $0.bestFriend.age }
    }

    @Test func `texts`() throws {
        try expect(Person.self, "(name CONTAINS %@)", ["a"]) { $0.name.contains("a") }
        try expect(Person.self, "(name CONTAINS[cd] %@)", ["a"]) {
            $0.name.contains("a", options: [.caseInsensitive, .diacriticInsensitive])
        }
        try expect(Person.self, "(name BEGINSWITH[c] %@)", ["a"]) {
            $0.name.starts(with: "a", options: .caseInsensitive)
        }
        try expect(Person.self, "(name ENDSWITH[d] %@)", ["a"]) {
            $0.name.ends(with: "a", options: .diacriticInsensitive)
        }
        try expect(Person.self, "(name ==[c] %@)", ["a"]) { $0.name.equals("a", options: .caseInsensitive) }
        try expect(Person.self, "(name !=[c] %@)", ["a"]) {
            $0.name.notEquals("a", options: .caseInsensitive)
        }
        try expect(Person.self, "(name LIKE %@)", ["a*"]) { $0.name.like("a*") }
        try expect(Person.self, "(name LIKE[c] %@)", ["a?"]) { $0.name.like("a?", caseInsensitive: true) }
        try expect(AllOptionals.self, "(string CONTAINS %@)", [NSNull()]) { $0.string.contains(nil) }
        try expect(AllTypes.self, "(data BEGINSWITH %@)", [Data([1])]) { $0.data.starts(with: Data([1])) }
    }

    @Test func `values in a sequence and in ranges`() throws {
        try expect(Person.self, "(age IN %@)", [[1, 2]]) { $0.age.in([1, 2]) }
        try expect(Person.self, "(age IN %@)", [[Int]()]) { $0.age.in(Set<Int>()) }
        try expect(AllOptionals.self, "(int IN %@)", [[1, NSNull()] as [Any]]) { $0.int.in([1, nil]) }
        let plain = ["a", "b"]
        try expect(AllOptionals.self, "(string IN %@)", [plain]) { $0.string.in(plain) }
        try expect(AllTypes.self, "(mood IN %@)", [[3, 7]]) { $0.mood.in([.calm, .wild]) }
        try expect(Person.self, "((age >= %@) && (age < %@))", [1, 5]) { $0.age.contains(1..<5) }
        try expect(Person.self, "(age BETWEEN {%@, %@})", [1, 5]) { $0.age.contains(1...5) }
        try expect(AllOptionals.self, "((int >= %@) && (int < %@))", [1, 5]) { $0.int.contains(1..<5) }
        try expect(AllOptionals.self, "(int BETWEEN {%@, %@})", [1, 5]) { $0.int.contains(1...5) }
        try expect(Person.self, "(ANY dogs.weight BETWEEN {%@, %@})", [1.0, 5.0]) {
            $0.dogs.weight.contains(1...5)
        }
    }

    /// `ANY dogs.weight >= 1 AND ANY dogs.weight < 5` would be true of a light dog and a heavy one.
    @Test func `a half-open range through a collection is about one element`() throws {
        try expect(
            Person.self,
            "(SUBQUERY(dogs, $col1, (($col1.weight >= %@) && ($col1.weight < %@))).@count > %@)",
            [1.0, 5.0, 0]
        ) { $0.dogs.weight.contains(1..<5) }
        try expect(
            Person.self,
            """
            (SUBQUERY(dogs, $col2, (SUBQUERY($col2.owners, $col1, (($col1.age >= %@) && ($col1.age < %@))).@count \
            > %@)).@count > %@)
            """, [1, 5, 0, 0]
        ) { $0.dogs.owners.age.contains(1..<5) }
    }

    @Test func `logic`() throws {
        try expect(Person.self, "((age == %@) && (name == %@))", [1, "a"]) { $0.age == 1 && $0.name == "a" }
        try expect(Person.self, "((age == %@) || (name == %@))", [1, "a"]) { $0.age == 1 || $0.name == "a" }
        try expect(Person.self, "((age == %@) && (age == %@) && (age == %@) && (age == %@))", [1, 2, 3, 4]) {
            ($0.age == 1 && $0.age == 2) && ($0.age == 3 && $0.age == 4)
        }
        try expect(Person.self, "((age == %@) || ((age == %@) && (age == %@)))", [1, 2, 3]) {
            $0.age == 1 || $0.age == 2 && $0.age == 3
        }
        try expect(Person.self, "NOT (age == %@)", [1]) { !($0.age == 1) }
        try expect(Person.self, "(age == %@)", [1]) { !(!($0.age == 1)) }
        try expect(Person.self, "NOT ((age == %@) || (age == %@))", [1, 2]) { !($0.age == 1 || $0.age == 2) }
        try expect(Person.self, "NOT (age BETWEEN {%@, %@})", [1, 5]) { !$0.age.contains(1...5) }
        try expect(Person.self, "NOT ((age >= %@) && (age < %@))", [1, 5]) { !$0.age.contains(1..<5) }
        try expect(Person.self, "NOT (ANY dogs.name == %@)", ["a"]) { !($0.dogs.name == "a") }
    }

    @Test func `a Bool property is a condition`() throws {
        try expect(AllTypes.self, "(bool == %@)", [true]) { $0.bool }
        try expect(AllTypes.self, "(bool == %@)", [false]) { !$0.bool }
        try expect(AllTypes.self, "((bool == %@) && (int == %@))", [true, 1]) { $0.bool && $0.int == 1 }
        try expect(AllTypes.self, "((int == %@) || (bool == %@))", [1, false]) { $0.int == 1 || !$0.bool }
        try expect(AllTypes.self, "(int == %@)", [1]) { ($0.int == 1) == true }
        try expect(AllTypes.self, "NOT (int == %@)", [1]) { ($0.int == 1) == false }
    }

    @Test func `paths through links and collections`() throws {
        try expect(Person.self, "(bestFriend.name == %@)", ["a"]) { $0.bestFriend.name == "a" }
        try expect(Person.self, "(bestFriend.bestFriend.age > %@)", [1]) { $0.bestFriend.bestFriend.age > 1 }
        try expect(Person.self, "(ANY dogs.name == %@)", ["a"]) { $0.dogs.name == "a" }
        try expect(Person.self, "(ANY bestFriend.dogs.name CONTAINS %@)", ["a"]) {
            $0.bestFriend.dogs.name.contains("a")
        }
        try expect(Person.self, "(ANY bestFriendOf.name IN %@)", [["a"]]) { $0.bestFriendOf.name.in(["a"]) }
        try expect(Dog.self, "(ANY owners.bestFriend.age > %@)", [1]) { $0.owners.bestFriend.age > 1 }
        try expect(Person.self, "(ANY dogs.owners.age > %@)", [1]) { $0.dogs.owners.age > 1 }
    }

    @Test func `objects`() throws {
        let friend = Person()
        let dogs = [Dog(), Dog()]
        try expect(Person.self, "(bestFriend == %@)", [friend]) { $0.bestFriend == friend }
        try expect(Person.self, "(bestFriend != %@)", [NSNull()]) { $0.bestFriend != nil }
        try expect(Person.self, "(bestFriend IN %@)", [[friend]]) { $0.bestFriend.in([friend]) }
        try expect(Person.self, "(ANY dogs == %@)", [dogs[0]]) { $0.dogs.contains(dogs[0]) }
        try expect(Person.self, "(ANY dogs IN %@)", [dogs]) { $0.dogs.containsAny(in: dogs) }
        try expect(
            Person.self, "((ANY dogs == %@) && (bestFriend == %@) && (ANY dogs != %@))",
            [dogs[0], friend, dogs[1]]
        ) { $0.dogs == dogs[0] && $0.bestFriend == friend && $0.dogs != dogs[1] }
    }

    @Test func `collections of values`() throws {
        try expect(AllLists.self, "(ANY ints == %@)", [1]) { $0.ints.contains(1) }
        try expect(AllLists.self, "(ANY ints == %@)", [1]) { $0.ints == 1 }
        try expect(AllLists.self, "(ANY ints != %@)", [1]) { $0.ints != 1 }
        try expect(AllLists.self, "(ANY ints > %@)", [1]) { $0.ints > 1 }
        try expect(AllLists.self, "(ANY ints >= %@)", [1]) { $0.ints >= 1 }
        try expect(AllLists.self, "(ANY doubles < %@)", [1.5]) { $0.doubles < 1.5 }
        try expect(AllLists.self, "(ANY dates <= %@)", [NSNull()]) { $0.dates <= nil }
        try expect(AllLists.self, "(ANY strings IN %@)", [["a"]]) { $0.strings.containsAny(in: ["a"]) }
        try expect(AllLists.self, "(ANY optionalStrings == %@)", [NSNull()]) {
            $0.optionalStrings.contains(nil)
        }
        try expect(AllLists.self, "(ints.@count == %@)", [1]) { $0.ints.count == 1 }
        try expect(AllLists.self, "(ints.@min == %@)", [1]) { $0.ints.min == 1 }
        try expect(AllLists.self, "(ints.@max > %@)", [1]) { $0.ints.max > 1 }
        try expect(AllLists.self, "(ints.@avg > %@)", [1]) { $0.ints.avg > 1 }
        try expect(AllLists.self, "(doubles.@sum > %@)", [1.0]) { $0.doubles.sum > 1 }
        try expect(AllLists.self, "((ints.@min >= %@) && (ints.@max < %@))", [1, 5]) {
            $0.ints.contains(1..<5)
        }
        try expect(AllLists.self, "((ints.@min >= %@) && (ints.@max <= %@))", [1, 5]) {
            $0.ints.contains(1...5)
        }
        try expect(AllLists.self, "((doubles.@min >= %@) && (doubles.@max <= %@))", [1.0, 5.0]) {
            $0.doubles.contains(1...5)
        }
    }

    @Test func `aggregates of the objects of a collection`() throws {
        try expect(Person.self, "(dogs.@count == %@)", [2]) { $0.dogs.count == 2 }
        try expect(Person.self, "(bestFriend.dogs.@count == %@)", [2]) { $0.bestFriend.dogs.count == 2 }
        try expect(Dog.self, "(owners.@sum.age > %@)", [2]) { $0.owners.age.sum > 2 }
        try expect(Dog.self, "(owners.@min.age > %@)", [2]) { $0.owners.age.min > 2 }
        try expect(Dog.self, "(owners.@max.bestFriend.age > %@)", [2]) { $0.owners.bestFriend.age.max > 2 }
        try expect(Person.self, "(bestFriend.dogs.@avg.weight == %@)", [NSNull()]) {
            $0.bestFriend.dogs.weight.avg == nil
        }
    }

    @Test func `enums`() throws {
        try expect(AllTypes.self, "(mood == %@)", [3]) { $0.mood == .calm }
        try expect(AllTypes.self, "(mood > %@)", [3]) { $0.mood > .calm }
        try expect(AllTypes.self, "(mood > %@)", [4]) { $0.mood.rawValue > 4 }
        try expect(AllTypes.self, "(colour BEGINSWITH %@)", ["r"]) { $0.colour.rawValue.starts(with: "r") }
        try expect(AllTypes.self, "(mood BETWEEN {%@, %@})", [3, 7]) { $0.mood.contains(.calm ... .wild) }
        try expect(AllOptionals.self, "(mood == %@)", [7]) { $0.mood == .wild }
        try expect(AllOptionals.self, "(mood == %@)", [NSNull()]) { $0.mood == nil }
        try expect(AllOptionals.self, "(mood == %@)", [5]) {
            $0.mood.rawValue == 5
        }
        try expect(AllLists.self, "(ANY moods == %@)", [3]) { $0.moods.contains(.calm) }
        try expect(AllLists.self, "(ANY moods == %@)", [5]) { $0.moods.rawValue == 5 }
        try expect(AllLists.self, "(ANY colours CONTAINS %@)", ["e"]) { $0.colours.rawValue.contains("e") }
    }

    @Test func `sub-queries`() throws {
        try expect(
            Person.self, "(SUBQUERY(dogs, $col1, (($col1.weight > %@) && ($col1.name == %@))).@count > %@)",
            [3.0, "Rex", 0]
        ) { ($0.dogs.weight > 3 && $0.dogs.name == "Rex").count > 0 }
        try expect(
            Person.self, "(SUBQUERY(bestFriend.dogs, $col1, NOT ($col1.name == %@)).@count == %@)",
            ["Rex", 2]
        ) { (!($0.bestFriend.dogs.name == "Rex")).count == 2 }
        try expect(
            Person.self,
            "(SUBQUERY(dogs, $col1, ((ANY $col1.owners.age > %@) && ($col1.name == %@))).@count >= %@)",
            [3, "a", 1]
        ) { ($0.dogs.owners.age > 3 && $0.dogs.name == "a").count >= 1 }
        try expect(
            Person.self,
            "(SUBQUERY(dogs, $col2, (SUBQUERY($col2.owners, $col1, ($col1.age > %@)).@count > %@)).@count == %@)",
            [3, 1, 2]
        ) { (($0.dogs.owners.age > 3).count > 1).count == 2 }
        let dog = Dog()
        try expect(Person.self, "(SUBQUERY(dogs, $col1, ($col1 == %@)).@count == %@)", [dog, 1]) {
            ($0.dogs.contains(dog)).count == 1
        }
        try expect(
            Person.self,
            "((SUBQUERY(dogs, $col1, ($col1 == %@)).@count == %@) && (ANY dogs == %@))", [dog, 1, dog]
        ) { ($0.dogs.contains(dog)).count == 1 && $0.dogs.contains(dog) }
        try expect(
            Person.self,
            "(SUBQUERY(dogs, $col1, (($col1.owners.@count > %@) && ($col1.name != %@))).@count == %@)",
            [1, "", 2]
        ) { ($0.dogs.owners.count > 1 && $0.dogs.name != "").count == 2 }
    }

    @Test func `mistakes are thrown where the query is used`() {
        struct Case {
            let query: Query<Bool>
            let words: String
        }
        let person = Query<Person>._constructForTesting()
        let dog = Query<Dog>._constructForTesting()
        let hound = Query<Hound>._constructForTesting()
        let cases = [
            Case(query: hound.notes == [], words: "does not lead to a stored property"),
            Case(query: (person.dogs.name == "a" && person.name == "b").count > 1, words: "one collection"),
            Case(query: (person.name == "b").count > 1, words: "one collection"),
            Case(query: person.age.max > 1, words: "@max is asked of a collection"),
            Case(query: person.dogs.owners.age.sum > 1, words: "goes through several"),
            Case(query: (person.age == 1) == (person.age == 2), words: "true or false"),
            Case(query: dog.owners.count == 1 && hound.notes == [], words: "does not lead"),
            Case(query: (hound.notes == []) || dog.owners.count == 1, words: "does not lead"),
        ]
        for one in cases {
            let error = #expect(throws: RealmError.self) { try StatedPredicate(one.query) }
            #expect(error?.code == .misuse)
            #expect(error?.message.contains(one.words) == true, "\(error?.message ?? "")")
        }
    }

    @Test func `the text of a query with a mistake traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = (Query<Person>._constructForTesting().age.max > 1)._constructPredicate()
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("@max is asked of a collection"))
    }

    @Test func `a query nested too deep is an error`() {
        let person = Query<Person>._constructForTesting()
        var query = person.age == 1
        for index in 0..<300 {
            query = index.isMultiple(of: 2) ? query || person.age == 2 : query && person.age == 3
        }
        let error = #expect(throws: RealmError.self) { try StatedPredicate(query) }
        #expect(error?.code == .invalidInput)
    }

    @Test func `a long chain is one node`() throws {
        let person = Query<Person>._constructForTesting()
        let query = (1..<1_000).reduce(person.age == 0) { $0 || person.age == $1 }
        guard case .or(let parts) = try StatedPredicate(query).condition else {
            Issue.record("not a chain")
            return
        }
        #expect(parts.count == 1_000)
    }

    /// A value with its type, in arrays too.
    private func shown(_ value: Any) -> String {
        if let array = value as? [Any] { return "\(array.map { shown($0) })" }
        if let object = value as? ObjectBase { return "\(ObjectIdentifier(object))" }
        return "\(type(of: value)) \(value)"
    }

    /// Checks the text and arguments of a query, and that they are read to the same tree again.
    private func expect<T: Object>(
        _ type: T.Type, _ text: String, _ arguments: [Any], sourceLocation: SourceLocation = #_sourceLocation,
        _ isIncluded: (Query<T>) -> Query<Bool>
    ) throws {
        let query = isIncluded(Query<T>._constructForTesting())
        let (constructed, values) = query._constructPredicate()
        #expect(constructed == text, sourceLocation: sourceLocation)
        #expect(values.map { shown($0) } == arguments.map { shown($0) }, sourceLocation: sourceLocation)
        let stated = try StatedPredicate(query)
        let again = try StatedPredicate(parsing: constructed, arguments: values)
        #expect(again.condition == stated.condition, sourceLocation: sourceLocation)
        #expect(again.objects.count == stated.objects.count, sourceLocation: sourceLocation)
        #expect(zip(again.objects, stated.objects).allSatisfy { $0 === $1 }, sourceLocation: sourceLocation)
        let predicate = NSPredicate(format: constructed, argumentArray: values)
        #expect(try StatedPredicate(predicate).condition == stated.condition, sourceLocation: sourceLocation)
    }
}
