import Cairn
import Foundation
import RealmChildModels
import Testing

/// Realms that move by themselves, and what their listeners are told.
struct AutorefreshTests {
    private func record(_ realm: Realm, _ diary: Diary) -> NotificationToken {
        realm.observe { event, realm in
            diary.note(
                "\(event == .didChange ? "didChange" : "refreshRequired") \(realm.objects(Dog.self).count)")
        }
    }

    @Test func `a Realm moves when another thread has committed, as soon as its scheduler delivers`() throws {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let dogs = realm.objects(Dog.self)
        try scratch.writeElsewhere { $0.add(Dog()) }
        #expect(dogs.isEmpty)
        scheduler.run()
        #expect(dogs.count == 1)
        for _ in 0..<5 { try scratch.writeElsewhere { $0.add(Dog()) } }
        // Many commits are one look.
        #expect(scheduler.waitingCount == 1)
        scheduler.run()
        #expect(dogs.count == 6)
    }

    @Test func `listeners are told of own writes at once and of others' when the Realm moves`() throws {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let diary = Diary()
        let token = record(realm, diary)
        try realm.write { realm.add(Dog()) }
        #expect(diary.take() == ["didChange 1"])
        try scratch.writeElsewhere { $0.add(Dog()) }
        #expect(diary.take() == [])
        scheduler.run()
        #expect(diary.take() == ["didChange 2"])
        try scratch.writeElsewhere { $0.add(Dog()) }
        #expect(realm.refresh())
        #expect(diary.take() == ["didChange 3"])
        try scratch.writeElsewhere { $0.add(Dog()) }
        // The begin moves first, then the write itself.
        try realm.write { realm.add(Dog()) }
        #expect(diary.take() == ["didChange 4", "didChange 5"])
        // Nothing changed, nobody is told.
        try realm.write {}
        #expect(!realm.refresh())
        scheduler.run()
        #expect(diary.take() == [])
        token.invalidate()
        try realm.write { realm.add(Dog()) }
        #expect(diary.take() == [])
    }

    @Test func `without autorefresh listeners are told that a refresh is required`() throws {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        realm.autorefresh = false
        let diary = Diary()
        let token = record(realm, diary)
        try scratch.writeElsewhere { $0.add(Dog()) }
        scheduler.run()
        #expect(diary.take() == ["refreshRequired 0"])
        #expect(realm.refresh())
        #expect(diary.take() == ["didChange 1"])
        try realm.write { realm.add(Dog()) }
        scheduler.run()
        #expect(diary.take() == ["didChange 2"])
        withExtendedLifetime(token) {}
    }

    @Test func `a refresh reaches the newest version and then finds nothing more`() async throws {
        // Case N27.
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        for _ in 0..<5 { try scratch.writeElsewhere { $0.add(Dog()) } }
        #expect(realm.refresh())
        #expect(realm.objects(Dog.self).count == 5)
        #expect(!realm.refresh())
        scheduler.run()
        #expect(realm.objects(Dog.self).count == 5)
    }

    @Test func `a token ended in its own block, by another thread, or dropped, calls no more`() throws {
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        let diary = Diary()
        nonisolated(unsafe) var own: NotificationToken?
        own = realm.observe { _, _ in
            diary.note("own")
            #expect(own?.invalidate() == true)
            #expect(own?.invalidate() == false)
        }
        let elsewhere = realm.observe { _, _ in diary.note("elsewhere") }
        var dropped: NotificationToken? = realm.observe { _, _ in diary.note("dropped") }
        try realm.write { realm.add(Dog()) }
        #expect(diary.take() == ["own", "elsewhere", "dropped"])
        try onNewThread { _ = elsewhere.invalidate() }
        #expect(dropped != nil)
        dropped = nil
        try realm.write { realm.add(Dog()) }
        scheduler.run()
        #expect(diary.take() == [])
    }

    @Test func `a listener that ends another one in its block is the last to be called`() throws {
        let scratch = try Scratch()
        let realm = try scratch.realm(ManualScheduler())
        let diary = Diary()
        nonisolated(unsafe) var second: NotificationToken?
        let first = realm.observe { _, _ in
            diary.note("first")
            second = nil
        }
        second = realm.observe { _, _ in diary.note("second") }
        #expect(second != nil)
        try realm.write { realm.add(Dog()) }
        #expect(diary.take() == ["first"])
        withExtendedLifetime(first) {}
    }

    @Test func `what a token holds is let go with it, wherever it is ended`() throws {
        final class Probe {}
        let scratch = try Scratch()
        let scheduler = ManualScheduler()
        let realm = try scratch.realm(scheduler)
        weak var probe: Probe?
        var token: NotificationToken?
        do {
            let held = Probe()
            probe = held
            token = realm.observe { _, _ in withExtendedLifetime(held) {} }
        }
        #expect(probe != nil)
        _ = try onNewThread { [token] in token?.invalidate() }
        scheduler.run()
        #expect(probe == nil)
        token = nil
    }

    @Test func `commits of another process move a Realm and are told`() throws {
        let scratch = try Scratch()
        let queue = DispatchQueue(label: "watch")
        let child = try RealmChildProcess(scratch.url().path)
        #expect(child.ask("open") == "ok")
        let diary = Diary()
        let path = scratch.url().path
        nonisolated(unsafe) var kept: (Realm, NotificationToken)?
        try queue.sync {
            let realm = try Realm(configuration: SharedFile.configuration(path), queue: queue)
            let token = realm.observe { _, realm in
                diary.note(realm.objects(Account.self).first?.summary ?? "none")
            }
            kept = (realm, token)
        }
        #expect(child.ask("post a 5 3") == "ok")
        #expect(diary.wait(for: "a 15 3"))
        // Also when the process is killed right after its commit.
        #expect(child.ask("post a 1 20") == "ok")
        child.kill()
        #expect(diary.wait(for: "a 35 23"))
        queue.sync {
            #expect(kept?.0.objects(Account.self).count == 1)
            kept = nil
        }
    }

    @Test func `a thread with a run loop is told`() throws {
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        let diary = Diary()
        let thread = Thread {
            RunLoop.current.add(Timer(timeInterval: 1_000, repeats: false) { _ in }, forMode: .default)
            nonisolated(unsafe) var token: NotificationToken?
            let start = Timer(timeInterval: 0, repeats: false) { _ in
                guard let realm = try? Realm(configuration: configuration) else { return }
                token = realm.observe { _, realm in diary.note("\(realm.objects(Dog.self).count)") }
                diary.note("ready")
            }
            RunLoop.current.add(start, forMode: .default)
            while !diary.all.contains("1") { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
            token?.invalidate()
            diary.note("ended")
        }
        thread.start()
        #expect(diary.wait(for: "ready"))
        try scratch.writeElsewhere { $0.add(Dog()) }
        #expect(diary.wait(for: "ended"))
    }

    @Test func `listening where nothing is ever delivered traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let scratch = try Scratch()
            let configuration = scratch.configuration()
            try onNewThread { _ = try Realm(configuration: configuration).observe { _, _ in } }
            withExtendedLifetime(scratch) {}
        }
        expectSentence(result, "Can only add notification blocks where they can be called")
    }

    @Test func `listening to a frozen Realm traps`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Scratch().realm().freeze().observe { _, _ in }
        }
        expectSentence(result, "Frozen Realms do not change")
    }
}
