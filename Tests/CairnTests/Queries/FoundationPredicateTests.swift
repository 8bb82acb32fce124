import Cairn
import CairnPredicate
import Foundation
import Testing

/// What Foundation's `#Predicate` comes to, as predicate text.
@Suite struct FoundationPredicateTests {
    @Test func `comparisons`() throws {
        try expect(#Predicate<Person> { $0.age == 3 }, "age == 3")
        try expect(#Predicate<Person> { $0.age != 3 }, "age != 3")
        try expect(#Predicate<Person> { $0.age > 3 }, "age > 3")
        try expect(#Predicate<Person> { $0.age >= 3 }, "age >= 3")
        try expect(#Predicate<Person> { 3 > $0.age }, "age < 3")
        try expect(#Predicate<Person> { 3 >= $0.age }, "age <= 3")
        try expect(#Predicate<Person> { $0.name < "x" }, "name < 'x'")
        try expect(#Predicate<AllTypes> { $0.int == $0.key }, "int == key")
        let wanted = Date(timeIntervalSinceReferenceDate: 5)
        try expect(#Predicate<AllTypes> { $0.date > wanted }, "date > date(5.0)")
        try expect(#Predicate<AllTypes> { $0.double <= 1.5 }, "double <= 1.5")
    }

    @Test func `logic`() throws {
        try expect(
            #Predicate<Person> { $0.age == 1 && $0.age == 2 && $0.age == 3 },
            "age == 1 AND age == 2 AND age == 3")
        try expect(
            #Predicate<Person> { $0.age == 1 || $0.age == 2 && $0.age == 3 },
            "age == 1 OR (age == 2 AND age == 3)")
        try expect(#Predicate<Person> { !($0.age == 1) }, "NOT age == 1")
        try expect(#Predicate<AllTypes> { $0.bool }, "bool == TRUE")
        try expect(#Predicate<AllTypes> { !$0.bool }, "NOT bool == TRUE")
        try expect(#Predicate<AllTypes> { $0.bool == false }, "bool == FALSE")
        try expect(#Predicate<Person> { _ in true }, "TRUEPREDICATE")
        try expect(#Predicate<Person> { ($0.age == 1) == false }, "NOT age == 1")
        try expect(
            #Predicate<AllTypes> { $0.bool ? $0.int == 1 : $0.int == 2 },
            "(bool == TRUE AND int == 1) OR (NOT bool == TRUE AND int == 2)")
        try expect(
            #Predicate<AllTypes> { row in if row.bool { return row.int == 1 } else { return false } },
            "(bool == TRUE AND int == 1) OR (NOT bool == TRUE AND FALSEPREDICATE)")
    }

    @Test func `optionals`() throws {
        try expect(#Predicate<AllOptionals> { $0.int == nil }, "int == NULL")
        try expect(#Predicate<AllOptionals> { $0.int != nil }, "int != NULL")
        try expect(#Predicate<AllOptionals> { $0.int == 3 }, "int == 3")
        try expect(#Predicate<Person> { $0.bestFriend == nil }, "bestFriend == NULL")
        try expect(#Predicate<Person> { $0.bestFriend?.name == "x" }, "bestFriend.name == 'x'")
        try expect(
            #Predicate<Person> { $0.bestFriend?.bestFriend?.name != "x" }, "bestFriend.bestFriend.name != 'x'"
        )
        try expect(#Predicate<Person> { $0.bestFriend!.age > 3 }, "bestFriend.age > 3")
        try expect(#Predicate<Person> { $0.bestFriend?.bestFriend == nil }, "bestFriend.bestFriend == NULL")
    }

    @Test func `values that take the place of nil`() throws {
        try expect(#Predicate<AllOptionals> { ($0.int ?? 0) > 3 }, "int != NULL AND int > 3")
        try expect(#Predicate<AllOptionals> { ($0.int ?? 5) > 3 }, "int == NULL OR int > 3")
        try expect(#Predicate<AllOptionals> { 3 >= ($0.int ?? 3) }, "int == NULL OR int <= 3")
        try expect(#Predicate<AllOptionals> { ($0.string ?? "b") < "a" }, "string != NULL AND string < 'a'")
        try expect(#Predicate<AllOptionals> { $0.bool ?? false }, "bool != NULL AND bool == TRUE")
        try expect(#Predicate<AllOptionals> { $0.bool ?? true }, "bool == NULL OR bool == TRUE")
        try expect(
            #Predicate<Person> { $0.bestFriend?.name.contains("x") ?? false },
            "bestFriend != NULL AND bestFriend.name CONTAINS 'x'")
        try expect(
            #Predicate<Person> { $0.bestFriend?.name.contains("x") ?? true },
            "bestFriend == NULL OR bestFriend.name CONTAINS 'x'")
        try expect(
            #Predicate<Person> { $0.bestFriend?.name.contains("x") == true },
            "bestFriend != NULL AND bestFriend.name CONTAINS 'x'")
        try expect(
            #Predicate<Person> { $0.bestFriend?.name.contains("x") == false },
            "bestFriend != NULL AND NOT bestFriend.name CONTAINS 'x'")
        try expect(
            #Predicate<Person> { $0.bestFriend?.name.contains("x") != true },
            "NOT (bestFriend != NULL AND bestFriend.name CONTAINS 'x')")
        try expect(
            #Predicate<Person> { $0.bestFriend.flatMap { $0.age != 3 } == true },
            "bestFriend != NULL AND bestFriend.age != 3")
        try expect(
            #Predicate<Person> { if let friend = $0.bestFriend { friend.age == 3 } else { false } },
            "bestFriend != NULL AND bestFriend.age == 3")
    }

    @Test func `texts`() throws {
        try expect(#Predicate<Person> { $0.name.contains("x") }, "name CONTAINS 'x'")
        try expect(#Predicate<Person> { $0.name.starts(with: "x") }, "name BEGINSWITH 'x'")
        try expect(#Predicate<Person> { $0.name.localizedStandardContains("x") }, "name CONTAINS[cd] 'x'")
        try expect(#Predicate<Person> { $0.name.isEmpty }, "name == ''")
        let nothing = ""
        try expect(#Predicate<Person> { $0.name.contains(nothing) }, "TRUEPREDICATE")
        try expect(#Predicate<Person> { $0.name.starts(with: nothing) }, "TRUEPREDICATE")
        try expect(
            #Predicate<Person> { $0.bestFriend?.name.localizedStandardContains("x") == true },
            "bestFriend != NULL AND bestFriend.name CONTAINS[cd] 'x'")
    }

    @Test func `localizedStandardContains can also be evaluated`() throws {
        let predicate = #Predicate<String> { $0.localizedStandardContains("RESUME") }
        #expect(try predicate.evaluate("my Résumé"))
        #expect(try !predicate.evaluate("my result"))
    }

    @Test func `members of sequences and ranges`() throws {
        let names = ["a", "b"]
        try expect(#Predicate<Person> { names.contains($0.name) }, "name IN {'a', 'b'}")
        try expect(#Predicate<Person> { [1, 2].contains($0.age) }, "age IN {1, 2}")
        try expect(#Predicate<AllLists> { $0.ints.contains(3) }, "ANY ints == 3")
        try expect(#Predicate<Person> { (1...5).contains($0.age) }, "age BETWEEN {1, 5}")
        try expect(#Predicate<Person> { (1..<5).contains($0.age) }, "age >= 1 AND age < 5")
        let range = 2..<4
        let closed = 2...4
        try expect(#Predicate<Person> { range.contains($0.age) }, "age >= 2 AND age < 4")
        try expect(#Predicate<Person> { closed.contains($0.age) }, "age BETWEEN {2, 4}")
        try expect(#Predicate<AllTypes> { ($0.int...$0.key).contains(3) }, "int <= 3 AND key >= 3")
    }

    @Test func `closures on the objects of a collection`() throws {
        try expect(
            #Predicate<Person> { $0.dogs.contains { $0.name == "x" } },
            "SUBQUERY(dogs, $v1, $v1.name == 'x').@count > 0")
        try expect(
            #Predicate<Person> { $0.dogs.allSatisfy { $0.name == "x" } },
            "SUBQUERY(dogs, $v1, NOT $v1.name == 'x').@count == 0")
        try expect(
            #Predicate<Person> { $0.dogs.filter { $0.name == "x" }.count > 2 },
            "SUBQUERY(dogs, $v1, $v1.name == 'x').@count > 2")
        try expect(
            #Predicate<Person> { $0.dogs.filter { $0.name == "x" }.isEmpty },
            "SUBQUERY(dogs, $v1, $v1.name == 'x').@count == 0")
        try expect(
            #Predicate<Person> { $0.dogs.filter { $0.name == "x" }.contains { $0.weight == 3 } },
            "SUBQUERY(dogs, $v1, $v1.name == 'x' AND $v1.weight == 3.0).@count > 0")
        try expect(
            #Predicate<Person> { $0.dogs.contains { $0.owners.contains { $0.age > 3 } } },
            "SUBQUERY(dogs, $v1, SUBQUERY($v1.owners, $v2, $v2.age > 3).@count > 0).@count > 0")
        try expect(
            #Predicate<Person> { $0.bestFriend?.dogs.contains { $0.name == "x" } == true },
            "bestFriend != NULL AND SUBQUERY(bestFriend.dogs, $v1, $v1.name == 'x').@count > 0")
        try expect(#Predicate<Person> { $0.dogs.count == 3 }, "dogs.@count == 3")
        try expect(#Predicate<Person> { $0.dogs.isEmpty }, "dogs.@count == 0")
        try expect(#Predicate<Person> { $0.bestFriendOf.count == 3 }, "bestFriendOf.@count == 3")
        try expect(#Predicate<Person> { !$0.bestFriendOf.isEmpty }, "NOT bestFriendOf.@count == 0")
    }

    @Test func `closures on the values of a list`() throws {
        try expect(#Predicate<AllLists> { $0.ints.contains { $0 > 3 } }, "ANY ints > 3")
        try expect(
            #Predicate<AllLists> { $0.ints.contains { $0 > 3 || $0 == 1 } }, "ANY ints > 3 OR ANY ints == 1")
        try expect(
            #Predicate<AllLists> { $0.strings.contains { $0.contains("x") } }, "ANY strings CONTAINS 'x'")
        try expect(#Predicate<AllLists> { $0.ints.allSatisfy { $0 > 3 } }, "NOT ANY ints <= 3")
        try expect(
            #Predicate<AllLists> { $0.ints.allSatisfy { $0 > 3 && $0 != 5 } },
            "NOT (ANY ints <= 3 OR ANY ints == 5)")
        try expect(#Predicate<AllLists> { $0.ints.max() == 3 }, "ints.@max == 3")
        try expect(#Predicate<AllLists> { $0.ints.min() == nil }, "ints.@min == NULL")
        try expect(#Predicate<AllLists> { $0.ints.count > 3 }, "ints.@count > 3")
    }

    @Test func `what cannot be said is refused by name`() {
        refuse(#Predicate<Person> { $0.age + 1 == 3 }, "because of Arithmetic")
        refuse(#Predicate<Person> { -$0.age == 3 }, "because of UnaryMinus")
        refuse(#Predicate<Person> { $0.name.count == 3 }, "a property of 'String'")
        refuse(#Predicate<Hound> { $0.notes.isEmpty }, "does not lead to a stored property")
        refuse(#Predicate<Person> { o in o.dogs.contains { $0.name == o.name } }, "the object outside")
        refuse(#Predicate<AllLists> { $0.ints.contains { $0 > 3 && $0 < 5 } }, "more than one comparison")
        refuse(#Predicate<AllLists> { $0.floats.allSatisfy { $0 > 3 } }, "allSatisfy on the values")
        refuse(#Predicate<Person> { $0.age % 2 == 0 }, "because of IntRemainder")
        refuse(#Predicate<AllLists> { $0.ints.starts(with: [1]) }, "starts(with:) of a 'List<Int>'")
    }

    // MARK: Checking

    private func expect<Element>(
        _ predicate: Predicate<Element>, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let stated = try StatedPredicate(predicate)
        #expect(stated.condition.description == text, sourceLocation: sourceLocation)
        // The tree is one that text can say: chains in one node, at least two parts.
        let printed = PredicateText(stated.condition)
        #expect(
            try PredicateParser.parse(printed.text, printed.arguments) == stated.condition,
            sourceLocation: sourceLocation)
    }

    private func refuse<Element>(
        _ predicate: Predicate<Element>, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: RealmError.self, sourceLocation: sourceLocation) {
            try StatedPredicate(predicate)
        }
        #expect(error?.code == .misuse, sourceLocation: sourceLocation)
        #expect(
            error?.message.contains(words) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }
}
