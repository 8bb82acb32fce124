import Cairn
import Foundation
import Testing

/// Realms that belong to an actor.
struct ActorConcurrencyTests {
    actor Kennel {
        private var realm: Realm?
        private var dog: Dog?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm(configuration: configuration, actor: self)
        }

        func add(_ name: String) throws {
            guard let realm else { throw TestFailure() }
            dog = try realm.write { realm.create(Dog.self, value: ["name": name]) }
        }

        var names: [String] { realm.map { Array($0.objects(Dog.self).map(\.name)) } ?? [] }
        var lastName: String? { dog?.name }

        func isSame(_ configuration: Realm.Configuration) async throws -> Bool {
            try await Realm.open(configuration: configuration) == realm
        }

        func refreshed() async -> Bool { await realm?.asyncRefresh() ?? false }

        func escape() -> Dog? {
            nonisolated(unsafe) let dog = dog
            return dog
        }
    }

    @Test func `an actor's Realm is used by the actor across awaits`() async throws {
        let scratch = try Scratch()
        let kennel = Kennel()
        try await kennel.open(scratch.configuration())
        for number in 0..<50 {
            try await kennel.add("dog \(number)")
            await Task.yield()
            #expect(await kennel.lastName == "dog \(number)")
        }
        #expect(await kennel.names.count == 50)
        #expect(try await kennel.isSame(scratch.configuration()))
    }

    @Test func `two actors see each other's writes after a refresh`() async throws {
        let scratch = try Scratch()
        let (first, second) = (Kennel(), Kennel())
        try await first.open(scratch.configuration())
        try await second.open(scratch.configuration())
        try await first.add("Rex")
        _ = await second.refreshed()
        #expect(await second.names == ["Rex"])
        #expect(await second.refreshed() == false)
    }

    @Test func `the main actor's Realm is that of the main thread`() async throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        try await Task { @MainActor in
            let realm = try await Realm.open(configuration: configuration)
            let same = try Realm(configuration: configuration)
            #expect(realm == same)
            try realm.write { realm.add(Dog()) }
            await Task.yield()
            #expect(realm.objects(Dog.self).count == 1)
        }.value
    }

    @Test func `a Realm of an actor that has gone is not taken for that of another one`() async throws {
        let scratch = try Scratch()
        for _ in 0..<200 {
            let kennel = Kennel()
            try await kennel.open(scratch.configuration())
            try await kennel.add("Rex")
        }
        let last = Kennel()
        try await last.open(scratch.configuration())
        #expect(await last.names.count == 200)
    }

    @Test func `a cancelled task opens nothing`() async throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let task = Task { @MainActor in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await Realm.open(configuration: configuration)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `an actor's object elsewhere traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scratch = try Scratch()
            let kennel = Kennel()
            try await kennel.open(scratch.configuration())
            try await kennel.add("Rex")
            _ = await kennel.lastName
            try await Escape.read(kennel)
        }
        expectSentence(result, "Realm accessed from incorrect thread", "the actor 'Kennel'", "Dog.name")
    }

    private enum Escape {
        static func read(_ kennel: Kennel) async throws {
            struct Box: @unchecked Sendable { let dog: Dog? }
            let box = await kennel.boxed { Box(dog: $0) }
            _ = box.dog?.name
        }
    }

    @Test func `asyncOpen hands a Realm to a queue, or says that it was given up`() throws {
        let scratch = try Scratch()
        let queue = DispatchQueue(label: "open")
        let diary = Diary()
        Realm.asyncOpen(configuration: scratch.configuration(), callbackQueue: queue) { result in
            let realm = try? result.get()
            diary.note(realm?.objects(Dog.self).isEmpty == true ? "open" : "failed")
        }
        #expect(diary.wait(for: "open"))
        let task = queue.sync {
            Realm.asyncOpen(configuration: scratch.configuration("other"), callbackQueue: queue) { result in
                if case .failure(let error) = result, error is CancellationError { diary.note("cancelled") }
            }
        }
        queue.sync { task.cancel() }
        #expect(diary.wait(for: "cancelled") || diary.all == ["open"])
    }
}

extension ActorConcurrencyTests.Kennel {
    func boxed<Box: Sendable>(_ make: @Sendable (Dog?) -> Box) -> Box { make(escape()) }
}
