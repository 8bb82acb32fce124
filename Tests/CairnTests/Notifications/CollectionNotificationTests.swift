import Cairn
import Foundation
import Testing

/// What observers of collections are told (cases of group N).
struct CollectionNotificationTests {
    /// What a collection's observer was told, in words.
    private func record<C: RealmCollection>(
        _ collection: C, _ diary: Diary, _ name: String = "", keyPaths: [String]? = nil
    ) -> NotificationToken {
        collection.observe(keyPaths: keyPaths) { diary.note(name + Self.words($0)) }
    }

    static func words<C: RealmCollection>(_ change: RealmCollectionChange<C>) -> String {
        switch change {
        case .initial(let collection): return "initial \(collection.count)"
        case .update(_, let deletions, let insertions, let modifications):
            return "-\(deletions) +\(insertions) ~\(modifications)"
        case .error(let error): return "error \(error)"
        }
    }

    /// A Realm with dogs of some names, and the scheduler that delivers to it.
    private struct Kennel {
        let scratch: Scratch
        let scheduler = ManualScheduler()
        let realm: Realm
        let diary = Diary()

        init(_ names: [String] = []) throws {
            scratch = try Scratch()
            realm = try scratch.realm(scheduler)
            try realm.write { for name in names { realm.add(Dog(value: ["name": name])) } }
        }

        func dog(_ name: String) throws -> Dog {
            try #require(realm.objects(Dog.self).first { $0.name == name })
        }

        /// What came since the last time.
        func told() -> [String] {
            scheduler.run()
            return diary.take()
        }
    }

    @Test func `the first call is the initial one, and a write before it is in it`() throws {
        // Case N10.
        let kennel = try Kennel(["a"])
        let token = record(kennel.realm.objects(Dog.self), kennel.diary)
        #expect(kennel.diary.take() == [])
        try kennel.realm.write { kennel.realm.add(Dog()) }
        try kennel.scratch.writeElsewhere { $0.add(Dog()) }
        let told = kennel.told()
        #expect(told == ["initial 3"] || told == ["initial 2", "-[] +[2] ~[]"])
        #expect(kennel.told() == [])
        withExtendedLifetime(token) {}
    }

    @Test func `deletions and modifications are old places, insertions new ones`() throws {
        // Cases N01 and N03.
        let kennel = try Kennel(["a", "b", "c"])
        let token = record(kennel.realm.objects(Dog.self), kennel.diary)
        #expect(kennel.told() == ["initial 3"])
        try kennel.realm.write {
            try kennel.dog("c").weight = 1
            kennel.realm.delete(try kennel.dog("a"))
        }
        #expect(kennel.told() == ["-[0] +[] ~[2]"])
        try kennel.realm.write {
            kennel.realm.delete(try kennel.dog("b"))
            kennel.realm.add(Dog(value: ["name": "d"]))
        }
        #expect(kennel.told() == ["-[0] +[1] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test func `a sorted collection tells new places of insertions and old ones of modifications`() throws {
        // Case N01.
        let kennel = try Kennel()
        try kennel.realm.write {
            for weight in [10.0, 20, 30] {
                kennel.realm.add(Dog(value: ["name": "\(weight)", "weight": weight]))
            }
        }
        let token = record(kennel.realm.objects(Dog.self).sorted(byKeyPath: "weight"), kennel.diary)
        #expect(kennel.told() == ["initial 3"])
        try kennel.realm.write {
            kennel.realm.add(Dog(value: ["name": "new", "weight": 5]))
            try kennel.dog("20.0").name = "twenty"
        }
        #expect(kennel.told() == ["-[] +[0] ~[1]"])
        try kennel.realm.write { try kennel.dog("10.0").weight = 40 }
        #expect(kennel.told() == ["-[1] +[3] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test func `a filtered collection tells of what comes to fit and what fits no more`() throws {
        let kennel = try Kennel()
        try kennel.realm.write {
            for weight in [10.0, 20, 30] {
                kennel.realm.add(Dog(value: ["name": "\(weight)", "weight": weight]))
            }
        }
        let token = record(kennel.realm.objects(Dog.self).filter("weight > 15"), kennel.diary)
        #expect(kennel.told() == ["initial 2"])
        try kennel.realm.write { try kennel.dog("10.0").name = "light" }
        #expect(kennel.told() == [])
        try kennel.realm.write {
            try kennel.dog("light").weight = 16
            try kennel.dog("20.0").weight = 1
            try kennel.dog("30.0").name = "heavy"
        }
        #expect(kennel.told() == ["-[0] +[0] ~[1]"])
        withExtendedLifetime(token) {}
    }

