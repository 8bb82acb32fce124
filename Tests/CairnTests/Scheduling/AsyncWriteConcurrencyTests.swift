import Cairn
import CairnStorage
import Dispatch
import Foundation
import Testing

/// Asynchronous writes: blocks one after the other where their Realms belong, committed together (case C03).
struct AsyncWriteConcurrencyTests {
    actor Kennel {
        private var realm: Realm?
        private var dog: Dog?

        func open(_ configuration: Realm.Configuration) async throws {
            realm = try await Realm(configuration: configuration, actor: self)
        }

        private func opened() throws -> Realm {
            guard let realm else { throw TestFailure() }
            return realm
        }

        func add(_ name: String) async throws -> Int {
            let realm = try opened()
            return try await realm.asyncWrite {
                dog = realm.create(Dog.self, value: ["name": name])
                return realm.objects(Dog.self).count
            }
        }

        func fail(_ name: String) async throws {
            let realm = try opened()
            try await realm.asyncWrite {
                dog = realm.create(Dog.self, value: ["name": name])
                throw TestFailure(7)
            }
        }

        func addTwice(_ id: ObjectId) async throws {
            let realm = try opened()
            try await realm.asyncWrite {
                realm.add(Person(value: ["id": id]))
                realm.add(Person(value: ["id": id]))
            }
        }

        func writeInWrite() async throws {
            let realm = try opened()
            try await realm.asyncWrite {
                let other = try Realm(configuration: realm.configuration)
                try other.write { other.add(Dog()) }
            }
        }

        var names: [String] { realm.map { Array($0.objects(Dog.self).map(\.name)) } ?? [] }
        var people: Int { realm?.objects(Person.self).count ?? -1 }
        var isDogGone: Bool { dog?.isInvalidated ?? true }
        var isWriting: Bool { realm?.isPerformingAsynchronousWriteOperations ?? true }
    }

    private func version(_ scratch: Scratch) throws -> UInt64 {
        try Store.open(StoreOptions(path: scratch.url().path)).newestSnapshot().version.value
    }

    @Test func `an asynchronous write is committed when it returns`() async throws {
        let scratch = try Scratch()
        let kennel = Kennel()
        try await kennel.open(scratch.configuration())
        #expect(try await kennel.add("Rex") == 1)
        #expect(try await kennel.add("Ida") == 2)
        #expect(await kennel.names == ["Rex", "Ida"])
        #expect(await !kennel.isDogGone)
        #expect(await !kennel.isWriting)
        #expect(try scratch.realm().objects(Dog.self).count == 2)
    }

    @Test func `a block's own error, a mistake and a write inside undo the write and are thrown`()
        async throws
    {
        let scratch = try Scratch()
        let kennel = Kennel()
        try await kennel.open(scratch.configuration())
        await #expect(throws: TestFailure(7)) { try await kennel.fail("never") }
        #expect(await kennel.isDogGone)
        let mistake = await #expect(throws: Realm.Error.self) { try await kennel.addTwice(.generate()) }
        #expect(mistake?.code == .duplicatePrimaryKey)
        await #expect(throws: Realm.Error.self) { try await kennel.writeInWrite() }
        #expect(await kennel.names.isEmpty)
        #expect(await kennel.people == 0)
        #expect(try await kennel.add("Rex") == 1)
        try scratch.verify()
    }

