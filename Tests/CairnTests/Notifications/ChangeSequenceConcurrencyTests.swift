import Cairn
import Foundation
import Testing

/// Changes as sequences.
struct ChangeSequenceConcurrencyTests {
    @Test func `a loop over a collection's changes is told of everything once`() async throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let task = Task { @MainActor in
            let realm = try await Realm.open(configuration: configuration)
            var count = -1
            for await change in realm.objects(Dog.self).changes {
                switch change {
                case .initial(let dogs): count = dogs.count
                case .update(let dogs, let deletions, let insertions, _):
                    count += insertions.count - deletions.count
                    #expect(dogs.count == count)
                case .error: break
                }
                if count == 30 { break }
            }
            return count
        }
        for _ in 0..<30 { try scratch.writeElsewhere { $0.add(Dog()) } }
        #expect(try await task.value == 30)
    }

    @Test func `a loop over an object's changes ends with its deletion`() async throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let diary = Diary()
        let task = Task { @MainActor in
            let realm = try await Realm.open(configuration: configuration)
            let dog = try realm.write { realm.create(Dog.self, value: ["name": "a"]) }
            diary.note("ready")
            for await change in dog.changes {
                switch change {
                case .change(let dog, let properties):
                    diary.note("\(properties.map(\.name)) \(dog.name)")
                    try realm.write { realm.delete(dog) }
                case .deleted: diary.note("deleted")
                case .error: break
                }
            }
            diary.note("ended")
        }
        _ = await Task.detached { diary.wait(for: "ready") }.value
        try scratch.writeElsewhere { $0.objects(Dog.self)[0].name = "b" }
        try await task.value
        #expect(diary.all == ["ready", "[\"name\"] b", "deleted", "ended"])
    }

    @Test func `a cancelled loop ends`() async throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let task = Task { @MainActor in
            let realm = try await Realm.open(configuration: configuration)
            var calls = 0
            for await _ in realm.objects(Dog.self).changes {
                calls += 1
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return calls
        }
        #expect(try await task.value == 1)
    }

    @Test func `a loop ends when its Realm is invalidated`() async throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let calls = try await Task { @MainActor in
            let realm = try await Realm.open(configuration: configuration)
            var calls = 0
            for await _ in realm.objects(Dog.self).changes {
                calls += 1
                realm.invalidate()
            }
            return calls
        }.value
        #expect(calls == 1)
    }
}
