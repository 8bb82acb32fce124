import Cairn
import Dispatch
import Foundation
import RealmChildModels
import Testing

/// Observers while others write without pause, in this process and in another.
struct ObservingConcurrencyTests {
    @Test func `observers follow what another process commits, until it is killed`() throws {
        // Case N21.
        let scratch = try Scratch()
        let path = scratch.url().path
        let child = try RealmChildProcess(path)
        #expect(child.ask("open") == "ok")
        #expect(child.ask("post a 1 1") == "ok")
        let queue = DispatchQueue(label: "observer")
        let diary = Diary()
        nonisolated(unsafe) var followers: [Follower] = []
        nonisolated(unsafe) var token: NotificationToken?
        try queue.sync {
            let realm = try Realm(configuration: SharedFile.configuration(path), queue: queue)
            let account = try #require(realm.objects(Account.self).first)
            let entry = try #require(account.entries.first)
            followers = [
                Follower("accounts", realm.objects(Account.self)) {
                    Follower.Element(key: $0.name, content: $0.summary)
                },
                Follower("entries", account.entries) {
                    Follower.Element(key: "\($0.number) \($0.text)", content: "")
                },
                Follower("inverse", entry.accounts) {
                    Follower.Element(key: $0.name, content: "\($0.balance)")
                },
            ]
            token = account.entries.observe { change in
                if case .update(let entries, _, _, _) = change { diary.note("\(entries.count)") }
            }
        }
        #expect(child.ask("post a 1 200") == "ok")
        child.kill()
        #expect(diary.wait(for: "201"))
        queue.sync {
            for follower in followers {
                follower.finish()
                #expect(follower.faults.isEmpty, "\(follower.name): \(follower.faults.prefix(3))")
                #expect(follower.updateCount > 0, "\(follower.name)")
            }
            followers = []
            #expect(token?.invalidate() == true)
        }
    }

    @Test func `every version is whole while one thread writes and others refresh, observe and freeze`()
        throws
    {
        // Case N24: of each person the name says the age.
        let scratch = try Scratch()
        let configuration = scratch.configuration()
        try scratch.writeElsewhere { $0.create(Person.self, value: ["name": "0"]) }
        let faults = Diary()
        let check: @Sendable (Person?, String) -> Void = { person, place in
            guard let person, person.name == "\(person.age)" else { return faults.note(place) }
        }
        let queue = DispatchQueue(label: "observer")
        let diary = Diary()
        nonisolated(unsafe) var token: NotificationToken?
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            token = realm.objects(Person.self).observe { change in
                guard case .update(let people, _, _, _) = change else { return }
                check(people.first, "observer")
                diary.note("\(people.first?.age ?? -1)")
            }
        }
        let count = 1_500
        DispatchQueue.concurrentPerform(iterations: 3) { thread in
            guard let realm = try? Realm(configuration: configuration) else { return faults.note("open") }
            guard let person = realm.objects(Person.self).first else { return faults.note("find") }
            for round in 1...count {
                switch thread {
                case 0:
                    try? realm.write {
                        person.age = round
                        person.name = "\(round)"
                    }
                case 1:
                    realm.refresh()
                    check(person, "refresh")
                default:
                    check(person.freeze(), "freeze")
                    check(person.freeze().thaw(), "thaw")
                    if round.isMultiple(of: 7) { realm.refresh() }
                }
            }
        }
        #expect(diary.wait(for: "\(count)"))
        #expect(faults.all.isEmpty, "\(Set(faults.all))")
        queue.sync { _ = token?.invalidate() }
        try scratch.verify()
    }
}
