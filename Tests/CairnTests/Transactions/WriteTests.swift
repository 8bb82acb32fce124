import Cairn
import Foundation
import Testing

struct WriteTests {
    @Test func `write returns what its block returns`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = try realm.write {
            let dog = Dog()
            realm.add(dog)
            return dog
        }
        #expect(dog.realm == realm)
        #expect(!realm.isInWriteTransaction)
    }

    @Test func `an error of the block is thrown on and nothing of it stays`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = Dog()
        #expect(throws: TestFailure(7)) {
            try realm.write {
                realm.add(dog)
                throw TestFailure(7)
            }
        }
        #expect(realm.isEmpty)
        #expect(dog.isInvalidated)
        #expect(!realm.isInWriteTransaction)
        try realm.write { realm.add(Dog()) }
        #expect(realm.objects(Dog.self).count == 1)
        try scratch.verify()
    }

    @Test func `a block may cancel its write, and may throw afterwards`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write {
            realm.add(Dog())
            realm.cancelWrite()
        }
        #expect(throws: TestFailure()) {
            try realm.write {
                realm.add(Dog())
                realm.cancelWrite()
                throw TestFailure()
            }
        }
        #expect(realm.isEmpty)
    }

    @Test func `a block may commit its write itself`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write {
            realm.add(Dog())
            try realm.commitWrite()
        }
        #expect(realm.objects(Dog.self).count == 1)
    }

    @Test func `begin and commit, begin and cancel`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        realm.beginWrite()
        #expect(realm.isInWriteTransaction)
        realm.add(Dog())
        try realm.commitWrite()
        realm.beginWrite()
        let second = Dog()
        realm.add(second)
        #expect(realm.objects(Dog.self).count == 2)
        realm.cancelWrite()
        #expect(realm.objects(Dog.self).count == 1)
        #expect(second.isInvalidated)
        #expect(throws: Realm.Error(.fail, "")) { try realm.commitWrite() }
    }

    @Test func `a Realm that is dropped in a write undoes it`() throws {
        let scratch = try Scratch()
        try autoreleasing {
            let realm = try scratch.realm()
            realm.beginWrite()
            realm.add(Dog())
        }
        let realm = try scratch.realm()
        #expect(realm.isEmpty)
        try realm.write { realm.add(Dog()) }
    }

    @Test func `a Realm that is invalidated in a write undoes it`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        realm.beginWrite()
        realm.add(Dog())
        realm.invalidate()
        #expect(!realm.isInWriteTransaction)
        #expect(realm.isEmpty)
    }

    @Test func `own changes are seen inside the write`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dogs = realm.objects(Dog.self)
        try realm.write {
            for number in 0..<1_000 {
                realm.create(Dog.self, value: ["name": "dog \(number)"])
                #expect(dogs.count == number + 1)
            }
            #expect(dogs[999].name == "dog 999")
            realm.delete(dogs[0])
            #expect(dogs.count == 999)
            #expect(dogs[0].name == "dog 1")
            #expect(dogs[998].name == "dog 999")
        }
        try scratch.verify()
    }

    @Test func `a write in progress on another thread is waited for`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let configuration = scratch.configuration()
        realm.beginWrite()
        let other = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.create(Dog.self, value: ["name": "theirs"]) }
            } catch {
                Issue.record(error)
            }
            other.signal()
        }
        realm.create(Dog.self, value: ["name": "mine"])
        try realm.commitWrite()
        other.wait()
        realm.refresh()
        #expect(realm.objects(Dog.self).map(\.name) == ["mine", "theirs"])
    }
}
