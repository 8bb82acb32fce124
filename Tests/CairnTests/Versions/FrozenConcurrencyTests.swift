import Cairn
import Foundation
import Testing

/// What is frozen is read by all threads at the same time, while others write.
struct FrozenConcurrencyTests {
    /// A value that the tests hand to other threads, which only read it.
    private struct Shared<Value>: @unchecked Sendable {
        let value: Value
    }

    /// Runs a block on several threads at the same time.
    private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let failures = FailureCount()
        DispatchQueue.concurrentPerform(iterations: count) { number in
            do { try onNewThread { try body(number) } } catch { failures.note("\(error)") }
        }
        #expect(failures.texts.isEmpty, "\(failures.texts)")
    }

    private func makePeople(_ realm: Realm, count: Int) throws {
        try realm.write {
            for number in 0..<count {
                let person = Person(value: ["name": "\(number)", "age": number])
                person.dogs.append(objectsIn: (0..<3).map { Dog(value: ["name": "\(number).\($0)"]) })
                person.bestFriend = realm.objects(Person.self).first
                realm.add(person)
            }
        }
    }

    @Test func `many threads walk one frozen graph while another writes`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try makePeople(realm, count: 600)
        let frozen = Shared(value: realm.objects(Person.self).freeze())
        let configuration = scratch.configuration()
        try onThreads(4) { number in
            if number == 0 {
                let realm = try Realm(configuration: configuration)
                for round in 0..<20 {
                    try realm.write {
                        for person in realm.objects(Person.self).prefix(50) { person.age += 1 }
                        realm.delete(Array(realm.objects(Dog.self).prefix(10)))
                        realm.add(Person(value: ["name": "new \(round)"]))
                    }
                }
                return
            }
            for _ in 0..<3 {
                var sum = 0
                for person in frozen.value {
                    sum += person.age
                    guard person.dogs.count == 3, person.dogs[0].owners.first?.name == person.name,
                        person.bestFriend?.name ?? "0" == "0"
                    else { throw TestFailure(number) }
                }
                guard sum == 599 * 300, frozen.value.count == 600,
                    frozen.value.index(of: frozen.value[17]) == 17
                else { throw TestFailure(number) }
            }
        }
        try scratch.verify()
    }

    /// Its reader was that of the thread that had begun the loop, which was at work elsewhere.
    @Test func `a loop over frozen objects that goes on on another thread`() throws {
        final class Loop: @unchecked Sendable {
            var people: RLMIterator<Person>
            var dogs: RLMIterator<Dog>

            init(_ people: RLMIterator<Person>, _ dogs: RLMIterator<Dog>) {
                self.people = people
                self.dogs = dogs
            }
        }
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try makePeople(realm, count: 1_000)
        let frozen = Shared(value: realm.freeze())
        let loop = try onNewThread {
            Loop(
                frozen.value.objects(Person.self).makeIterator(),
                frozen.value.objects(Dog.self).makeIterator())
        }
        try onThreads(2) { number in
            var count = 0
            if number == 0 {
                while let person = loop.people.next() { count += person.dogs.count }
            } else {
                while let dog = loop.dogs.next() { count += dog.owners.count }
            }
            guard count == 3_000 else { throw TestFailure(count) }
        }
    }

    /// Async code changes threads at each await.
    @Test func `concurrent tasks that walk frozen objects across awaits`() async throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let frozen = try onNewThread {
            let realm = try Realm(configuration: configuration)
            try self.makePeople(realm, count: 60)
            return Shared(value: realm.freeze())
        }
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var count = 0
                    let people = frozen.value.objects(Person.self)
                    for person in people {
                        await Task.yield()
                        for dog in person.dogs {
                            count += dog.owners.count
                        }
                    }
                    return count
                }
            }
            for await count in group { #expect(count == 180) }
        }
    }

    @Test func `threads freeze, thaw and resolve what others have made`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try makePeople(realm, count: 20)
        let configuration = scratch.configuration()
        let keys = Shared(value: Array(realm.objects(Person.self).map(\.id)))
        try onThreads(4) { number in
            let realm = try Realm(configuration: configuration)
            for round in 0..<30 {
                let key = keys.value[(number * 7 + round) % 20]
                guard let person = realm.object(ofType: Person.self, forPrimaryKey: key) else {
                    throw TestFailure(number)
                }
                let frozen = person.freeze()
                let age = frozen.age
                try realm.write { person.age += 1 }
                guard frozen.age == age, let thawed = frozen.thaw(), thawed.isSameObject(as: person) else {
                    throw TestFailure(number)
                }
                let reference = ThreadSafeReference(to: person)
                try onNewThread {
                    let realm = try Realm(configuration: configuration)
                    guard realm.resolve(reference)?.id == key else { throw TestFailure(number) }
                }
            }
        }
        realm.refresh()
        let sum = realm.objects(Person.self).reduce(0) { $0 + $1.age }
        #expect(sum == 190 + 120)
        try scratch.verify()
    }

    /// Each thread that has read a frozen object left a reader behind, as long as the object lived.
    @Test func `one frozen object and many short threads`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try makePeople(realm, count: 3)
        let frozen = Shared(value: realm.objects(Person.self)[1].freeze())
        for number in 0..<300 {
            try onNewThread {
                guard frozen.value.name == "1", frozen.value.dogs.count == 3 else {
                    throw TestFailure(number)
                }
            }
        }
    }
}
