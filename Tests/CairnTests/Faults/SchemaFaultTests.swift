import Cairn
import CairnStorage
import Foundation
import Testing

/// Faults that come about when the schema of an open file changes.
struct SchemaFaultTests {
    /// Changes the schema as a program with newer classes does.
    private func changeSchema(
        _ scratch: Scratch, _ change: @escaping (Session) throws -> Void
    ) throws {
        let store = try Store.open(StoreOptions(path: scratch.url().path, durability: .none))
        let session = try store.makeSession()
        try store.beginWrite(session)
        try change(session)
        _ = try store.commit(session, durability: .none)
    }

    /// The write was refused after the session had moved: what it read afterwards were tables that had been
    /// freed.
    @Test func `a class that another program removes ends the writes and not the reads`() throws {
        let scratch = try Scratch([Person.self, Dog.self, Node.self])
        let realm = try scratch.realm()
        try realm.write {
            realm.add(Person(value: ["name": "Ada", "dogs": [["name": "Rex"]]]))
            realm.add([Node(), Node()])
        }
        let person = realm.objects(Person.self)[0]
        let node = realm.objects(Node.self)[1]
        let frozen = node.freeze()
        try changeSchema(scratch) { session in
            guard let space = session.schema["Node"]?.space else { throw TestFailure() }
            try session.removeTable(space)
        }
        for _ in 0..<3 {
            #expect(!realm.refresh())
            let error = #expect(throws: Realm.Error.self) { try realm.write { person.name = "Bob" } }
            #expect(error?.code == .schemaMismatch)
            #expect(!realm.isInWriteTransaction)
            realm.beginWrite()
            realm.add(Dog())
            #expect(throws: Realm.Error.self) { try realm.commitWrite() }
            // Still at its version.
            #expect(person.name == "Ada" && person.dogs.map(\.name) == ["Rex"])
            #expect(realm.objects(Node.self).count == 2)
            #expect(node.number == 0 && !node.isInvalidated)
            #expect(frozen.number == 0)
        }
    }

    @Test func `a Realm that was invalidated begins a write when another program has removed a class`() throws
    {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { realm.add(Dog()) }
        realm.invalidate()
        try changeSchema(scratch) { session in
            guard let person = session.schema["Person"]?.space, let dog = session.schema["Dog"]?.space else {
                throw TestFailure()
            }
            try session.removeTable(person)
            try session.removeTable(dog)
        }
        let error = #expect(throws: Realm.Error.self) { try realm.write { realm.add(Dog()) } }
        #expect(error?.code == .schemaMismatch)
    }

    @Test func `a property that another program removes`() throws {
        let scratch = try Scratch([Person.self, Dog.self])
        let realm = try scratch.realm()
        try realm.write { realm.add(Person(value: ["name": "Ada", "age": 36])) }
        let person = realm.objects(Person.self)[0]
        try changeSchema(scratch) { session in
            guard let table = session.schema["Person"], let age = table.position(named: "age") else {
                throw TestFailure()
            }
            try session.removeColumn(table.columns[age].id, from: table.space)
        }
        #expect(!realm.refresh())
        #expect(throws: Realm.Error.self) { try realm.write { person.age = 1 } }
        #expect(person.age == 36 && person.name == "Ada")
    }

    @Test func `what is frozen reads on while the file gets more classes`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        try realm.write { realm.add(Person(value: ["name": "Ada", "dogs": [["name": "Rex"]]])) }
        let person = realm.objects(Person.self)[0]
        nonisolated(unsafe) let before = person.freeze()
        #expect(before.dogs[0].owners.count == 1)
        let grown = try Realm(
            configuration: Realm.Configuration(
                fileURL: scratch.url(), objectTypes: [Dog.self, Person.self, Kennel.self]))
        try grown.write {
            grown.create(Kennel.self, value: ["dog": grown.objects(Dog.self)[0]])
            grown.objects(Person.self)[0].name = "Bob"
        }
        nonisolated(unsafe) let after = grown.objects(Kennel.self)[0].freeze()
        #expect(person.name == "Ada")
        try onNewThread {
            #expect(before.name == "Ada" && before.dogs[0].owners.first?.name == "Ada")
            #expect(after.dog?.owners[0].name == "Bob")
            #expect(before.thaw()?.name == "Bob")
        }
        #expect(realm.refresh())
        #expect(person.name == "Bob" && person.dogs[0].owners.first == person)
        try realm.write { realm.delete(person.dogs) }
        #expect(grown.objects(Kennel.self)[0].dog != nil)
        #expect(grown.refresh())
        #expect(grown.objects(Kennel.self)[0].dog == nil)
        #expect(before.dogs.count == 1 && after.dog?.name == "Rex")
        try scratch.verify()
    }

    @Test func `threads that open one file with other classes each`() throws {
        let scratch = try Scratch()
        let failures = FailureCount()
        let url = scratch.url()
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            do {
                try onNewThread {
                    let sets: [[ObjectBase.Type]] = [
                        [Dog.self, Person.self], [Dog.self, Person.self, Kennel.self], [Node.self],
                        [Animal.self, Node.self],
                    ]
                    for round in 0..<10 {
                        var configuration = Realm.Configuration(
                            fileURL: url, objectTypes: sets[(number + round) % 4])
                        configuration.durability = .none
                        let realm = try Realm(configuration: configuration)
                        try realm.write {
                            if realm.schema["Dog"] != nil { realm.add(Dog()) }
                            if realm.schema["Node"] != nil { realm.add(Node()) }
                        }
                    }
                }
            } catch {
                failures.note("\(error)")
            }
        }
        #expect(failures.texts.isEmpty, "\(failures.texts)")
        let dogs = try Realm(configuration: scratch.configuration())
        #expect(dogs.objects(Dog.self).count == 20)
        try scratch.verify()
    }
}

/// Links to a class that others store without it.
final class Kennel: Object {
    @Persisted var dog: Dog?
}
