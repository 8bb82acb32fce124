import Cairn
import Foundation
import TestSupport
import Testing

/// What results have found is forgotten by every change that it depends on, and by each way in which one comes
/// about.
@Suite struct ResultsFreshnessTests {
    /// Results of every kind over the same few objects, in words.
    private struct Views {
        let results: [(String, () -> String)]

        init(_ realm: Realm, _ owner: Person) {
            func ages(_ people: Results<Person>) -> String {
                people.map { "\($0.age)" }.joined(separator: " ")
                    + " of \(people.count), \(people.first?.age ?? -1)"
            }
            func names(_ dogs: Results<Dog>) -> String {
                dogs.map(\.name).joined(separator: " ") + " of \(dogs.count)"
            }
            let people = realm.objects(Person.self)
            let all: [(String, Results<Person>)] = [
                ("all", people), ("own value", people.filter("age > 2")),
                ("indexed", people.filter("name == 'b'")),
                ("link is nil", people.filter("bestFriend == nil")),
                ("through a link", people.filter("bestFriend.age > 2")),
                ("through two links", people.filter("bestFriend.bestFriend.age > 2")),
                ("ANY", people.filter("ANY dogs.name == 'x'")),
                ("NONE", people.filter("NONE dogs.weight > 1")),
                ("count of a list", people.filter("dogs.@count > 1")),
                ("count of a friend's list", people.filter("bestFriend.dogs.@count > 1")),
                ("sum of a list", people.filter("dogs.@sum.weight > 2")),
                (
                    "sub-query",
                    people.filter("SUBQUERY(dogs, $d, $d.weight > 1 AND $d.name == 'x').@count == 1")
                ),
                ("backlinks", people.filter("bestFriendOf.@count > 0")),
                ("ANY backlink", people.filter("ANY bestFriendOf.age > 2")),
                ("ANY dog's owners", people.filter("ANY dogs.owners.age > 3")),
                ("two properties", people.filter("age > bestFriend.age")),
                ("a count", people.filter("age >= bestFriend.dogs.@count")),
                ("an object", people.filter("bestFriend == %@", owner)),
                ("sorted", people.sorted(byKeyPath: "age", ascending: false)),
                ("sorted by a friend", people.sorted(byKeyPath: "bestFriend.age")),
                ("sorted by a friend's friend", people.sorted(byKeyPath: "bestFriend.bestFriend.name")),
                ("distinct", people.distinct(by: ["name"])),
                ("distinct by a friend", people.distinct(by: ["bestFriend.name"])),
                ("limited", people.sorted(byKeyPath: "bestFriend.age").limit(2)),
                (
                    "filter of limited",
                    people.sorted(byKeyPath: "age").limit(3).filter("ANY dogs.name == 'x'")
                ),
                ("friends of", owner.bestFriendOf.filter("age > 0")),
                ("friends of, sorted", owner.bestFriendOf.sorted(byKeyPath: "bestFriend.name")),
            ]
            let dogs: [(String, Results<Dog>)] = [
                ("list", owner.dogs.filter("TRUEPREDICATE")),
                ("list, filtered", owner.dogs.filter("weight > 1")),
                ("list, sorted", owner.dogs.sorted(byKeyPath: "name")),
                ("list, distinct", owner.dogs.distinct(by: ["name"])),
                ("list, by owners", owner.dogs.filter("ANY owners.age > 2")),
                ("list, limited", owner.dogs.limit(1)),
            ]
            let sections = people.sectioned(by: \.name)
            let byFriend = people.sectioned(
                by: { $0.bestFriend?.name }, sortDescriptors: [SortDescriptor(keyPath: "age")])
            let groups = people.grouped(by: \.name)
            var views: [(String, () -> String)] = []
            for (name, results) in all { views.append((name, { ages(results) })) }
            for (name, results) in dogs { views.append((name, { names(results) })) }
            views.append(("sections", { Self.text(sections) { $0 } }))
            views.append(("sections by friend", { Self.text(byFriend) { $0 ?? "-" } }))
            views.append(("groups", { Self.text(groups.sum(of: \.age)) }))
            let few = people.filter("age > 1")
            let page = people.sorted(byKeyPath: "bestFriend.age").limit(3)
            let once = people.distinct(by: ["bestFriend.name"])
            let heavy = owner.dogs.filter("ANY owners.age > 2")
            views.append(("sum of a page", { "\(page.sum(of: \.age))" }))
            views.append(("most of distinct ones", { "\(once.max(of: \.age) ?? -1)" }))
            views.append(("weight of a list", { "\(heavy.sum(ofProperty: "weight") as Double)" }))
            views.append(("mean", { "\(few.average(ofProperty: "age") as Double? ?? -1)" }))
            results = views
        }

        private static func text<Key>(
            _ sections: SectionedResults<Key, Person>, _ name: (Key) -> String
        ) -> String {
            sections.map { section in name(section.key) + ": \(Array(section.map(\.age)))" }
                .joined(separator: " ")
        }

        private static func text(_ sums: [String: Int]) -> String {
            sums.keys.sorted().map { "\($0) \(sums[$0] ?? 0)" }.joined(separator: " ")
        }

