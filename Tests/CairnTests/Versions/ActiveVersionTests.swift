import Cairn
import Foundation
import Testing

/// Who holds which version, and how many there may be.
struct ActiveVersionTests {
    @Test func `the oldest version comes first, with who holds it`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm(ManualScheduler())
        let start = Date()
        var frozen: Realm? = realm.freeze()
        try realm.write { realm.add(Dog()) }
        let held = realm.activeVersions
        #expect(held.map(\.isFrozen) == [true, false])
        #expect(held.map(\.holder) == ["a frozen Realm of a test", "a test"])
        #expect(held[0].version < held[1].version)
        #expect(held.allSatisfy { $0.since >= start && $0.since <= Date() })
        #expect(frozen != nil)
        frozen = nil
        #expect(realm.activeVersions.map(\.isFrozen) == [false])
        // A queue's Realm is named by its queue, and lets go when it is invalidated.
        let queue = DispatchQueue(label: "sync")
        let configuration = scratch.configuration()
        try queue.sync {
            let other = try Realm(configuration: configuration, queue: queue)
            #expect(other.activeVersions.map(\.holder).contains("the queue 'sync'"))
            other.invalidate()
            #expect(!other.activeVersions.map(\.holder).contains("the queue 'sync'"))
        }
    }

    @Test func `a write is refused where more versions are held than allowed, and says by whom`() throws {
        let scratch = try Scratch()
        var configuration = scratch.configuration()
        configuration.maximumNumberOfActiveVersions = 5
        let realm = try Realm(configuration: configuration)
        #expect(realm.configuration.maximumNumberOfActiveVersions == 5)
        var frozen: [Realm] = []
        let error = #expect(throws: Realm.Error.self) {
            for _ in 0..<20 {
                frozen.append(realm.freeze())
                try realm.write { realm.add(Dog()) }
            }
        }
        #expect(error?.code == .fail)
        #expect(error?.message.contains("Number of active versions") == true)
        #expect(error?.message.contains("a frozen Realm of") == true)
        #expect((4...6).contains(frozen.count))
        frozen = []
        try realm.write { realm.add(Dog()) }
    }

    @Test func `a Realm that listens holds no old version`() throws {
        // Case H01: results that were never read need no old version.
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let results = (0..<100).map { realm.objects(Dog.self).filter("weight > %@", $0) }
        let token = realm.objects(Dog.self).observe { _ in }
        for _ in 0..<5 {
            try scratch.writeElsewhere { $0.add(Dog()) }
            scheduler.run()
        }
        let newest = try #require(realm.activeVersions.map(\.version).max())
        #expect(realm.activeVersions.allSatisfy { $0.version == newest })
        withExtendedLifetime((results, token)) {}
    }
}