    @Test func `several commits are one call, and what comes to nothing is none`() throws {
        let kennel = try Kennel(["a"])
        let token = record(kennel.realm.objects(Dog.self), kennel.diary)
        #expect(kennel.told() == ["initial 1"])
        for _ in 0..<3 { try kennel.realm.write { kennel.realm.add(Dog()) } }
        #expect(kennel.told() == ["-[] +[1, 2, 3] ~[]"])
        try kennel.realm.write { kennel.realm.add(Dog(value: ["name": "gone"])) }
        try kennel.realm.write { kennel.realm.delete(try kennel.dog("gone")) }
        #expect(kennel.told() == [])
        withExtendedLifetime(token) {}
    }

    @Test func `others' changes are told by a refresh and by the begin of a write`() throws {
        let kennel = try Kennel()
        let token = record(kennel.realm.objects(Dog.self), kennel.diary)
        #expect(kennel.told() == ["initial 0"])
        try kennel.scratch.writeElsewhere { $0.add(Dog()) }
        #expect(kennel.realm.refresh())
        #expect(kennel.diary.take() == ["-[] +[0] ~[]"])
        try kennel.scratch.writeElsewhere { $0.add(Dog()) }
        try kennel.realm.write {
            #expect(kennel.diary.take() == ["-[] +[1] ~[]"])
            kennel.realm.add(Dog())
        }
        #expect(kennel.diary.take() == [])
        #expect(kennel.told() == ["-[] +[2] ~[]"])
        withExtendedLifetime(token) {}
    }

    @Test func `withoutNotifying leaves out just that write for just that token`() throws {
        let kennel = try Kennel()
        let dogs = kennel.realm.objects(Dog.self)
        let silent = record(dogs, kennel.diary, "silent ")
        let other = record(dogs, kennel.diary, "other ")
        #expect(kennel.told() == ["silent initial 0", "other initial 0"])
        try kennel.realm.write(withoutNotifying: [silent]) { kennel.realm.add(Dog(value: ["name": "a"])) }
        #expect(kennel.told() == ["other -[] +[0] ~[]"])
        try kennel.realm.write { kennel.realm.delete(try kennel.dog("a")) }
        #expect(kennel.told() == ["silent -[0] +[] ~[]", "other -[0] +[] ~[]"])
        withExtendedLifetime(other) {}
    }

    @Test func `an observer that writes and another one are told of everything once`() throws {
        // Case N06.
        let kennel = try Kennel()
        let dogs = kennel.realm.objects(Dog.self)
        nonisolated(unsafe) var hasWritten = false
        let first = dogs.observe { change in
            kennel.diary.note("A " + Self.words(change))
            guard case .update = change, !hasWritten else { return }
            hasWritten = true
            try? kennel.realm.write { kennel.realm.add(Dog()) }
        }
        let second = record(dogs, kennel.diary, "B ")
        #expect(kennel.told() == ["A initial 0", "B initial 0"])
        try kennel.realm.write { kennel.realm.add(Dog()) }
        #expect(kennel.told() == ["A -[] +[0] ~[]", "B -[] +[0, 1] ~[]", "A -[] +[1] ~[]"])
        withExtendedLifetime((first, second)) {}
    }

