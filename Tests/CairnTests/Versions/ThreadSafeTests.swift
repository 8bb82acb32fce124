import Cairn
import Dispatch
import Testing

/// References that are read in every place.
struct ThreadSafeTests {
    private final class Holder: @unchecked Sendable {
        // @unchecked: the wrappers are Sendable and stay what they are; the compiler takes them for variables.
        @ThreadSafe var dog: Dog?
        @ThreadSafe var dogs: Results<Dog>?

        init(_ dog: Dog?, _ dogs: Results<Dog>?) {
            _dog = ThreadSafe(wrappedValue: dog)
            _dogs = ThreadSafe(wrappedValue: dogs)
        }
    }

    @Test func `it gives the object of the Realm of each place, again and again`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
        let holder = Holder(dog, realm.objects(Dog.self))
        for _ in 0..<3 {
            let names = try onNewThread { [holder.dog?.name, holder.dogs?.first?.name] }
            #expect(names == ["Rex", "Rex"])
        }
        #expect(holder.dog?.isSameObject(as: dog) == true)
        try onNewThread {
            let dog = holder.dog
            try dog?.realm?.write { dog?.name = "Ida" }
        }
        realm.refresh()
        #expect(dog.name == "Ida")
    }

    @Test func `of a queue's object it gives the queue's own on that queue`() throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let queue = DispatchQueue(label: "owner")
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            let dog = try realm.write { realm.create(Dog.self) }
            let holder = Holder(dog, nil)
            #expect(holder.dog?.realm == realm)
            #expect(holder.dogs == nil)
        }
    }

    @Test func `what was deleted is nil from then on`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm()
        let dog = try realm.write { realm.create(Dog.self) }
        let holder = Holder(dog, nil)
        try realm.write { realm.delete(dog) }
        #expect(holder.dog == nil)
        #expect(try onNewThread { holder.dog == nil })
        holder.dog = try realm.write { realm.create(Dog.self, value: ["name": "new"]) }
        #expect(try onNewThread { holder.dog?.name } == "new")
    }

    @Test func `wrapping what is unmanaged traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ThreadSafe(wrappedValue: Dog())
        }
        expectSentence(result, "Only managed objects may be wrapped as thread safe")
    }
}
