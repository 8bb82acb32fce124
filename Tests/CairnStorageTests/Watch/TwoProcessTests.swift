import CairnLMDB
import CairnStorage
import Foundation
import Testing

/// Looking at each version once, just after its event, missed 399 of 400 single commits of another
/// process: the event of the meta page comes before the version is in the lock file.
@Suite struct TwoProcessTests {
    /// An environment and what a look at it is.
    private final class Opened: Sendable {
        let environment: Environment

        init(path: String) throws {
            environment = try Environment.open(
                path: path, options: .init(mapByteCount: 1 << 26, readerCount: 64))
        }

        func look() -> CommitLook? {
            let published = environment.info.lastTransactionID
            guard let visible = try? environment.beginRead().id else { return nil }
            return CommitLook(publishedID: published, visibleID: visible)
        }
    }

    private var commitCount: Int {
        ProcessInfo.processInfo.environment["CAIRN_LONG"] == nil ? 500 : 5_000
    }

    /// The child, built beside the tests.
    private var child: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("cairn-watch-child")
    }

    @Test func `no single durable commit of another process is missed`() throws {
        let folder = NSTemporaryDirectory() + "cairn-watch-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let opened = try Opened(path: folder + "/data")
        let start = try opened.environment.beginRead().id

        // Message by message, and without a signal when the child is gone.
        var sockets: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &sockets) == 0)
        let (ours, theirs) = (sockets[0], sockets[1])
        defer { close(ours) }

        let versions = Recording<UInt64>()
        let token = CommitWatcher.shared.watch(path: folder + "/data", after: start) {
            opened.look()
        } onChange: { version in
            versions.append(version)
            var message = version
            send(ours, &message, 8, Int32(MSG_NOSIGNAL))
        }
        defer { token.cancel() }

        let process = Process()
        process.executableURL = child
        process.arguments = [folder + "/data", "\(commitCount)"]
        process.standardInput = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "2: a commit was missed")
        // The child waited for each, so none can have been reported together with another.
        #expect(versions.all == Array((start + 1)...(start + UInt64(commitCount))))
    }
}
