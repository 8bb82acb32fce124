import CairnLMDB
import Glibc

// The writer of `two processes` in the watcher's tests: commits one after the other, each synced, and
// waits after each until the parent has said that it noticed that version or a later one.
//
//     cairn-watch-child PATH COUNT
//
// Versions come in on standard input, eight bytes each in the machine's order. Leaves with 0 when all
// were noticed, 2 when one was not within a minute, 1 for any other failure.

guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]) else { exit(1) }

/// Waits for the next version on standard input; nil when none comes.
func nextVersion() -> UInt64? {
    var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    guard poll(&descriptor, 1, 60_000) == 1 else { return nil }
    var version: UInt64 = 0
    // Eight bytes are sent as one message.
    return read(0, &version, 8) == 8 ? version : nil
}

do {
    let environment = try Environment.open(
        path: CommandLine.arguments[1], options: .init(mapByteCount: 1 << 26, readerCount: 64))
    for number in 0..<count {
        let transaction = try environment.beginWrite()
        guard let database = try transaction.openDatabase(named: "numbers", [.create, .integerKeys]) else {
            exit(1)
        }
        let version = transaction.id
        try withUnsafeBytes(of: number) { try transaction.put(database, UInt64(number % 100), $0) }
        try transaction.commit()

        var noticed: UInt64 = 0
        while noticed < version {
            guard let next = nextVersion() else { exit(2) }
            noticed = next
        }
    }
} catch {
    print(error)
    exit(1)
}
