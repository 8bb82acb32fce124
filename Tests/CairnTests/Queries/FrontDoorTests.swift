import Cairn
import Foundation
import TestSupport
import Testing

/// The doors beside text, up to what is found.
@Suite struct FrontDoorTests {
    /// People with dogs and friends, of few different values, nil among them.
    static func fill(_ realm: Realm, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let names = ["", "Ann", "ann", "Bob", "Änn", "Carla"]
        let dogs = (0..<12).map { _ in
            let dog = Dog()
            dog.name = names.randomElement(using: &random) ?? ""
            dog.weight = Bool.random(using: &random) ? nil : Double(Int.random(in: 0..<4, using: &random))
            return dog
        }
        let people = (0..<60).map { _ in
            let person = Person()
            person.name = names.randomElement(using: &random) ?? ""
            person.age = Int.random(in: 0..<5, using: &random)
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                if let dog = dogs.randomElement(using: &random) { person.dogs.append(dog) }
            }
            return person
        }
        for person in people where Bool.random(using: &random) {
            person.bestFriend = people.randomElement(using: &random)
        }
        try realm.write { realm.add(people) }
    }

    @Test(arguments: [1, 2, UInt64.random(in: 0...UInt64(UInt32.max))])
    func `what #Predicate finds is what Foundation finds`(seed: UInt64) throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try Self.fill(realm, seed: seed)
        let people = realm.objects(Person.self)
        let names = ["Ann", "Bob"]
        let ages = 1..<3
        let predicates: [Predicate<Person>] = [
            #Predicate { $0.age == 3 }, #Predicate { $0.age != 3 }, #Predicate { 2 <= $0.age },
            #Predicate { $0.age > 1 && $0.name == "Ann" }, #Predicate { $0.age > 1 || $0.name == "Ann" },
            #Predicate { !($0.age > 1 && $0.name != "Ann") }, #Predicate { _ in true },
            #Predicate { $0.bestFriend == nil }, #Predicate { $0.bestFriend != nil },
            #Predicate { $0.bestFriend?.name == "Ann" }, #Predicate { $0.bestFriend?.name != "Ann" },
            #Predicate { !($0.bestFriend?.name == "Ann") }, #Predicate { $0.bestFriend?.name == nil },
            #Predicate { $0.bestFriend?.bestFriend?.age == 2 },
            #Predicate { $0.bestFriend?.bestFriend?.age != 2 },
            #Predicate { $0.bestFriend?.bestFriend == nil },
            #Predicate { ($0.bestFriend?.age ?? 3) > 2 }, #Predicate { ($0.bestFriend?.age ?? 1) > 2 },
            #Predicate { $0.bestFriend?.name.contains("n") ?? false },
            #Predicate { $0.bestFriend?.name.contains("n") ?? true },
            #Predicate { $0.bestFriend?.name.contains("n") == false },
            #Predicate { $0.bestFriend?.name.contains("n") != true },
            #Predicate { $0.name.contains("nn") }, #Predicate { $0.name.starts(with: "A") },
            #Predicate { $0.name.contains("") }, #Predicate { $0.name.isEmpty },
            #Predicate { $0.name.localizedStandardContains("ANN") }, #Predicate { names.contains($0.name) },
            #Predicate { ages.contains($0.age) }, #Predicate { (1...3).contains($0.age) },
            #Predicate { $0.dogs.isEmpty }, #Predicate { $0.dogs.count > 1 },
            #Predicate { $0.bestFriendOf.count == 1 }, #Predicate { !$0.bestFriendOf.isEmpty },
            #Predicate { $0.dogs.contains { $0.name == "Ann" } },
            #Predicate { $0.dogs.contains { $0.weight == nil && $0.name == "Ann" } },
            #Predicate { $0.dogs.allSatisfy { $0.weight != nil } },
            #Predicate { $0.dogs.allSatisfy { ($0.weight ?? 9) > 1 } },
            #Predicate { !$0.dogs.allSatisfy { $0.name == "Bob" } },
            #Predicate { $0.dogs.filter { $0.weight == 1 }.count == 1 },
            #Predicate { $0.dogs.filter { ($0.weight ?? 0) > 1 }.isEmpty },
            #Predicate { $0.dogs.contains { $0.owners.contains { $0.age == 4 } } },
            #Predicate { $0.bestFriend?.dogs.contains { $0.name == "Ann" } == true },
            #Predicate { $0.bestFriend?.dogs.contains { $0.name == "Ann" } ?? true },
            #Predicate { $0.age > 2 ? $0.name == "Ann" : $0.dogs.isEmpty },
        ]
        var isFound = 0
        for (index, predicate) in predicates.enumerated() {
            let found = Set(try people.filtered(predicate).map(\.id))
            let expected = try Set(Array(people).filter { try predicate.evaluate($0) }.map(\.id))
            #expect(found == expected, "seed \(seed), predicate \(index): \(predicate)")
            if !found.isEmpty, found.count < people.count { isFound += 1 }
        }
        // Most of them tell people apart.
        #expect(isFound > predicates.count * 3 / 4, "seed \(seed): only \(isFound)")
        try scratch.verify()
    }

    /// A query and its text find the same, and its opposite all others.
    @Test(arguments: [1, 2, UInt64.random(in: 0...UInt64(UInt32.max))])
    func `what where finds is what its text finds`(seed: UInt64) throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try Self.fill(realm, seed: seed)
        let people = realm.objects(Person.self)
        let ann = try #require(people.first { $0.name == "Ann" })
        let dog = try #require(realm.objects(Dog.self).first)
        let person = Query<Person>._constructForTesting()
        let queries: [Query<Bool>] = [
            person.age == 3, person.age > 1 && person.name == "Ann", !(person.age > 1),
            person.bestFriend == ann,
            person.bestFriend != nil, person.bestFriend.name.contains("N", options: .caseInsensitive),
            person.dogs.name == "Ann", person.dogs.count > 1, person.dogs.contains(dog),
            person.dogs.containsAny(in: Array(realm.objects(Dog.self).prefix(2))),
            person.dogs.weight.sum > 2, person.dogs.weight.avg == nil, person.bestFriendOf.age.max >= 3,
            person.dogs.weight.contains(1..<3), person.dogs.weight.contains(1...3),
            person.age.contains(1..<3),
            person.dogs.owners.age.contains(1..<2), person.age.in([1, 2]), person.name.in([]),
            (person.dogs.weight > 1 && person.dogs.name == "Ann").count > 0,
            ((person.dogs.owners.age > 3).count > 1).count == 1,
            (person.dogs.contains(dog)).count == 1 && person.bestFriend != ann,
            person.name.like("?nn*"), person.name == person.bestFriend.name,
            person.age > person.bestFriend.age,
        ]
        for query in queries {
            let (text, arguments) = query._constructPredicate()
            let found = Array(people.where { _ in query })
            #expect(found == Array(people.filter(NSPredicate(format: text, argumentArray: arguments))))
            #expect(people.where { _ in !query }.count == people.count - found.count, "seed \(seed): \(text)")
            #expect(people.index(matching: { _ in query }) == found.first.flatMap { people.index(of: $0) })
        }
        try scratch.verify()
    }

    @Test func `a half-open range through a collection is about one element`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let person = Person()
        for weight in [1.0, 9] {
            let dog = Dog()
            dog.weight = weight
            person.dogs.append(dog)
        }
        try realm.write { realm.add(person) }
        let people = realm.objects(Person.self)
        #expect(people.where { $0.dogs.weight.contains(2..<8) }.isEmpty)
        #expect(people.where { $0.dogs.weight.contains(2...8) }.isEmpty)
        #expect(people.where { $0.dogs.weight >= 2 && $0.dogs.weight < 8 }.count == 1)
        #expect(people.where { $0.dogs.weight.contains(9..<10) }.count == 1)
    }

    @Test func `compounds filter, and lists and results of values do too`() throws {
        let scratch = try Scratch([AllLists.self, Person.self, Dog.self])
        let realm = try scratch.realm()
        try Self.fill(realm, seed: 3)
        let lists = AllLists()
        lists.ints.append(objectsIn: [3, 1, 5])
        try realm.write { realm.add(lists) }
        #expect(Array(lists.ints.where { $0 > 1 }) == [3, 5])
        #expect(Array(lists.ints.filter(NSPredicate(format: "SELF < 4"))) == [3, 1])
        #expect(Array(lists.ints.filter(#Predicate { $0 != 3 })) == [1, 5])
        #expect(lists.ints.index(matching: { $0 == 5 }) == 2)
        let people = realm.objects(Person.self)
        let parts = [NSPredicate(format: "age > 1"), NSPredicate(format: "name == %@", "Ann")]
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        #expect(Array(people.filter(both)) == Array(people.where { $0.age > 1 && $0.name == "Ann" }))
        let neither = NSCompoundPredicate(notPredicateWithSubpredicate: both)
        #expect(people.filter(neither).count == people.count - people.filter(both).count)
        #expect(people.filter(NSCompoundPredicate(andPredicateWithSubpredicates: [])).count == people.count)
    }

    @Test func `what cannot be asked is thrown with its place`() throws {
        let scratch = try Scratch()
        let people = try scratch.realm().objects(Person.self)
        let misspelt = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(value: true), NSPredicate(format: "nmae == %@", "x"),
        ])
        let error = #expect(throws: RealmError.self) { try people.filtered(misspelt) }
        #expect(error?.code == .invalidInput)
        #expect(
            error?.message.contains("(TRUEPREDICATE) AND (nmae == %@)\n") == true, "\(error?.message ?? "")")
        let block = #expect(throws: RealmError.self) { try people.filtered(NSPredicate { _, _ in true }) }
        #expect(block?.code == .misuse)
        let arithmetic = #expect(throws: RealmError.self) {
            try people.filtered(#Predicate { $0.age + 1 == 3 })
        }
        #expect(arithmetic?.code == .misuse)
    }

    @Test func `a mistake in a query traps outside of a write`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Scratch().realm()
            _ = realm.objects(Person.self).where { $0.age.max > 3 }
        }
        let words = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(words.contains("@max is asked of a collection"))
    }
}
