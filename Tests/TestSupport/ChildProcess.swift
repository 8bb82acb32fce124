internal import Foundation

/// A running `cairn-store-child`.
package final class ChildProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var pending = Data()

    package init(_ command: String, _ arguments: [String]) throws {
        process.executableURL = Self.executable
        process.arguments = [command] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    package convenience init(_ command: String, _ arguments: String...) throws {
        try self.init(command, arguments)
    }

    /// Beside the test bundle, whose executable is this process.
    private static var executable: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("cairn-store-child")
    }

    /// The next line the child prints; nil when it has ended.
    package func line() -> String? {
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

    package func send(_ line: String) {
        input.fileHandleForWriting.write(Data((line + "\n").utf8))
    }

    /// Ends the input, and gives all lines that still come.
    package func finish() -> [String] {
        try? input.fileHandleForWriting.close()
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        process.waitUntilExit()
        return lines
    }

    /// Ends it without giving it a chance to close anything.
    ///
    /// - Returns: the whole lines that it had printed and nobody has read.
    @discardableResult
    package func kill() -> [String] {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Nil when it was ended by a signal.
    package var exitStatus: Int32? {
        process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// All lines of a child that needs no input.
    package static func lines(_ command: String, _ arguments: [String]) throws -> [String] {
        try ChildProcess(command, arguments).finish()
    }

    package static func lines(_ command: String, _ arguments: String...) throws -> [String] {
        try lines(command, arguments)
    }
}