        /// Compares old results with new ones of the same question.
        func expectFresh(_ realm: Realm, _ owner: Person, _ occasion: String) {
            for (old, new) in zip(results, Views(realm, owner).results) {
                let (seen, wanted) = (old.1(), new.1())
                #expect(seen == wanted, "\(old.0) after \(occasion)")
            }
        }
    }

    private static func change(
        _ realm: Realm, _ owner: ObjectId, _ random: inout SeededGenerator
    ) -> String {
        let people = realm.objects(Person.self)
        let dogs = realm.objects(Dog.self)
        let names = ["a", "b", "x"]
        guard let person = people.randomElement(using: &random), let dog = dogs.randomElement(using: &random)
        else { return "nothing" }
        switch Int.random(in: 0..<13, using: &random) {
        case 0:
            person.age = Int.random(in: 0..<6, using: &random)
            return "an age"
        case 1:
            person.name = names.randomElement(using: &random) ?? ""
            return "a name"
        case 2:
            person.bestFriend = people.randomElement(using: &random)
            return "a friend"
        case 3:
            person.bestFriend = nil
            return "no friend"
        case 4:
            dog.name = names.randomElement(using: &random) ?? ""
            return "a dog's name"
        case 5:
            dog.weight = random.oneIn(3) ? nil : Double.random(in: 0..<3, using: &random)
            return "a weight"
        case 6:
            person.dogs.append(dog)
            return "an appended dog"
        case 7:
            if !person.dogs.isEmpty { person.dogs.remove(at: 0) }
            return "a removed dog"
        case 8:
            if person.dogs.count > 1 { person.dogs.swapAt(0, person.dogs.count - 1) }
            return "swapped dogs"
        case 9:
            if person.id != owner, people.count > 4 { realm.delete(person) }
            return "a deleted person"
        case 10:
            if dogs.count > 3 { realm.delete(dog) }
            return "a deleted dog"
        case 11:
            realm.create(Person.self, value: ["name": names.randomElement(using: &random) ?? "", "age": 3])
            return "a new person"
        default:
            realm.create(Dog.self, value: ["name": "x", "weight": 2])
            return "a new dog"
        }
    }

    @Test(arguments: 0..<4) func `old results show what new ones show`(_ round: Int) throws {
        var random = SeededGenerator()
        let reproduction = random.reproduction
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let owner = Person()
        try realm.write {
            realm.add(owner)
            for number in 0..<5 {
                let person = realm.create(Person.self, value: ["name": "b", "age": number])
                let dog = realm.create(Dog.self, value: ["name": "x", "weight": number])
                person.dogs.append(dog)
                owner.dogs.append(dog)
                person.bestFriend = owner
            }
        }
        let views = Views(realm, owner)
        let id = owner.id
        let configuration = realm.configuration
        for step in 0..<40 {
            views.expectFresh(realm, owner, "the beginning of step \(step), \(reproduction)")
            var told = ""
            switch step % 4 {
            case 0:
                try realm.write {
                    for _ in 0..<3 {
                        told = Self.change(realm, id, &random)
                        views.expectFresh(realm, owner, "\(told) in a write, \(reproduction)")
                    }
                }
            case 1:
                realm.beginWrite()
                for _ in 0..<3 {
                    told = Self.change(realm, id, &random)
                    views.expectFresh(realm, owner, "\(told) in a write, \(reproduction)")
                }
                realm.cancelWrite()
                told += ", cancelled"
            case 2:
                #expect(throws: TestFailure.self) {
                    try realm.write {
                        told = Self.change(realm, id, &random)
                        views.expectFresh(realm, owner, "\(told) in a write, \(reproduction)")
                        throw TestFailure()
                    }
                }
                told += ", failed"
            default:
                let seed = random.next()
                told = try onNewThread {
                    var random = SeededGenerator(seed: seed)
                    let realm = try Realm(configuration: configuration)
                    return try realm.write { Self.change(realm, id, &random) }
                }
                views.expectFresh(realm, owner, "\(told) elsewhere, \(reproduction)")
                realm.refresh()
                told += ", refreshed"
            }
            views.expectFresh(realm, owner, "\(told), \(reproduction)")
        }
        try scratch.verify()
    }

    @Test func `results of values follow their list only`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        let row = CaseRow()
        row.numbers.append(objectsIn: [3, 1, 2])
        try realm.write { realm.add(row) }
        let sorted = row.numbers.sorted()
        let few = row.numbers.filter("SELF > 1").distinct()
        let frozen = sorted.freeze()
        #expect(Array(sorted) == [1, 2, 3])
        try realm.write {
            row.numbers[0] = 0
            #expect(Array(sorted) == [0, 1, 2])
            row.numbers.append(2)
            #expect(Array(sorted) == [0, 1, 2, 2])
            #expect(Array(few) == [2])
            row.numbers.removeAll()
            #expect(sorted.isEmpty)
            row.numbers.append(9)
        }
        #expect(Array(sorted) == [9])
        realm.beginWrite()
        row.numbers.insert(4, at: 0)
        #expect(Array(few) == [4, 9])
        realm.cancelWrite()
        #expect(Array(few) == [9])
        #expect(Array(frozen) == [1, 2, 3])
        try realm.write {
            row.numbers[0] = 7
        }
        #expect(sorted.sum() == 7)
        #expect(sorted.index(of: 7) == 0)
    }
}
