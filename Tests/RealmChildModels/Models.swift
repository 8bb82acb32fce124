package import Cairn
import Foundation

// What both processes of a test store.

package final class Account: Object {
    @Persisted(primaryKey: true) package var name: String
    @Persisted package var balance: Int
    @Persisted package var entries: List<Entry>
}

package final class Entry: Object {
    @Persisted(indexed: true) package var number: Int
    @Persisted package var text: String
    @Persisted(originProperty: "entries") package var accounts: LinkingObjects<Account>
}

/// A class that the child alone knows at first. Its link gives `Account` a hidden column more.
package final class Note: Object {
    @Persisted package var text: String
    @Persisted package var account: Account?
}

extension Account {
    /// Adds an entry. Inside a write.
    package func post(_ amount: Int, _ text: String) {
        balance += amount
        let entry = Entry()
        entry.number = entries.count
        entry.text = text
        entries.append(entry)
    }

    /// One line that tells whether the account is whole: its entries are numbered through, and each of
    /// them leads back to it.
    package var summary: String {
        let isWhole =
            entries.enumerated().allSatisfy { $1.number == $0 && $1.accounts.count == 1 }
            && entries.first?.accounts.first?.name ?? name == name
        return "\(name) \(balance) \(entries.count)\(isWhole ? "" : " broken")"
    }
}

/// The configurations of a file that two processes share.
package enum SharedFile {
    package static func configuration(_ path: String, withNotes: Bool = false) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: path),
            objectTypes: [Account.self, Entry.self] + (withNotes ? [Note.self] : []))
        configuration.durability = .none
        return configuration
    }
}
