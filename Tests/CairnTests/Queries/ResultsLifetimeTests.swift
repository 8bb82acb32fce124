import Cairn
import CairnStorage
import Foundation
import TestSupport
import Testing

/// Results that outlive what they came from, that other threads use, and that change while they are gone through.
@Suite struct ResultsLifetimeTests {
    private func people(_ scratch: Scratch, count: Int = 10) throws -> Realm {
        let realm = try scratch.realm()
        try realm.write {
            for number in 0..<count {
                let person = realm.create(Person.self, value: ["name": "n\(number % 3)", "age": number])
                person.dogs.append(realm.create(Dog.self, value: ["name": "d\(number)"]))
                person.dogs.append(realm.create(Dog.self, value: ["name": "x", "weight": 1.5]))
            }
        }
        return realm
    }

    @Test func `results of a deleted owner's list are empty`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let owner = try #require(realm.objects(Person.self).first)
        let dogs = owner.dogs.filter("name == 'x'")
        let sorted = owner.dogs.sorted(byKeyPath: "name").limit(1)
        let friends = owner.bestFriendOf.filter("age > 0")
        #expect((dogs.count, sorted.count) == (1, 1))
        try realm.write {
            realm.delete(owner)
            #expect(dogs.isEmpty)
        }
        #expect(dogs.count == 0)
        #expect(dogs.first == nil)
        #expect(sorted.isEmpty)
        #expect(friends.isEmpty)
        #expect(dogs.map(\.name) == [])
        #expect(dogs.sum(of: \.weight) == 0)
        #expect(dogs.filter("weight > 1").isEmpty)
        #expect(dogs.freeze().isEmpty)
        #expect(realm.objects(Dog.self).count == 20)
    }

    @Test func `what links to an object of no Realm is empty whatever is asked`() throws {
        let person = Person()
        let linking = person.bestFriendOf
        #expect(linking.isEmpty)
        #expect(linking.filter("age > 3").isEmpty)
        #expect(linking.where { $0.age > 3 }.isEmpty)
        #expect(linking.filter(#Predicate { $0.age > 3 }).first == nil)
        #expect(linking.sorted(byKeyPath: "age").isEmpty)
        #expect(linking.distinct(by: ["age"]).limit(2).isEmpty)
        #expect(linking.sum(of: \.age) == 0)
        #expect(linking.max(of: \.age) == nil)
        #expect(linking.average(ofProperty: "age") as Double? == nil)
        #expect(linking.index(matching: "age == 1") == nil)
        #expect(linking.index(of: person) == nil)
        #expect(linking.grouped(by: \.age).count().isEmpty)
        #expect(linking.sectioned(by: \.age).isEmpty)
    }

    @Test func `filtering the list of an object of no Realm traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Person().dogs.filter("name == 'x'")
        }
        expectSentence(result, "This List is in no Realm")
    }

    @Test func `sorting the list of an object of no Realm throws where it can`() throws {
        let dogs = Person().dogs
        let error = #expect(throws: RealmError.self) { try dogs.filtered("name == 'x'") }
        #expect(error?.code == .misuse)
    }

    @Test func `results on another thread trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Scratch().realm()
            nonisolated(unsafe) let found = realm.objects(Person.self).filter("age > 3")
            _ = found.count
            try onNewThread { _ = found.count }
        }
        expectSentence(result, "Results of 'Person'", "incorrect thread")
    }

    @Test func `frozen results are used by many threads at once`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch, count: 500)
        // Not carried out before they are frozen: the threads do it, all of them first.
        let frozen = realm.objects(Person.self).filter("age >= 100 AND ANY dogs.name == 'x'")
            .sorted(byKeyPath: "age", ascending: false).freeze()
        let values = try #require(realm.objects(Person.self).first).dogs.sorted(byKeyPath: "name").freeze()
        nonisolated(unsafe) let shared = frozen
        nonisolated(unsafe) let sharedDogs = values
        let wrong = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for place in 0..<50 {
                let index = (place * 7 + number) % 400
                let isRight =
                    shared.count == 400 && shared[index].age == 499 - index
                    && shared.index(of: shared[index]) == index
                    && shared.filter("age < 200").count == 100 && shared.first?.age == 499
                    && shared.max(of: \.age) == 499 && sharedDogs.map(\.name) == ["d0", "x"]
                if !isRight { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test func `frozen results of values are used by many threads at once`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self])
        let realm = try scratch.realm()
        let row = CaseRow()
        row.numbers.append(objectsIn: (0..<500).map { ($0 * 7) % 500 })
        try realm.write { realm.add(row) }
        nonisolated(unsafe) let shared = row.numbers.filter("SELF >= 100").sorted().freeze()
        let wrong = Guarded(0)
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for place in 0..<20 {
                let isRight =
                    shared.count == 400 && shared[place] == 100 + place && shared.sum() == 119_800
                    && shared.index(of: 100 + number) == number && shared.filter("SELF < 200").count == 100
                    && shared.index(matching: "SELF > %d", 100 + place) == place + 1
                if !isRight { wrong.withLock { $0 += 1 } }
            }
        }
        #expect(wrong.withLock { $0 } == 0)
    }

    @Test func `an object in a question may be of no Realm, deleted, frozen, or of another instance`() throws
    {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let all = realm.objects(Person.self)
        let (first, second) = (all[0], all[1])
        try realm.write { for person in all { person.bestFriend = first } }
        let frozen = first.freeze()
        #expect(all.filter("bestFriend == %@", frozen).count == 10)
        #expect(all.freeze().filter("bestFriend == %@", first).count == 10)
        #expect(all.where { $0.bestFriend == Person() }.isEmpty)
        #expect(all.where { $0.bestFriend != Person() }.count == 10)
        #expect(all.filter("bestFriend IN %@", [Person(), second, first]).count == 10)
        #expect(all.filter("SELF IN %@", [second, Person(), frozen]).map(\.age) == [0, 1])
        let found = all.filter("bestFriend == %@", first)
        try realm.write {
            realm.delete(first)
            #expect(found.isEmpty)
            realm.create(Person.self, value: ["name": "new"])
        }
        #expect(found.isEmpty)
        #expect(all.filter("bestFriend == %@", first).isEmpty)
        // Neither is it nil, which they all link to now.
        #expect(all.filter("bestFriend != %@", first).count == 10)
        #expect(all.filter("bestFriend == nil").count == 10)
        #expect(all.filter("bestFriend == %@", frozen).isEmpty)
        #expect(all.freeze().filter("bestFriend == %@", frozen).isEmpty)
    }

    @Test func `results are empty after everything was deleted, and go on`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let all = realm.objects(Person.self)
        let found = all.filter("ANY dogs.name == 'x'").sorted(byKeyPath: "age", ascending: false)
        let frozen = found.freeze()
        let sections = all.sectioned(by: \.name)
        #expect((found.count, sections.count) == (10, 3))
        try realm.write {
            var seen = 0
            for _ in found {
                seen += 1
                realm.deleteAll()
            }
            #expect(seen == 1)
            #expect((all.count, found.count, sections.count) == (0, 0, 0))
            let person = realm.create(Person.self, value: ["name": "new", "age": 1])
            person.dogs.append(realm.create(Dog.self, value: ["name": "x"]))
            #expect(found.map(\.name) == ["new"])
        }
        #expect(found.count == 1)
        #expect(sections.allKeys == ["new"])
        #expect(frozen.count == 10)
        realm.beginWrite()
        realm.deleteAll()
        #expect(found.isEmpty)
        realm.cancelWrite()
        #expect(found.map(\.name) == ["new"])
        try scratch.verify()
    }

    @Test func `references hand results over with all that was asked of them`() throws {
        let scratch = try Scratch([Person.self, Dog.self, CaseRow.self, CaseHolder.self])
        let realm = try people(scratch)
        let row = CaseRow()
        row.numbers.append(objectsIn: [3, 1, 2, 3])
        try realm.write { realm.add(row) }
        let all = realm.objects(Person.self)
        let first = try #require(all.first)
        let sorted = ThreadSafeReference(
            to: all.filter("age > 2").sorted(byKeyPath: "age", ascending: false).limit(3))
        let distinct = ThreadSafeReference(to: all.distinct(by: ["name"]))
        let dogs = ThreadSafeReference(to: first.dogs.filter("name != 'x'"))
        let owners = ThreadSafeReference(to: first.dogs[0].owners.filter("age == 0"))
        let object = ThreadSafeReference(to: all.filter("SELF == %@", first))
        let values = ThreadSafeReference(to: row.numbers.filter("SELF > 1").sorted().distinct())
        let gone = ThreadSafeReference(to: all[9].dogs.filter("name == 'x'"))
        let configuration = realm.configuration
        try realm.write {
            realm.create(Person.self, value: ["name": "new", "age": 50])
            realm.delete(all[9])
        }
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            #expect(realm.resolve(sorted)?.map(\.age) == [50, 8, 7])
            #expect(realm.resolve(distinct)?.map(\.name) == ["n0", "n1", "n2", "new"])
            #expect(realm.resolve(dogs)?.map(\.name) == ["d0"])
            #expect(realm.resolve(owners)?.map(\.age) == [0])
            #expect(realm.resolve(object)?.map(\.age) == [0])
            #expect(realm.resolve(values).map { Array($0) } == [2, 3])
            #expect(realm.resolve(gone)?.isEmpty == true)
        }
    }

    @Test func `results are invalid after their Realm was invalidated, and new ones are not`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let found = realm.objects(Person.self).filter("age > 3")
        let sorted = realm.objects(Person.self).sorted(byKeyPath: "age")
        let frozen = found.freeze()
        #expect(found.count == 6)
        realm.invalidate()
        #expect(found.isInvalidated)
        #expect(sorted.isInvalidated)
        #expect(realm.objects(Person.self).filter("age > 3").count == 6)
        // Also once the Realm is read again.
        #expect(found.isInvalidated)
        #expect(frozen.count == 6)
        #expect(!frozen.isInvalidated)
        #expect(frozen.thaw()?.count == 6)
    }

    @Test func `results from before an invalidation trap`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Scratch().realm()
            let found = realm.objects(Person.self).filter("age > 3")
            realm.invalidate()
            _ = found.count
        }
        expectSentence(result, "after their Realm was invalidated")
    }

    @Test func `a Realm with some of the classes asks those`() throws {
        let scratch = try Scratch([CaseRow.self, CaseHolder.self, Person.self, Dog.self])
        _ = try people(scratch)
        var configuration = scratch.configuration()
        configuration.objectTypes = [Dog.self, Person.self]
        let realm = try Realm(configuration: configuration)
        #expect(realm.objects(Dog.self).filter("ANY owners.age == 3").count == 2)
        #expect(realm.objects(Dog.self).filter("name == 'x'").sorted(byKeyPath: "name").count == 10)
        #expect(realm.objects(Person.self).filter("ANY dogs.name == 'd4'").map(\.age) == [4])
    }

    // MARK: Changing what is gone through

    @Test func `a loop sees what was there when it began`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let all = realm.objects(Person.self)
        let none = all.filter("bestFriend == nil AND age < 100")
        let sorted = all.sorted(byKeyPath: "age")
        var seen = 0
        try realm.write {
            for person in none {
                person.age = 100
                seen += 1
            }
            #expect(seen == 10)
            #expect(none.isEmpty)
            #expect(all.filter("age == 100").count == 10)
        }
        try realm.write {
            for (number, person) in sorted.enumerated() { person.age = 50 - number * 3 }
        }
        #expect(Set(all.map(\.age)) == Set((0..<10).map { 50 - $0 * 3 }))
        try realm.write {
            // Those added in the loop are not gone through.
            for person in all { realm.create(Person.self, value: ["name": "twin", "age": person.age]) }
        }
        #expect(all.count == 20)
        try realm.write {
            var count = 0
            // Every second is deleted by the one before it, and skipped.
            for person in all.filter("name == 'twin'").sorted(byKeyPath: "age") {
                count += 1
                if let next = all.filter("name == 'twin' AND age > %d", person.age).sorted(byKeyPath: "age")
                    .first
                {
                    realm.delete(next)
                }
            }
            #expect(count == 5)
        }
        try realm.write { for person in all { realm.delete(person) } }
        #expect(all.isEmpty)
        try scratch.verify()
    }

    @Test func `sections are gone through as they were when the loop began`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let sections = realm.objects(Person.self).sectioned(by: \.name)
        var seen: [Int] = []
        try realm.write {
            for section in sections {
                for person in section {
                    seen.append(person.age)
                    person.name = "moved"
                }
            }
        }
        #expect(seen == [0, 3, 6, 9, 1, 4, 7, 2, 5, 8])
        #expect(sections.allKeys == ["moved"])
        #expect(sections[0].count == 10)
        let first = sections[0]
        try realm.write {
            for person in first where person.age.isMultiple(of: 2) { realm.delete(person) }
        }
        #expect(first.map(\.age) == [1, 3, 5, 7, 9])
        try realm.write { realm.deleteAll() }
        #expect(first.isInvalidated)
        #expect(sections.isEmpty)
    }

    @Test func `a value is set on all results, though it takes them out`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch)
        let few = realm.objects(Person.self).filter("age < 100")
        try realm.write {
            few.setValue(100, forKey: "age")
            #expect(few.isEmpty)
        }
        #expect(realm.objects(Person.self).filter("age == 100").count == 10)
        let dogs = try #require(realm.objects(Person.self).first).dogs
        try realm.write {
            dogs.setValue("same", forKey: "name")
            realm.delete(realm.objects(Person.self).filter("age == 100"))
        }
        #expect(realm.objects(Person.self).isEmpty)
        #expect(realm.objects(Dog.self).filter("name == 'same'").count == 2)
        try scratch.verify()
    }

    @Test func `results of results of results are one question`() throws {
        let scratch = try Scratch()
        let realm = try people(scratch, count: 40)
        let found = realm.objects(Person.self).filter("age > 5").where { $0.name == "n1" }
            .filter(#Predicate { $0.age < 30 }).sorted(byKeyPath: "age", ascending: false)
        #expect(found.map(\.age) == [28, 25, 22, 19, 16, 13, 10, 7])
        let page = found.offset(2).limit(3)
        #expect(page.map(\.age) == [22, 19, 16])
        #expect(page.filter("age != 19").sorted(byKeyPath: "age").map(\.age) == [16, 22])
        #expect(page.freeze().filter("age != 19").map(\.age) == [22, 16])
        try realm.write {
            realm.objects(Person.self).filter("age == 25").first?.age = 1
            #expect(page.map(\.age) == [19, 16, 13])
        }
    }
}
