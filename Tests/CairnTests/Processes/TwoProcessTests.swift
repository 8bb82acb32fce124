import Cairn
import CairnStorage
import Foundation
import RealmChildModels
import Testing

/// Two processes that have one file open.
struct TwoProcessTests {
    /// A file that this process has open, and the other process.
    private struct Pair {
        let scratch: Scratch
        let child: RealmChildProcess

        init() throws {
            scratch = try Scratch()
            child = try RealmChildProcess(scratch.url().path)
        }

        var path: String { scratch.url().path }

        func realm(withNotes: Bool = false) throws -> Realm {
            try Realm(configuration: SharedFile.configuration(path, withNotes: withNotes))
        }

        func end() throws {
            #expect(child.finish() == 0)
            try scratch.verify()
        }
    }

    private func accounts(_ realm: Realm) -> [String] { realm.objects(Account.self).map(\.summary) }

    private func post(_ realm: Realm, _ name: String, _ amount: Int) throws {
        try realm.write {
            let account =
                realm.object(ofType: Account.self, forPrimaryKey: name)
                ?? realm.create(Account.self, value: ["name": name])
            account.post(amount, "parent")
        }
    }

    @Test func `all classes of a program are found where none is named, but those that do not want to be`()
        throws
    {
        let scratch = try Scratch()
        let child = try RealmChildProcess(scratch.url().path)
        #expect(child.ask("discover") == "Account Entry Found Nested Note")
        #expect(child.finish() == 0)
    }

    @Test func `each sees its own version until it moves`() throws {
        let pair = try Pair()
        let realm = try pair.realm()
        #expect(pair.child.ask("open") == "ok")
        try post(realm, "a", 5)
        #expect(pair.child.ask("accounts") == "")
        #expect(pair.child.ask("refresh") == "moved")
        #expect(pair.child.ask("accounts") == "a 5 1")
        let account = try #require(realm.objects(Account.self).first)
        let frozen = account.freeze()
        #expect(pair.child.ask("post a 7 3") == "ok")
        #expect(account.balance == 5 && account.entries.count == 1)
        #expect(realm.refresh())
        #expect(!realm.refresh())
        #expect(account.summary == "a 26 4")
        #expect(frozen.summary == "a 5 1")
        #expect(account.entries.map(\.text) == ["parent", "child 0", "child 1", "child 2"])
        try pair.end()
    }

    @Test func `what the other deletes is gone after a refresh and not before`() throws {
        let pair = try Pair()
        let realm = try pair.realm()
        try post(realm, "a", 1)
        try post(realm, "b", 2)
        let account = try #require(realm.object(ofType: Account.self, forPrimaryKey: "a"))
        let entry = account.entries[0]
        let reference = ThreadSafeReference(to: account)
        #expect(pair.child.ask("open") == "ok")
        #expect(pair.child.ask("delete a") == "ok")
        #expect(account.summary == "a 1 1")
        realm.refresh()
        #expect(account.isInvalidated && entry.isInvalidated)
        #expect(realm.resolve(reference) == nil)
        #expect(accounts(realm) == ["b 2 1"])
        try pair.end()
    }

    @Test func `writes of both lose nothing`() throws {
        let pair = try Pair()
        let realm = try pair.realm()
        try post(realm, "shared", 0)
        #expect(pair.child.ask("open") == "ok")
        pair.child.send("post shared 1 200")
        for _ in 0..<200 { try post(realm, "shared", 1) }
        #expect(pair.child.line() == "ok")
        realm.refresh()
        #expect(accounts(realm) == ["shared 400 401"])
        try pair.end()
    }

    @Test func `the other adds a class, and this one reads and writes on`() throws {
        let pair = try Pair()
        let realm = try pair.realm()
        try post(realm, "a", 1)
        let account = try #require(realm.objects(Account.self).first)
        #expect(pair.child.ask("open-with-notes") == "ok")
        #expect(pair.child.ask("note a") == "1")
        // Still at its version; then with one hidden column more.
        #expect(account.summary == "a 1 1")
        try post(realm, "a", 1)
        #expect(account.summary == "a 2 2")
        #expect(pair.child.ask("note b") == "2")
        realm.refresh()
        #expect(accounts(realm) == ["a 2 2", "b 0 0"])
        // Deleting what the other's class links to, which this process has no class for.
        try realm.write {
            realm.delete(account.entries)
            realm.delete(account)
        }
        #expect(pair.child.ask("refresh") == "moved")
        #expect(pair.child.ask("note b") == "3")
        let grown = try pair.realm(withNotes: true)
        #expect(grown.objects(Note.self).map { $0.account?.name } == [nil, "b", "b"])
        #expect(pair.child.ask("close") == "ok")
        try pair.end()
    }

    @Test func `this one adds the class while the other writes`() throws {
        let pair = try Pair()
        #expect(pair.child.ask("open") == "ok")
        pair.child.send("post a 1 100")
        let realm = try pair.realm(withNotes: true)
        try realm.write { realm.create(Note.self, value: ["text": "x"]) }
        for _ in 0..<50 { try post(realm, "a", 1) }
        #expect(pair.child.line() == "ok")
        realm.refresh()
        #expect(accounts(realm) == ["a 150 150"])
        try pair.end()
    }

    @Test(arguments: [3, 3_000]) func `the other is killed in the middle of a write`(count: Int) throws {
        let pair = try Pair()
        let realm = try pair.realm()
        try post(realm, "a", 1)
        let account = try #require(realm.objects(Account.self).first)
        for round in 1...3 {
            let child = try RealmChildProcess(pair.path)
            #expect(child.ask("open") == "ok")
            #expect(child.ask("hang a \(count)") == "writing")
            #expect(account.entries.count == round)
            child.kill()
            #expect(!realm.refresh())
            try post(realm, "a", 1)
            #expect(accounts(realm) == ["a \(round + 1) \(round + 1)"])
        }
        try pair.end()
    }

    @Test func `the file is not deleted while the other has it open`() throws {
        let pair = try Pair()
        #expect(pair.child.ask("open") == "ok")
        #expect(pair.child.ask("post a 1 1") == "ok")
        let configuration = SharedFile.configuration(pair.path)
        let error = #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
        #expect(error?.code == .alreadyOpen)
        #expect(Realm.fileExists(for: configuration))
        #expect(pair.child.ask("accounts") == "a 1 1")
        #expect(pair.child.ask("close") == "ok")
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(!Realm.fileExists(for: configuration))
        #expect(pair.child.ask("open") == "ok")
        #expect(pair.child.ask("accounts") == "")
        try pair.end()
    }

    /// Row keys are handed out by each process for itself: one that a write here has given away and taken
    /// back is given to an object of the other.
    @Test func `an object of an undone write never becomes one of the other's`() throws {
        let pair = try Pair()
        let realm = try pair.realm()
        try post(realm, "a", 1)
        #expect(pair.child.ask("open") == "ok")
        let undone = Account(value: ["name": "undone", "entries": [["text": "x"]]])
        realm.beginWrite()
        realm.add(undone)
        let entry = undone.entries[0]
        let list = undone.entries
        realm.cancelWrite()
        #expect(undone.isInvalidated && entry.isInvalidated)
        #expect(pair.child.ask("post b 1 5") == "ok")
        #expect(realm.refresh())
        #expect(accounts(realm) == ["a 1 1", "b 5 5"])
        #expect(undone.isInvalidated && entry.isInvalidated && list.isInvalidated)
        try pair.end()
    }
}
