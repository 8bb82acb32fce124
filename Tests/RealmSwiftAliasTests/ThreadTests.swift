import Foundation
import RealmSwift
import Testing

/// What programs do with threads.
struct ThreadTests {
    private let configuration = Realm.Configuration.forTest([TodoItem.self, TodoList.self])

    /// Runs a block on a queue of its own and waits.
    private func inBackground(_ block: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "background").async(execute: block)
    }

    @Test func `a reference is resolved in the background`() async throws {
        let configuration = configuration
        let realm = try Realm(configuration: configuration)
        let item = TodoItem(title: "before")
        try realm.write { realm.add(item) }
        let reference = ThreadSafeReference(to: item)
        let result: Result<Void, any Error> = await withCheckedContinuation { continuation in
            inBackground {
                continuation.resume(
                    returning: Result {
                        let realm = try Realm(configuration: configuration)
                        guard let item = realm.resolve(reference) else { return }
                        try realm.write { item.title = "after" }
                    })
            }
        }
        try result.get()
        let check = try Realm(configuration: configuration)
        check.refresh()
        #expect(check.objects(TodoItem.self).map(\.title) == ["after"])
    }

    @Test func `frozen objects are read anywhere and thawed to be changed`() throws {
        let realm = try Realm(configuration: configuration)
        let list = TodoList(value: ["name": "Trip", "tags": ["sea"], "items": [["title": "Pack"]]])
        try realm.write { realm.add(list) }
        nonisolated(unsafe) let frozen = list.freeze()
        #expect(frozen.isFrozen && !list.isFrozen)
        let done = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var seen: [String] = []
        inBackground {
            seen = [frozen.name] + frozen.tags + frozen.items.map(\.title)
            done.signal()
        }
        done.wait()
        #expect(seen == ["Trip", "sea", "Pack"])
        try realm.write { list.name = "Journey" }
        #expect(frozen.name == "Trip")
        let thawed = try #require(frozen.thaw())
        #expect(thawed.name == "Journey")
        #expect(thawed.isSameObject(as: list))
        #expect(realm.objects(TodoItem.self).freeze().isFrozen)
    }
}
