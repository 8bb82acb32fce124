import Foundation
import Testing

/// The examples are part of what is promised: each is run, and what it prints is compared.
@Suite struct `The examples` {
    @Test func `the engine tour prints what the README shows`() throws {
        let output = try Example.run("EngineTour")
        #expect(
            output == """
                stored 5 days and 20 missions
                Monday: 4 missions
                Tuesday: 4 missions
                Wednesday: 4 missions
                Thursday: 4 missions
                Friday: 4 missions
                mission 21 is "read a chapter", on Wednesday
                from Friday on, by start: run, read a chapter, no phone before breakfast, write the diary
                in a savepoint 20 missions are complete
                without it 10
                another session still sees 0
                and after its refresh 10
                a second mission 21: duplicateKey
                one mission deleted; the days have [3, 4, 4, 4, 4]
                since then 1 mission was added and 1 changed
                verified: nothing is wrong

                """)
    }
}

/// An example's executable, which lies beside the test bundle.
enum Example {
    struct Failure: Error {
        let status: Int32
    }

    static func run(_ name: String) throws -> String {
        // The tests are an executable of their own, in the folder that everything is built into.
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let process = Process()
        let pipe = Pipe()
        process.executableURL = folder.appendingPathComponent(name)
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
        return String(decoding: output, as: UTF8.self)
    }
}