    @Test func `actors that write concurrently lose nothing, and a mistake of one is undone alone`()
        async throws
    {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let failures = await withTaskGroup(of: Int.self) { group in
            for actor in 0..<8 {
                group.addTask {
                    let kennel = Kennel()
                    var failures = 0
                    do {
                        try await kennel.open(configuration)
                        for number in 0..<25 {
                            if number % 5 == 4 {
                                try? await kennel.addTwice(.generate())
                                try? await kennel.fail("never")
                            } else {
                                _ = try await kennel.add("\(actor) \(number)")
                                if await kennel.isDogGone { failures += 1 }
                            }
                        }
                    } catch {
                        failures += 1
                    }
                    return failures
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
        let realm = try scratch.realm()
        #expect(realm.objects(Person.self).isEmpty)
        #expect(Set(realm.objects(Dog.self).map(\.name)).count == 160)
        #expect(realm.objects(Dog.self).count == 160)
        try scratch.verify()
    }

    @Test func `writes that wait at the same time are one version`() throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let blocking = try scratch.realm()
        let diary = Diary()
        let queues = (0..<10).map { DispatchQueue(label: "writer \($0)") }
        let before = try version(scratch)
        try blocking.write {
            blocking.add(Dog(value: ["name": "first"]))
            for (number, queue) in queues.enumerated() {
                try queue.sync {
                    let realm = try Realm(configuration: configuration, queue: queue)
                    realm.writeAsync {
                        realm.add(Dog(value: ["name": "\(number)"]))
                    } onComplete: { error in
                        diary.note(error == nil ? "done \(number)" : "failed \(number)")
                    }
                }
            }
        }
        for number in 0..<10 { #expect(diary.wait(for: "done \(number)")) }
        blocking.refresh()
        #expect(blocking.objects(Dog.self).count == 11)
        // One is the first write's. A machine that is very busy may split a group.
        #expect(try version(scratch) - before <= 5)
    }

    @Test func `asynchronous and other writes on one queue all commit, also without their Realm`() throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let queue = DispatchQueue(label: "mixed")
        let diary = Diary()
        for round in 0..<20 {
            try queue.sync {
                let realm = try Realm(configuration: configuration, queue: queue)
                realm.writeAsync {
                    realm.add(Dog(value: ["name": "A"]))
                } onComplete: { _ in
                    diary.note("A \(round)")
                }
                try realm.write { realm.add(Dog(value: ["name": "B"])) }
                realm.writeAsync {
                    realm.add(Dog(value: ["name": "C"]))
                } onComplete: { _ in
                    diary.note("C \(round)")
                }
                #expect(realm.isPerformingAsynchronousWriteOperations)
            }
            #expect(diary.wait(for: "A \(round)"))
            #expect(diary.wait(for: "C \(round)"))
        }
        #expect(try scratch.realm().objects(Dog.self).count == 60)
    }

    @Test func `a cancelled write removes itself alone, and its block never runs`() throws {
        let scratch = try Scratch()
        let blocking = try scratch.realm()
        let scheduler = ManualScheduler()
        let diary = Diary()
        let realm = try scratch.realm(scheduler)
        try onNewThread { [configuration = scratch.configuration()] in
            let other = try Realm(configuration: configuration)
            try other.write { other.add(Dog()) }
        }
        try blocking.write {
            let first = realm.writeAsync { diary.note("first") }
            realm.writeAsync {
                diary.note("second")
            } onComplete: { _ in
                diary.note("end")
            }
            try realm.cancelAsyncWrite(first)
            try realm.cancelAsyncWrite(4_711)
        }
        #expect(scheduler.run(until: diary, has: "end"))
        #expect(diary.all == ["second", "end"])
        #expect(!realm.isPerformingAsynchronousWriteOperations)
    }

    @Test func `a cancelled task's block never runs`() async throws {
        let scratch = try Scratch()
        let kennel = Kennel()
        try await kennel.open(scratch.configuration())
        let opened = scratch.configuration()
        let queue = DispatchQueue(label: "blocking")
        nonisolated(unsafe) var blocking: Realm?
        try queue.sync {
            blocking = try Realm(configuration: opened, queue: queue)
            blocking?.beginWrite()
        }
        let task = Task { try await kennel.add("never") }
        while await !kennel.isWriting { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try queue.sync {
            try blocking?.commitWrite()
            blocking = nil
        }
        #expect(try await kennel.add("Rex") == 1)
    }

    @Test func `a write that its block does not commit is undone`() throws {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let diary = Diary()
        realm.beginAsyncWrite {
            realm.add(Dog())
            diary.note("begun \(realm.objects(Dog.self).count)")
        }
        #expect(scheduler.run(until: diary, has: "begun 1"))
        #expect(realm.objects(Dog.self).isEmpty)
        realm.beginAsyncWrite {
            realm.add(Dog())
            realm.commitAsyncWrite { error in diary.note("committed \(error == nil)") }
            #expect(!realm.isInWriteTransaction)
        }
        #expect(scheduler.run(until: diary, has: "committed true"))
        #expect(realm.objects(Dog.self).count == 1)
        realm.writeAsync {
            realm.add(Dog())
            realm.cancelWrite()
        } onComplete: { error in
            diary.note("cancelled \(error != nil)")
        }
        #expect(scheduler.run(until: diary, has: "cancelled true"))
        #expect(realm.objects(Dog.self).count == 1)
        #expect(!realm.isPerformingAsynchronousWriteOperations)
    }

    @Test func `a mistake reaches the completion`() throws {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let diary = Diary()
        let id = ObjectId.generate()
        realm.writeAsync {
            realm.add(Person(value: ["id": id]))
            realm.add(Person(value: ["id": id]))
        } onComplete: { error in
            diary.note((error as? Realm.Error)?.code == .duplicatePrimaryKey ? "duplicate" : "other")
        }
        #expect(scheduler.run(until: diary, has: "duplicate"))
        #expect(realm.objects(Person.self).isEmpty)
    }

    @Test func `an object that a block has added can be used before the commit is told`() throws {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let diary = Diary()
        nonisolated(unsafe) var dog: Dog?
        realm.writeAsync {
            dog = realm.create(Dog.self, value: ["name": "Rex"])
        } onComplete: { _ in
            diary.note("end")
        }
        while dog == nil { scheduler.run() }
        #expect(dog?.name == "Rex")
        #expect(dog?.isInvalidated == false)
        #expect(scheduler.run(until: diary, has: "end"))
        #expect(dog?.name == "Rex")
    }

    @Test func `a place that does not come keeps nobody from writing, and has its turn when it does`() throws
    {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let diary = Diary()
        realm.writeAsync {
            realm.add(Dog(value: ["name": "late"]))
        } onComplete: { _ in
            diary.note("end")
        }
        // The scheduler is not run: its place is busy.
        try scratch.writeElsewhere { $0.add(Dog(value: ["name": "early"])) }
        try realm.write { realm.add(Dog(value: ["name": "own"])) }
        #expect(scheduler.run(until: diary, has: "end"))
        #expect(Array(realm.objects(Dog.self).map(\.name)) == ["early", "own", "late"])
    }

    @Test func `listeners are told of an asynchronous write before its completion`() throws {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let diary = Diary()
        let token = realm.observe { _, realm in diary.note("didChange \(realm.objects(Dog.self).count)") }
        realm.writeAsync {
            realm.add(Dog())
        } onComplete: { _ in
            diary.note("end")
        }
        #expect(scheduler.run(until: diary, has: "end"))
        #expect(diary.all == ["didChange 1", "end"])
        withExtendedLifetime(token) {}
    }
}
