import Foundation

/// A running `cairn-realm-child`.
final class RealmChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()

    init(_ path: String) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("cairn-realm-child")
        process.arguments = [path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        // A test that failed half-way must not wait for it.
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Gives a command and waits for the answer; nil when the child has ended.
    func ask(_ command: String) -> String? {
        send(command)
        return line()
    }

    func send(_ command: String) {
        input.fileHandleForWriting.write(Data((command + "\n").utf8))
    }

    func line() -> String? {
        while true {
            if let end = pending.firstIndex(of: 10) {
                defer { pending = Data(pending[(end + 1)...]) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            pending += more
        }
    }

    /// Ends the input.
    ///
    /// - Returns: its status; nil when it was ended by a signal.
    func finish() -> Int32? {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// Ends it without giving it a chance to close anything.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
