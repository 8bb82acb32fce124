import Cairn
import Foundation
import Testing

/// What observers of one object are told.
struct ObjectNotificationTests {
    private struct Home {
        let scratch: Scratch
        let scheduler = ManualScheduler()
        let realm: Realm
        let person: Person
        let diary = Diary()

        init() throws {
            scratch = try Scratch()
            let realm = try scratch.realm(scheduler)
            self.realm = realm
            person = try realm.write { realm.create(Person.self, value: ["name": "Ada", "age": 3]) }
        }

        func told() -> [String] {
            scheduler.run()
            return diary.take()
        }

        func observe(_ keyPaths: [String]? = nil) -> NotificationToken {
            person.observe(keyPaths: keyPaths) { [diary] in diary.note(ObjectNotificationTests.words($0)) }
        }
    }

    private static func words<T>(_ change: ObjectChange<T>) -> String {
        switch change {
        case .change(_, let properties):
            properties.map { "\($0.name) \(text($0.oldValue))>\(text($0.newValue))" }.joined(separator: ", ")
        case .deleted: "deleted"
        case .error(let error): "error \(error)"
        }
    }

    private static func text(_ value: Any?) -> String {
        guard let value else { return "nil" }
        return (value as? Person).map { $0.isInvalidated ? "gone" : $0.name } ?? "\(value)"
    }

    @Test func `own writes are told with new values, others' with old ones too`() throws {
        let home = try Home()
        let token = home.observe()
        #expect(home.told() == [])
        try home.realm.write {
            home.person.age = 4
            home.person.name = "Bea"
        }
        #expect(home.told() == ["name nil>Bea, age nil>4"])
        try home.scratch.writeElsewhere { $0.objects(Person.self)[0].age = 5 }
        #expect(home.told() == ["age 4>5"])
        try home.scratch.writeElsewhere { realm in
            realm.objects(Person.self)[0].bestFriend = realm.create(Person.self, value: ["name": "Eve"])
        }
        #expect(home.told() == ["bestFriend nil>Eve"])
        try home.scratch.writeElsewhere { realm in
            realm.delete(realm.objects(Person.self)[1])
        }
        #expect(home.told() == ["bestFriend gone>nil"])
        try home.realm.write { home.person.dogs.append(Dog()) }
        #expect(home.told() == ["dogs nil>nil"])
        withExtendedLifetime(token) {}
    }

    @Test func `a deleted object is told once and then nothing`() throws {
        let home = try Home()
        let token = home.observe()
        try home.scratch.writeElsewhere { realm in
            realm.objects(Person.self)[0].age = 9
            realm.delete(realm.objects(Person.self)[0])
        }
        #expect(home.told() == ["deleted"])
        try home.realm.write { home.realm.add(Person()) }
        #expect(home.told() == [])
        #expect(!token.invalidate())
    }

    @Test func `what others do to other objects is not told`() throws {
        let home = try Home()
        let token = home.observe()
        try home.scratch.writeElsewhere { realm in
            // Who links to the object does not change it.
            realm.create(Person.self).bestFriend = realm.objects(Person.self)[0]
        }
        #expect(home.told() == [])
        withExtendedLifetime(token) {}
    }

    @Test func `key paths choose the properties, through links and nil links too`() throws {
        // Case N15.
        let home = try Home()
        let token = home.observe(["bestFriend.name"])
        let friend = try home.realm.write {
            let friend = home.realm.create(Person.self, value: ["name": "Eve"])
            home.person.bestFriend = friend
            return friend
        }
        #expect(home.told() == ["bestFriend nil>Eve"])
        try home.realm.write { friend.name = "Eva" }
        #expect(home.told() == ["bestFriend nil>Eva"])
        try home.realm.write { friend.age = 77 }
        #expect(home.told() == [])
        try home.realm.write { home.person.bestFriend = nil }
        #expect(home.told() == ["bestFriend nil>nil"])
        try home.realm.write { friend.name = "Ewa" }
        #expect(home.told() == [])
        withExtendedLifetime(token) {}
    }

    @Test func `key paths of the language name the same properties`() throws {
        let home = try Home()
        let token = home.person.observe(keyPaths: [\.age, \.bestFriend?.name]) { [diary = home.diary] in
            diary.note(Self.words($0))
        }
        try home.realm.write { home.person.name = "Bea" }
        #expect(home.told() == [])
        try home.realm.write { home.person.age = 50 }
        #expect(home.told() == ["age nil>50"])
        withExtendedLifetime(token) {}
    }

    @Test func `setting a property to the value it has is told`() throws {
        let home = try Home()
        let token = home.observe()
        try home.realm.write { home.person.age = home.person.age }
        #expect(home.told() == ["age nil>3"])
        withExtendedLifetime(token) {}
    }

    @Test func `no call begins after a token was invalidated where the object belongs`() throws {
        // Case N09.
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let queue = DispatchQueue(label: "owner")
        let writer = Thread {
            guard let realm = try? Realm(configuration: configuration) else { return }
            while !Thread.current.isCancelled {
                try? realm.write { realm.objects(Person.self).first?.age += 1 }
            }
        }
        nonisolated(unsafe) var realm: Realm?
        try queue.sync {
            let opened = try Realm(configuration: configuration, queue: queue)
            try opened.write { opened.add(Person()) }
            realm = opened
        }
        writer.start()
        let calls = Diary()
        let limit = Date(timeIntervalSinceNow: 30)
        var round = 0
        while round < 300 || (!calls.all.contains("called") && Date() < limit) {
            round += 1
            try queue.sync {
                let person = try #require(realm?.objects(Person.self).first)
                nonisolated(unsafe) var hasEnded = false
                let token = person.observe { _ in
                    if hasEnded { calls.note("too late") }
                    calls.note("called")
                }
                if round.isMultiple(of: 3) { realm?.refresh() }
                token.invalidate()
                hasEnded = true
            }
        }
        writer.cancel()
        queue.sync { realm = nil }
        #expect(!calls.all.contains("too late"))
        #expect(calls.all.contains("called"))
    }
}