    @Test func `two observers on one queue may write in their initial calls`() throws {
        // Case N07.
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let queue = DispatchQueue(label: "initial")
        let diary = Diary()
        nonisolated(unsafe) var tokens: [NotificationToken] = []
        try queue.sync {
            for name in ["A", "B"] {
                let realm = try Realm(configuration: configuration, queue: queue)
                tokens.append(
                    realm.objects(Dog.self).observe { change in
                        if case .initial = change { try? realm.write { realm.add(Dog()) } }
                        diary.note("\(name) \(realm.objects(Dog.self).count)")
                    })
            }
        }
        #expect(diary.wait(for: "A 2"))
        #expect(diary.wait(for: "B 2"))
        queue.sync { tokens = [] }
    }

    @Test func `the deletion of a list's object is the last call, also for an empty list`() throws {
        // Case N12.
        let kennel = try Kennel(["a", "b"])
        let (full, empty) = try kennel.realm.write {
            let full = kennel.realm.create(Person.self)
            full.dogs.append(objectsIn: kennel.realm.objects(Dog.self))
            return (full, kennel.realm.create(Person.self))
        }
        let tokens = [
            record(full.dogs, kennel.diary, "full "), record(empty.dogs, kennel.diary, "empty "),
            record(full.bestFriendOf, kennel.diary, "links "),
        ]
        #expect(kennel.told() == ["full initial 2", "empty initial 0", "links initial 0"])
        let list = full.dogs
        try kennel.realm.write { kennel.realm.delete([full, empty]) }
        #expect(kennel.told() == ["full -[0, 1] +[] ~[]", "empty -[] +[] ~[]", "links -[] +[] ~[]"])
        #expect(list.isInvalidated)
        try kennel.realm.write { kennel.realm.add(Dog()) }
        #expect(kennel.told() == [])
        #expect(tokens.allSatisfy { !$0.invalidate() })
    }

    @Test func `a list tells of moves, replacements and its elements' changes`() throws {
        let kennel = try Kennel(["a", "b", "c"])
        let person = try kennel.realm.write {
            let person = kennel.realm.create(Person.self)
            person.dogs.append(objectsIn: kennel.realm.objects(Dog.self))
            return person
        }
        let token = record(person.dogs, kennel.diary)
        #expect(kennel.told() == ["initial 3"])
        try kennel.realm.write { person.dogs.move(from: 0, to: 2) }
        #expect(kennel.told() == ["-[0] +[2] ~[]"])
        try kennel.realm.write { person.dogs[1].weight = 3 }
        #expect(kennel.told() == ["-[] +[] ~[1]"])
        // Case N18: nothing has changed in the end.
        try kennel.realm.write {
            let last = person.dogs[2]
            person.dogs.removeLast()
            person.dogs.append(last)
        }
        #expect(kennel.told() == [])
        // The same dog twice is modified twice.
        try kennel.realm.write { person.dogs.append(person.dogs[0]) }
        #expect(kennel.told() == ["-[] +[3] ~[]"])
        try kennel.realm.write { person.dogs[0].weight = 4 }
        #expect(kennel.told() == ["-[] +[] ~[0, 3]"])
        withExtendedLifetime(token) {}
    }

