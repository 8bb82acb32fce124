import Cairn
import Foundation
import RealmChildModels

/// Prints a line at once, also into a pipe.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// What the child does with the file.
struct RealmChild {
    private let path: String
    private var opened: Realm?

    init(path: String) {
        self.path = path
    }

    private struct NotOpen: Error {}

    private func realm() throws -> Realm {
        guard let opened else { throw NotOpen() }
        return opened
    }

    mutating func carryOut(_ command: String, _ arguments: [String]) throws {
        switch command {
        case "open":
            opened = try Realm(configuration: SharedFile.configuration(path))
            say("ok")
        case "open-with-notes":
            opened = try Realm(configuration: SharedFile.configuration(path, withNotes: true))
            say("ok")
        case "close":
            opened = nil
            say("ok")
        case "refresh":
            say(try realm().refresh() ? "moved" : "same")
        case "accounts":
            say(try realm().objects(Account.self).map(\.summary).joined(separator: ", "))
        case "discover":
            // No classes are named: all that this program has.
            let realm = try Realm(fileURL: URL(fileURLWithPath: path))
            say(realm.schema.objectSchema.map(\.className).joined(separator: " "))
        case "post": try post(arguments)
        case "delete": try delete(arguments)
        case "note": try note(arguments)
        case "hang": try hang(arguments)
        case "open-parcels":
            opened = try Realm(configuration: ParcelFile.old(path))
            say("ok")
        case "parcels":
            let parcels = try realm().objects(OldParcels.Parcel.self)
            say("\(parcels.count) \(parcels.first?.weight ?? -1) \(parcels.last?.label ?? "none")")
        case "add-parcel":
            let realm = try realm()
            try realm.write { realm.create(OldParcels.Parcel.self, value: ["id": Int(arguments[0])]) }
            say("ok")
        case "migrate":
            // A line for each step: the parent kills the child at one of them.
            var configuration = ParcelFile.new(path)
            configuration.migrationProgress = { done, total in say("\(done) of \(total)") }
            try Realm.performMigration(for: configuration)
            say("ok")
        default: say("unknown command")
        }
    }

    /// `post <account> <amount> <times>`: so many writes of one entry each.
    private func post(_ arguments: [String]) throws {
        let realm = try realm()
        let amount = Int(arguments[1]) ?? 0
        for number in 0..<(Int(arguments[2]) ?? 1) {
            try realm.write { account(arguments[0], realm).post(amount, "child \(number)") }
        }
        say("ok")
    }

    private func account(_ name: String, _ realm: Realm) -> Account {
        realm.object(ofType: Account.self, forPrimaryKey: name)
            ?? realm.create(Account.self, value: ["name": name])
    }

    /// `delete <account>`: with its entries.
    private func delete(_ arguments: [String]) throws {
        let realm = try realm()
        try realm.write {
            let account = account(arguments[0], realm)
            realm.delete(account.entries)
            realm.delete(account)
        }
        say("ok")
    }

    /// `note <account>`: adds one, and tells how many there are.
    private func note(_ arguments: [String]) throws {
        let realm = try realm()
        try realm.write {
            realm.create(Note.self, value: ["text": "noted", "account": account(arguments[0], realm)])
        }
        say("\(realm.objects(Note.self).count)")
    }

    /// `hang <account> <count>`: goes no further in the middle of a write.
    private func hang(_ arguments: [String]) throws {
        let realm = try realm()
        try realm.write {
            let account = account(arguments[0], realm)
            for number in 0..<(Int(arguments[1]) ?? 0) { account.post(1, "never \(number)") }
            say("writing")
            while true { sleep(1_000) }
        }
    }
}

/// A class that is found without being named, because it is the program's.
final class Found: Object {
    @Persisted var number: Int

    /// One inside of another type, and private.
    private final class Nested: Object {
        @Persisted var number: Int
    }
}

/// A class that does not want to be found.
final class Hidden: Object {
    @Persisted var number: Int

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
