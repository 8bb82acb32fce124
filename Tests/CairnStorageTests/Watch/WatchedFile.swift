import CairnStorage
import Foundation

/// A real file, written to by plain writes, with the two versions of an imagined database beside it.
final class WatchedFile: Sendable {
    let path: String
    private let descriptor: Int32
    private let versions: Monitor<CommitLook>
    /// What was looked at, one element a look.
    let looks = Recording<CommitLook>()

    /// Makes the file anew, under a name of its own or another's.
    init(path: String? = nil) throws {
        self.path = path ?? NSTemporaryDirectory() + "cairn-watch-\(UUID().uuidString)"
        descriptor = open(self.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor != -1 else { throw CocoaError(.fileWriteUnknown) }
        versions = Monitor(CommitLook(publishedID: 1, visibleID: 1))
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// Writes without a commit.
    func writeDataPage() {
        var byte: UInt8 = 7
        precondition(pwrite(descriptor, &byte, 1, 0) == 1)
    }

    /// The first step of a commit: the meta page is written.
    func publish() {
        versions.withLock { $0.publishedID += 1 }
        writeDataPage()
    }

    /// The second step: read transactions see it.
    func makeVisible() {
        versions.withLock { $0.visibleID = $0.publishedID }
    }

    /// Both steps, so that the event comes when all is done.
    func commit() {
        versions.withLock { $0 = CommitLook(publishedID: $0.publishedID + 1, visibleID: $0.publishedID + 1) }
        writeDataPage()
    }

    func look() -> CommitLook {
        let look = versions.withLock { $0 }
        looks.append(look)
        return look
    }

    /// Watches the file from version 1 on.
    func watch(
        by watcher: CommitWatcher, onChange: @escaping @Sendable (UInt64) -> Void
    ) -> CommitWatcher.Token {
        watcher.watch(path: path, after: 1, look: { self.look() }, onChange: onChange)
    }

    /// The same, with the versions going into a recording.
    func watch(by watcher: CommitWatcher, into recording: Recording<UInt64>) -> CommitWatcher.Token {
        watch(by: watcher) { recording.append($0) }
    }
}
