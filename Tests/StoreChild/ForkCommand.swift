import CairnLMDB
import CairnStorage
import DurabilityWorkload
import Foundation

enum ForkCommand {
    private typealias Fork = @convention(c) () -> Int32

    /// `fork <path>`: forks with the file open, with a read transaction in it, and lets both sides use it.
    static func run(_ arguments: [String]) {
        do {
            var file: StoreFile? = try StoreFile.open(StoreOptions(path: arguments[0]))
            try file?.append()
            let reading = try file?.beginRead()
            let child = fork()
            if child == 0 { inChild(&file, arguments[0]) }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            say("child ended with \(status)")
            report { try file?.append() }
            say("readers: \(try file?.environment.readers().count ?? -1)")
            withExtendedLifetime(reading?.id) {}
        } catch {
            say("\(error)")
        }
    }

    private static func inChild(_ file: inout StoreFile?, _ path: String) -> Never {
        report { _ = try file?.beginRead() }
        report { _ = try file?.beginWrite() }
        // Must not close: it would clear the reader slot of the parent.
        file = nil
        report { try StoreFile.open(StoreOptions(path: path)).append() }
        _exit(0)
    }

    /// `fork`, which Swift does not show.
    private static func fork() -> Int32 {
        guard let symbol = dlsym(nil, "fork") else { preconditionFailure("fork is not there") }
        return unsafeBitCast(symbol, to: Fork.self)()
    }

    /// `fork-store <path>`: forks with a store and a session open, lets the child try to use and then drop
    /// them, and commits in the parent while its session stays where it was.
    static func runStore(_ arguments: [String]) {
        report {
            let file = LedgerStore(path: arguments[0])
            var store: Store? = try file.openWithTables()
            var session: Session? = try store?.makeSession()
            let version = session?.version
            let child = fork()
            if child == 0 { dropInChild(&store, &session) }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            say("child ended with \(status)")
            guard let store, let session else { return }
            say("readers: \(try StoreFile.open(file.options).environment.readers().count)")
            let writer = try store.makeSession()
            for _ in 0..<50 {
                try store.write(writer, durability: .none) {
                    try file.ledger.advance(writer)
                }
            }
            guard session.version == version, try file.ledger.check(session) == 0 else {
                throw LedgerFailure("a held version has changed")
            }
        }
    }

    private static func dropInChild(_ store: inout Store?, _ session: inout Session?) -> Never {
        report { if let store, let session { try store.refresh(session) } }
        report { if let store, let session { try store.write(session) {} } }
        session = nil
        store = nil
        _exit(0)
    }
}
