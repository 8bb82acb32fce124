import Cairn
import Dispatch
import Foundation
import Testing

/// Realms that belong to a serial queue, whichever thread runs it (case C01).
struct QueueThreadTests {
    @Test func `a Realm of a queue is used on every thread that runs the queue`() throws {
        let scratch = try Scratch()
        let queue = DispatchQueue(label: "walk")
        let configuration = scratch.configuration()
        nonisolated(unsafe) var kept: (realm: Realm, person: Person)?
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            let person = Person(value: ["name": "Ada", "dogs": [["name": "Rex"], ["name": "Ida"]]])
            try realm.write { realm.add(person) }
            kept = (realm, person)
        }
        for round in 0..<200 {
            // `sync` runs on the caller's thread, `async` on one of the pool.
            try onNewThread {
                try queue.sync {
                    guard let kept else { throw TestFailure() }
                    #expect(kept.person.age == round)
                    #expect(kept.person.dogs.map(\.name) == ["Rex", "Ida"])
                    #expect(kept.realm.objects(Dog.self).map(\.name) == ["Rex", "Ida"])
                    #expect(kept.person.dogs[0].owners.first == kept.person)
                    try kept.realm.write { kept.person.age += 1 }
                }
            }
        }
        queue.sync { kept = nil }
        try scratch.verify()
    }

    @Test func `opening again on a queue gives the same Realm, on another one another`() throws {
        let scratch = try Scratch()
        let first = DispatchQueue(label: "first")
        let second = DispatchQueue(label: "second")
        let configuration = scratch.configuration()
        try first.sync {
            let realm = try Realm(configuration: configuration, queue: first)
            #expect(try realm == Realm(configuration: configuration, queue: first))
            #expect(try realm != Realm(configuration: configuration))
            let frozen = realm.freeze()
            #expect(frozen.thaw() == realm)
            try second.sync {
                let other = try Realm(configuration: configuration, queue: second)
                #expect(other != realm)
                #expect(frozen.thaw() != other)
            }
        }
    }

    @Test func `a write that a queue has left open does not refuse the thread that began it another queue`()
        throws
    {
        let scratch = try Scratch()
        let first = DispatchQueue(label: "first")
        let second = DispatchQueue(label: "second")
        let configuration = scratch.configuration()
        nonisolated(unsafe) var open: Realm?
        try first.sync {
            open = try Realm(configuration: configuration, queue: first)
            open?.beginWrite()
            open?.add(Dog(value: ["name": "first"]))
        }
        // This thread has begun the write. Its other queue has to wait for it, not to be refused.
        let isWaiting = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var failure: (any Error)?
        second.async {
            isWaiting.signal()
            do {
                let realm = try Realm(configuration: configuration, queue: second)
                try realm.write { realm.add(Dog(value: ["name": "second"])) }
            } catch {
                failure = error
            }
            ended.signal()
        }
        isWaiting.wait()
        try first.sync { try open?.commitWrite() }
        #expect(ended.wait(timeout: .now() + 30) == .success)
        #expect(failure == nil)
        try first.sync {
            open?.refresh()
            let names = try #require(open).objects(Dog.self).map(\.name)
            #expect(Array(names) == ["first", "second"])
            open = nil
        }
    }

    @Test func `a loop over a queue's objects ends when the Realm is invalidated`() throws {
        let scratch = try Scratch()
        let queue = DispatchQueue(label: "loop")
        let configuration = scratch.configuration()
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            try realm.write { for _ in 0..<10 { realm.add(Dog()) } }
            var count = 0
            for _ in realm.objects(Dog.self) {
                count += 1
                if count == 3 { realm.invalidate() }
            }
            #expect(count == 3)
        }
    }

    @Test func `another queue's Realm traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scratch = try Scratch()
            let queue = DispatchQueue(label: "owner")
            let configuration = scratch.configuration()
            nonisolated(unsafe) var dog: Dog?
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                dog = try realm.write { realm.create(Dog.self) }
            }
            _ = dog?.name
        }
        expectSentence(result, "Realm accessed from incorrect thread", "the queue 'owner'", "Dog.name")
    }

    @Test func `opening for a queue elsewhere traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scratch = try Scratch()
            _ = try Realm(configuration: scratch.configuration(), queue: DispatchQueue(label: "absent"))
        }
        expectSentence(result, "Realm opened from incorrect dispatch queue", "the queue 'absent'")
    }
}
