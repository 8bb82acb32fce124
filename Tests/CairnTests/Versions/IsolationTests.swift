import Cairn
import Foundation
import Testing

/// A Realm sees one version; others never disturb it.
struct IsolationTests {
    @Test func `a Realm stays at its version until it is refreshed`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog(value: ["name": "old"])
        try realm.write { realm.add(dog) }
        let dogs = realm.objects(Dog.self)
        let configuration = scratch.configuration()
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write {
                realm.objects(Dog.self)[0].name = "new"
                realm.add(Dog())
            }
        }
        #expect(dog.name == "old" && dogs.count == 1)
        #expect(realm.refresh())
        #expect(dog.name == "new" && dogs.count == 2)
        #expect(!realm.refresh())
    }

    @Test func `beginning a write moves to the newest version`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let configuration = scratch.configuration()
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.add(Dog()) }
        }
        #expect(realm.objects(Dog.self).isEmpty)
        realm.beginWrite()
        #expect(realm.objects(Dog.self).count == 1)
        #expect(!realm.refresh())
        realm.cancelWrite()
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test func `an object that others delete is alive until the Realm moves`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog(value: ["name": "Rex"])
        try realm.write { realm.add(dog) }
        let configuration = scratch.configuration()
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.deleteAll() }
        }
        #expect(dog.name == "Rex" && !dog.isInvalidated)
        realm.refresh()
        #expect(dog.isInvalidated)
    }

    @Test func `Realms of one thread and file are one`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let same = try scratch.realm()
        #expect(realm == same)
        try realm.write { same.add(Dog()) }
        #expect(same.objects(Dog.self).count == 1)
        // Another way to name the file.
        var configuration = scratch.configuration()
        configuration.fileURL = scratch.folder.appendingPathComponent(
            "../\(scratch.folder.lastPathComponent)/test.cairn")
        #expect(try Realm(configuration: configuration) == realm)
        // Other classes make another Realm of it.
        configuration.objectTypes = [Dog.self, Person.self, AllTypes.self]
        let other = try Realm(configuration: configuration)
        #expect(other != realm)
        #expect(other.objects(Dog.self).count == 1)
    }

    @Test func `many short threads may open, read and drop (case C01)`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
        let configuration = scratch.configuration()
        let isLong = ProcessInfo.processInfo.environment["CAIRN_LONG"] != nil
        for _ in 0..<(isLong ? 100_000 : 200) {
            let name = try onNewThread {
                let realm = try Realm(configuration: configuration)
                return realm.objects(Dog.self).first?.name
            }
            #expect(name == "Rex")
        }
    }

    @Test func `threads that open and close the same file (case C12)`() throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let failures = FailureCount()
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            for round in 0..<50 {
                do {
                    let realm = try Realm(configuration: configuration)
                    if round % 10 == number % 10 { try realm.write { realm.add(Dog()) } }
                    _ = realm.objects(Dog.self).count
                } catch {
                    failures.note("\(error)")
                }
            }
        }
        #expect(failures.texts.isEmpty)
        let realm = try scratch.realm()
        #expect(realm.objects(Dog.self).count == 40)
        try scratch.verify()
    }

    @Test func `writers on many threads lose nothing`() throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let realm = try scratch.realm()
        let dog = Dog(value: ["weight": 0])
        try realm.write { realm.add(dog) }
        let failures = FailureCount()
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            do {
                let realm = try Realm(configuration: configuration)
                for _ in 0..<30 {
                    try realm.write {
                        let dog = realm.objects(Dog.self)[0]
                        dog.weight = (dog.weight ?? 0) + 1
                    }
                }
            } catch {
                failures.note("\(error)")
            }
        }
        #expect(failures.texts.isEmpty)
        realm.refresh()
        #expect(dog.weight == 180)
        try scratch.verify()
    }

    @Test func `row keys of a write that was undone lead nowhere`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let ghost = Dog(value: ["name": "ghost"])
        realm.beginWrite()
        realm.add(ghost)
        realm.cancelWrite()
        try realm.write { realm.add(Dog(value: ["name": "real"])) }
        #expect(ghost.isInvalidated)
        #expect(realm.objects(Dog.self).map(\.name) == ["real"])
    }
}

/// What went wrong on other threads.
final class FailureCount: @unchecked Sendable {
    // @unchecked: guarded by `lock`.
    private let lock = NSLock()
    private var noted: [String] = []

    var texts: [String] { lock.withLock { noted } }

    func note(_ text: String) { lock.withLock { noted.append(text) } }
}