    @Test func `a list of values tells of a value that was set as modified`() throws {
        let scratch = try Scratch([AllLists.self])
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let diary = Diary()
        let lists = try realm.write { realm.create(AllLists.self, value: ["ints": [1, 2, 3, 4]]) }
        let tokens = [
            record(lists.ints, diary), record(lists.ints.sorted(ascending: false), diary, "sorted "),
        ]
        scheduler.run()
        #expect(diary.take() == ["initial 4", "sorted initial 4"])
        try realm.write { lists.ints[1] = 20 }
        scheduler.run()
        #expect(diary.take() == ["-[] +[] ~[1]", "sorted -[2] +[0] ~[]"])
        try realm.write {
            lists.ints.remove(at: 0)
            lists.ints.append(objectsIn: [5, 6])
        }
        scheduler.run()
        #expect(diary.take() == ["-[0] +[3, 4] ~[]", "sorted -[3] +[1, 2] ~[]"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `results of something deleted are empty, and frozen ones stay`() throws {
        // Case N13.
        let kennel = try Kennel(["a", "b"])
        let person = try kennel.realm.write {
            let person = kennel.realm.create(Person.self)
            person.dogs.append(objectsIn: kennel.realm.objects(Dog.self))
            return person
        }
        let results = person.dogs.filter("name != 'x'")
        let token = record(results, kennel.diary)
        let frozen = results.freeze()
        #expect(kennel.told() == ["initial 2"])
        try kennel.realm.write { kennel.realm.delete(person) }
        #expect(kennel.told() == ["-[0, 1] +[] ~[]"])
        #expect(results.isEmpty)
        #expect(frozen.count == 2)
        withExtendedLifetime(token) {}
    }

    @Test func `an upsert of equal values tells nobody, one of all values may`() throws {
        // Case N19.
        let kennel = try Kennel()
        let id = ObjectId.generate()
        try kennel.realm.write { kennel.realm.add(Person(value: ["id": id, "name": "Ada", "age": 3])) }
        let token = record(kennel.realm.objects(Person.self), kennel.diary)
        #expect(kennel.told() == ["initial 1"])
        try kennel.realm.write {
            kennel.realm.add(Person(value: ["id": id, "name": "Ada", "age": 3]), update: .modified)
        }
        #expect(kennel.told() == [])
        try kennel.realm.write {
            kennel.realm.add(Person(value: ["id": id, "name": "Ada", "age": 3]), update: .all)
        }
        #expect(kennel.told() == ["-[] +[] ~[0]"])
        withExtendedLifetime(token) {}
    }

