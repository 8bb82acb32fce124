import CairnLMDB
import CairnStorage
import Foundation

enum FileCommands {
    /// `hold <path> [ro]`: has the file open until the standard input ends. A line of input is a commit.
    static func hold(_ arguments: [String]) {
        do {
            let file = try StoreFile.open(
                StoreOptions(path: arguments[0], isReadOnly: arguments.count > 1))
            say("open")
            while readLine() != nil { report { try file.append() } }
            withExtendedLifetime(file) {}
        } catch {
            say(error.code.description)
            return
        }
        say("closed")
    }

    /// `open <path> [ro]`
    static func open(_ arguments: [String]) {
        report {
            let file = try StoreFile.open(
                StoreOptions(path: arguments[0], isReadOnly: arguments.count > 1))
            _ = try file.beginRead().id
        }
    }

    /// `open-as-nobody <path> [ro]`
    static func openAsNobody(_ arguments: [String]) {
        guard setgid(65534) == 0, setuid(65534) == 0 else { return say("cannot become another user") }
        open(arguments)
    }

    /// `open-and-close-often <path> <count>`: opens, commits once and closes, again and again.
    static func openAndCloseOften(_ arguments: [String]) {
        report {
            for _ in 0..<Int(arguments[1])! {  // a number, by the test
                let file = try StoreFile.open(StoreOptions(path: arguments[0], durability: .none))
                try file.append()
            }
        }
    }

    /// `write-under-file-limit <path> <limit> <byte count>`: opens with a limit on the size of files, and
    /// commits values of so many bytes, until something is thrown; then reads.
    static func writeUnderFileLimit(_ arguments: [String]) {
        unblockSignals()
        limit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), arguments[1])
        report {
            let file = try StoreFile.open(StoreOptions(path: arguments[0]))
            report { for _ in 0..<1000 { try file.append(byteCount: Int(arguments[2])!) } }  // a number
            _ = try file.beginRead().id
        }
    }

    /// `open-under-address-limit <path> <byte count>`
    static func openUnderAddressLimit(_ arguments: [String]) {
        limit(__rlimit_resource_t(RLIMIT_AS.rawValue), arguments[1])
        report {
            let file = try StoreFile.open(StoreOptions(path: arguments[0]))
            try file.append()
            say(file.environment.info.mapByteCount < 64 << 30 ? "smaller" : "usual")
        }
    }

    /// `end-uncleanly <path>`: commits with durability `.none`, and ends without closing.
    static func endUncleanly(_ arguments: [String]) {
        do {
            let file = try StoreFile.open(StoreOptions(path: arguments[0], durability: .none))
            try file.noteUnsyncedCommits()
            try file.append()
            say("ok")
            kill(getpid(), SIGKILL)
        } catch {
            say(error.code.description)
        }
    }

    private static func limit(_ resource: __rlimit_resource_t, _ value: String) {
        var limit = rlimit(rlim_cur: rlim_t(value)!, rlim_max: rlim_t(value)!)  // a number, by the test
        precondition(setrlimit(resource, &limit) == 0, "the limit was refused")
    }

    /// A process inherits blocked signals from the thread of the test that started it.
    private static func unblockSignals() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }
}
