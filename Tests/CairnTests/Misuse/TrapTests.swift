import Cairn
import Foundation
import Testing

/// Misuse outside of a write traps, with a sentence that says what was done, to what, and where.
struct TrapTests {
    @Test func `changing an object outside of a write`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            let dog = Dog()
            try realm.write { realm.add(dog) }
            dog.name = "x"
        }
        expectSentence(result, "Attempting to modify object outside of a write transaction", "Dog.name")
    }

    @Test func `changing a list outside of a write`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            let person = Person()
            try realm.write { realm.add(person) }
            person.dogs.append(Dog())
        }
        expectSentence(result, "Cannot modify List outside of a write transaction", "Person.dogs")
    }

    @Test func `adding outside of a write`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { try Scratch().realm().add(Dog()) }
        expectSentence(result, "Can only add, remove, or create objects in a Realm in a write transaction")
    }

    @Test func `changing what is frozen`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            let dog = Dog()
            try realm.write { realm.add(dog) }
            dog.freeze().name = "x"
        }
        expectSentence(result, "Attempting to modify a frozen object", "Dog.name")
    }

    @Test func `an object on another thread`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            let dog = Dog()
            try realm.write { realm.add(dog) }
            nonisolated(unsafe) let same = dog
            try onNewThread { _ = same.name }
        }
        expectSentence(
            result, "Realm accessed from incorrect thread", "Dog.name was used on thread", "it was opened at",
            "ScratchRealm.swift")
    }

    @Test func `a loop that goes on on another thread`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            try realm.write { realm.add(Dog()) }
            nonisolated(unsafe) var loop = realm.objects(Dog.self).makeIterator()
            try onNewThread { _ = loop.next() }
        }
        expectSentence(result, "Realm accessed from incorrect thread", "A loop over 'Dog'")
    }

    @Test func `a write on another thread`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            nonisolated(unsafe) let same = realm
            try onNewThread { try same.write {} }
        }
        expectSentence(result, "Realm accessed from incorrect thread")
    }

    @Test func `a Realm that another thread invalidates`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            nonisolated(unsafe) let same = realm
            try onNewThread { same.invalidate() }
        }
        expectSentence(result, "Realm accessed from incorrect thread")
    }

    @Test func `a write inside a write`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            try realm.write { try realm.write {} }
        }
        expectSentence(result, "already in a write transaction")
    }

    @Test func `reading a deleted object`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            let dog = Dog()
            try realm.write {
                realm.add(dog)
            }
            try realm.write { realm.delete(dog) }
            _ = dog.name
        }
        expectSentence(result, "Object has been deleted or invalidated", "Dog.name")
    }

    @Test func `an index out of bounds`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try Scratch().realm().objects(Dog.self)[0] }
        expectSentence(result, "Index 0 is out of bounds (must be less than 0)", "Results of 'Dog'")
    }

    @Test func `a class that is not in the schema`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try Scratch().realm().objects(AllTypes.self) }
        expectSentence(result, "'AllTypes' is not managed by the Realm")
    }

    @Test func `a key of the wrong type`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = try Scratch().realm().object(ofType: Person.self, forPrimaryKey: "text") }
        expectSentence(result, "Invalid value 'text'", "Person.id")
    }

    @Test func `a reference that is resolved twice`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            let dog = Dog()
            try realm.write { realm.add(dog) }
            let reference = ThreadSafeReference(to: dog)
            _ = realm.resolve(reference)
            _ = realm.resolve(reference)
        }
        expectSentence(result, "Can only resolve a thread safe reference once")
    }

    @Test func `a reference to what is unmanaged`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { _ = ThreadSafeReference(to: Dog()) }
        expectSentence(result, "Cannot construct a reference", "not managed by a Realm")
    }

    @Test func `writing to a read-only Realm`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let scratch = try Scratch()
            try autoreleasing { _ = try scratch.realm() }
            var configuration = scratch.configuration()
            configuration.readOnly = true
            let realm = try Realm(configuration: configuration)
            try realm.write {}
        }
        expectSentence(result, "Can't begin a write transaction on a read-only Realm")
    }

    @Test func `a thousand mistakes in one write`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let realm = try Scratch().realm()
            try realm.write { while true { realm.add(Dog(), update: .all) } }
        }
        expectSentence(result, "1000 mistakes were made in one write")
    }

    @Test func `the hook is told of every mistake and can take one back`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let realm = try scratch.realm()
            let seen = FailureCount()
            MisuseHook.set { error in
                seen.note("\(error.code)")
                return true
            }
            let dog = Dog(value: ["name": "kept"])
            try realm.write {
                realm.add(Dog(), update: .all)
                realm.add(dog)
            }
            dog.name = "changed"
            MisuseHook.set(nil)
            precondition(seen.texts == ["misuse", "misuse"])
            precondition(realm.objects(Dog.self).map(\.name) == ["kept"])
        }
    }
}
