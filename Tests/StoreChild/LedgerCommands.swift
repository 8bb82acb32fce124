import CairnLMDB
import CairnStorage
import DurabilityWorkload
import Foundation

/// The other process of the durability tests. The first arguments are those of `LedgerStore`.
enum LedgerCommands {
    /// `ledger-write …`: writes rounds until it is killed, and prints the number of each that is committed.
    static func write(_ arguments: [String]) {
        let file = LedgerStore(arguments: arguments)
        report {
            let store = try file.openWithTables()
            let session = try store.makeSession()
            while true {
                var round = 0
                try store.write(session, durability: file.durability) {
                    round = try file.ledger.advance(session)
                }
                say("\(round)")
            }
        }
    }

    /// `ledger-reopen …`: the same, with the file closed and opened again for every round.
    static func reopen(_ arguments: [String]) {
        let file = LedgerStore(arguments: arguments)
        report {
            while true {
                let store = try file.openWithTables()
                let session = try store.makeSession()
                var round = 0
                try store.write(session, durability: file.durability) {
                    round = try file.ledger.advance(session)
                }
                say("\(round)")
            }
        }
    }

    /// `ledger-turns … <rounds>`: writes in turn with others.
    static func turns(_ arguments: [String]) {
        let file = LedgerStore(arguments: arguments)
        report {
            let store = try file.openWithTables()
            say("open")
            _ = readLine()
            let rounds = Int(arguments[5])!  // a number
            try Turns(store, file.ledger).run(rounds: rounds, durability: file.durability)
        }
    }

    /// `ledger-hold …`: has the store open, with a session in it. A line of input is a round; the end of the
    /// input closes it.
    static func hold(_ arguments: [String]) {
        let file = LedgerStore(arguments: arguments)
        report {
            let store = try file.openWithTables()
            let session = try store.makeSession()
            say("open")
            while readLine() != nil {
                report {
                    try store.write(session, durability: file.durability) {
                        _ = try file.ledger.advance(session)
                    }
                }
            }
        }
    }

    /// `ledger-open … [ro]`: opens, checks, and closes.
    static func open(_ arguments: [String]) {
        var file = LedgerStore(arguments: arguments)
        file.isReadOnly = arguments.count > 5
        report {
            let store = try file.open()
            let session = try store.makeSession()
            if session.schema["Counter"] != nil { try file.ledger.check(session) }
        }
    }

    /// `ledger-open-as-nobody … [ro]`
    static func openAsNobody(_ arguments: [String]) {
        guard setgid(65534) == 0, setuid(65534) == 0 else { return say("cannot become another user") }
        open(arguments)
    }

    /// `ledger-file-limit … <limit>`: writes rounds under a limit on the size of files until something is
    /// thrown, prints it, checks that the rounds before are there, and goes on without the limit.
    static func fileLimit(_ arguments: [String]) {
        let file = LedgerStore(arguments: arguments)
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        report {
            let store = try file.openWithTables()
            let session = try store.makeSession()
            setFileLimit(rlim_t(arguments[5])!)  // a number
            var round = 0
            report {
                while round < 2_000 {
                    try store.write(session, durability: file.durability) {
                        _ = try file.ledger.advance(session)
                    }
                    round += 1
                }
            }
            guard try file.ledger.check(session) == round else { throw LedgerFailure("a round is lost") }
            setFileLimit(rlim_t.max)
            try store.write(session, durability: file.durability) { _ = try file.ledger.advance(session) }
        }
    }

    private static func setFileLimit(_ byteCount: rlim_t) {
        var limit = rlimit(rlim_cur: byteCount, rlim_max: rlim_t.max)
        precondition(
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, "the limit was refused")
    }

    /// `relay <path> <side> <turns>`
    static func relay(_ arguments: [String]) {
        report {
            let store = try LedgerStore(path: arguments[0]).open()
            let relay = Relay(store, side: Int(arguments[1])!)  // numbers, by the test
            try relay.run(turns: Int(arguments[2])!) { say("watching") }
        }
    }

    /// `foreign-hold <path>`: another program that has an LMDB file of its own open until the input ends.
    static func holdForeign(_ arguments: [String]) {
        report {
            let environment = try Environment.open(path: arguments[0], options: .init(mapByteCount: 1 << 24))
            let transaction = try environment.beginWrite()
            guard let database = try transaction.openDatabase(named: "mail", .create) else { return }
            try withUnsafeBytes(of: 5) { try transaction.put(database, $0, $0) }
            try transaction.commit()
            say("open")
            while readLine() != nil {}
        }
    }
}
