internal import CairnStorage

/// The asynchronous writes of one Realm that were asked for and have not ended, by their numbers.
struct AsyncWriteList {
    final class Entry {
        /// nil once the block has begun, or was never to.
        var ticket: AsyncWriteTicket?
        var block: (() -> Void)?
        var completion: ((RealmError?) -> Void)?
    }

    private var entries: [UInt32: Entry] = [:]
    private var lastNumber: UInt32 = 0
    /// Those of `asyncWrite`, whose callers wait.
    var suspendedCount = 0

    var isEmpty: Bool { entries.isEmpty && suspendedCount == 0 }

    mutating func add(_ entry: Entry) -> UInt32 {
        lastNumber &+= 1
        entries[lastNumber] = entry
        return lastNumber
    }

    subscript(number: UInt32) -> Entry? { entries[number] }

    @discardableResult
    mutating func remove(_ number: UInt32) -> Entry? { entries.removeValue(forKey: number) }

    /// Drops all whose blocks have not begun.
    mutating func cancelAll() {
        for (number, entry) in entries where entry.ticket?.cancel() == true { entries[number] = nil }
    }
}
