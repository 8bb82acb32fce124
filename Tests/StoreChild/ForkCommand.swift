import CairnLMDB
import CairnStorage
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
}