    @Test func `deleting all, adding and deleting again is told by what comes of it`() throws {
        // Case N22.
        let kennel = try Kennel(["a"])
        let person = try kennel.realm.write {
            let person = kennel.realm.create(Person.self)
            person.dogs.append(objectsIn: kennel.realm.objects(Dog.self))
            return person
        }
        let token = record(kennel.realm.objects(Person.self), kennel.diary)
        #expect(kennel.told() == ["initial 1"])
        try kennel.realm.write {
            kennel.realm.delete(kennel.realm.objects(Dog.self))
            for _ in 0..<3 { person.dogs.append(Dog()) }
            kennel.realm.delete(kennel.realm.objects(Dog.self))
        }
        #expect(kennel.told() == ["-[] +[] ~[0]"])
        #expect(person.dogs.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `key paths choose what counts as modified`() throws {
        // Case N15, and N25 in part.
        let kennel = try Kennel(["Rex"])
        let realm = kennel.realm
        let dog = try kennel.dog("Rex")
        let person = try realm.write { realm.create(Person.self, value: ["name": "Ada"]) }
        let people = realm.objects(Person.self)
        let tokens = [
            record(people, kennel.diary, "dogs' names ", keyPaths: ["dogs.name"]),
            record(people, kennel.diary, "age ", keyPaths: ["age"]),
            record(realm.objects(Dog.self), kennel.diary, "owners ", keyPaths: ["owners"]),
            record(realm.objects(Dog.self), kennel.diary, "owners' ages ", keyPaths: ["owners.age"]),
            record(people, kennel.diary, "any ", keyPaths: ["*.*"]),
        ]
        #expect(kennel.told().count == 5)
        try realm.write { person.dogs.append(dog) }
        #expect(
            kennel.told() == [
                "dogs' names -[] +[] ~[0]", "owners -[] +[] ~[0]", "owners' ages -[] +[] ~[0]",
                "any -[] +[] ~[0]",
            ])
        try realm.write { dog.name = "Ida" }
        #expect(kennel.told() == ["dogs' names -[] +[] ~[0]", "any -[] +[] ~[0]"])
        try realm.write { dog.weight = 3 }
        #expect(kennel.told() == ["any -[] +[] ~[0]"])
        try realm.write { person.age = 5 }
        #expect(kennel.told() == ["age -[] +[] ~[0]", "owners' ages -[] +[] ~[0]"])
        try realm.write { realm.add(Person()) }
        #expect(
            kennel.told() == [
                "dogs' names -[] +[1] ~[]", "age -[] +[1] ~[]", "any -[] +[1] ~[]",
            ])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a change in a graph with cycles is seen three links away and no further`() throws {
        // Case N16.
        let kennel = try Kennel()
        let realm = kennel.realm
        let count = 1_000
        let people = try realm.write {
            let people = (0..<count).map { realm.create(Person.self, value: ["age": $0]) }
            for index in 0..<count { people[index].bestFriend = people[(index + 1) % count] }
            return people
        }
        let token = record(realm.objects(Person.self), kennel.diary)
        #expect(kennel.told() == ["initial \(count)"])
        try realm.write { people[500].name = "changed" }
        #expect(kennel.told() == ["-[] +[] ~[497, 498, 499, 500]"])
        withExtendedLifetime(token) {}
    }

    @Test func `on another queue the block is called with a collection of that queue`() throws {
        let kennel = try Kennel(["a"])
        let queue = DispatchQueue(label: "elsewhere")
        let token = kennel.realm.objects(Dog.self).observe(on: queue) { [diary = kennel.diary] change in
            dispatchPrecondition(condition: .onQueue(queue))
            if case .update(let dogs, _, _, _) = change { #expect(dogs.last?.name == "b") }
            diary.note(Self.words(change))
        }
        #expect(kennel.diary.wait(for: "initial 1"))
        try kennel.realm.write { kennel.realm.add(Dog(value: ["name": "b"])) }
        #expect(kennel.diary.wait(for: "-[] +[1] ~[]"))
        #expect(token.invalidate())
        queue.sync {}
    }

    @Test func `on an actor the block is called isolated to it`() async throws {
        actor Place {
            var calls = 0
            func note() { calls += 1 }
        }
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let diary = Diary()
        let place = Place()
        let token = try await Task { @MainActor in
            let realm = try await Realm.open(configuration: configuration)
            return await realm.objects(Dog.self).observe(on: place) { place, change in
                place.note()
                diary.note(Self.words(change))
            }
        }.value
        try scratch.writeElsewhere { $0.add(Dog()) }
        let (first, last) = await Task.detached {
            (diary.wait(for: "initial 0") || diary.wait(for: "initial 1"), diary.all)
        }.value
        #expect(first)
        if last.contains("initial 0") {
            #expect(await Task.detached { diary.wait(for: "-[] +[0] ~[]") }.value)
        }
        #expect(await place.calls >= 1)
        token.invalidate()
    }

    @Test(arguments: ["nothing", "dogs.nothing", "name.length", ""])
    func `a key path that leads nowhere traps`(_ path: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path] in
            let kennel = try Kennel()
            _ = kennel.realm.objects(Person.self).observe(keyPaths: [path]) { _ in }
        }
        expectSentence(result, "Invalid key path")
    }

    @Test func `observing what is frozen, unmanaged or in the middle of a write traps`() async {
        let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Kennel().realm.freeze().objects(Dog.self).observe { _ in }
        }
        expectSentence(frozen, "Frozen Realms do not change")
        let unmanaged = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = List<Int>().observe { _ in }
        }
        expectSentence(unmanaged, "managed by a Realm support change notifications")
        let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let kennel = try Kennel()
            try kennel.realm.write {
                kennel.realm.add(Dog())
                _ = kennel.realm.objects(Dog.self).observe { _ in }
            }
        }
        expectSentence(writing, "Cannot register notification blocks from within write transactions")
    }
}
