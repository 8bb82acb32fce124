import Foundation

/// An example's executable, which lies beside the test bundle.
///
/// The examples are part of what is promised: each is run, and what it prints is compared.
enum Example {
    struct Failure: Error {
        let status: Int32
        let complaint: String
    }

    /// What an example prints.
    ///
    /// - Throws: `Failure` where it does not end with 0.
    static func run(_ name: String, _ arguments: String...) throws -> String {
        // The tests are an executable of their own, in the folder that everything is built into.
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let process = Process()
        let output = Pipe()
        let complaint = Pipe()
        process.executableURL = folder.appendingPathComponent(name)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = complaint
        try process.run()
        // One after the other: no example writes more to either than a pipe holds.
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try complaint.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                status: process.terminationStatus, complaint: String(decoding: complained, as: UTF8.self))
        }
        return String(decoding: printed, as: UTF8.self)
    }
}
