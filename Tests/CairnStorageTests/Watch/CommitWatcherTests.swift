import CairnStorage
import Foundation
import Testing

/// Each test has a watcher of its own, and so a thread and an inotify instance.
@Suite struct CommitWatcherTests {
    private let watcher = CommitWatcher()
    private let file: WatchedFile
    private let versions = Recording<UInt64>()

    init() throws {
        file = try WatchedFile()
    }

    @Test func `a commit is reported, and the next, and the next`() {
        let token = file.watch(by: watcher, into: versions)
        for version in 2...20 as ClosedRange<UInt64> {
            file.commit()
            #expect(versions.wait { $0.last == version })
        }
        #expect(versions.all == Array(2...20))
        token.cancel()
    }

    @Test func `a commit is reported that becomes visible long after its event`() {
        let token = file.watch(by: watcher, into: versions)
        file.writeDataPage()
        file.publish()
        #expect(file.looks.wait { looks in looks.count { $0.publishedID > $0.visibleID } > 5 })
        #expect(versions.all.isEmpty)
        file.makeVisible()
        #expect(versions.wait { $0 == [2] })
        token.cancel()
    }

    @Test func `a commit between opening and watching is reported`() {
        file.commit()
        let token = file.watch(by: watcher, into: versions)
        #expect(versions.wait { $0 == [2] })
        token.cancel()
    }

    @Test func `own commits are not reported`() {
        let others = Recording<UInt64>()
        let own = file.watch(by: watcher, into: versions)
        // A later watch of the same file: when it has been told, the earlier one has been looked at.
        let other = file.watch(by: watcher, into: others)
        for version in 2...10 as ClosedRange<UInt64> {
            own.noteOwnCommit(version)
            file.commit()
            #expect(others.wait { $0.last == version })
        }
        #expect(versions.all.isEmpty)
        file.commit()
        #expect(versions.wait { $0 == [11] })
        own.cancel()
        other.cancel()
    }

    @Test func `a cancelled watch is told nothing, while another of the same file is`() {
        let others = Recording<UInt64>()
        let cancelled = file.watch(by: watcher, into: versions)
        let other = file.watch(by: watcher, into: others)
        file.commit()
        #expect(versions.wait { $0 == [2] } && others.wait { $0 == [2] })
        cancelled.cancel()
        cancelled.cancel()
        file.commit()
        #expect(others.wait { $0 == [2, 3] })
        #expect(versions.all == [2])
        other.cancel()
    }

    @Test func `a file is not looked at after its last watch has gone`() throws {
        let token = file.watch(by: watcher, into: versions)
        file.commit()
        #expect(versions.wait { $0 == [2] })
        token.cancel()
        let looks = file.looks.all.count
        file.commit()
        // Another file, whose events come behind.
        let later = try WatchedFile()
        let laterVersions = Recording<UInt64>()
        let laterToken = later.watch(by: watcher, into: laterVersions)
        later.commit()
        #expect(laterVersions.wait { $0 == [2] })
        #expect(file.looks.all.count == looks)
        laterToken.cancel()
    }

    @Test func `the callback may watch, note, and cancel itself and others`() throws {
        let second = try WatchedFile()
        let tokens = Recording<CommitWatcher.Token>()
        let told = Recording<String>()
        let watcher = watcher
        let token = file.watch(by: watcher) { [file, second] version in
            let own = tokens.all[0]
            own.noteOwnCommit(version + 1)
            let new = second.watch(by: watcher) { told.append("second \($0)") }
            let gone = file.watch(by: watcher) { told.append("never \($0)") }
            gone.cancel()
            tokens.append(new)
            own.cancel()
            told.append("first \(version)")
        }
        tokens.append(token)
        file.commit()
        #expect(told.wait { $0 == ["first 2"] })
        file.commit()
        second.commit()
        #expect(told.wait { $0 == ["first 2", "second 2"] })
        for token in tokens.all { token.cancel() }
    }

    @Test func `releasing a token cancels, and releases what the closures hold`() {
        final class Held: Sendable {}
        weak var weakHeld: Held?
        do {
            let held = Held()
            weakHeld = held
            let token = file.watch(by: watcher) { [versions] version in
                withExtendedLifetime(held) { versions.append(version) }
            }
            file.commit()
            #expect(versions.wait { $0 == [2] })
            withExtendedLifetime(token) {}
        }
        // The watcher's thread may still be on its way out of the call: another call makes sure.
        let later = Recording<UInt64>()
        let token = file.watch(by: watcher, into: later)
        #expect(later.wait { $0 == [2] })
        #expect(weakHeld == nil && versions.all == [2])
        token.cancel()
    }
}

@Suite struct CommitWatcherFileTests {
    private let watcher = CommitWatcher()
    private let versions = Recording<UInt64>()

    @Test func `a watch stays with its file when another takes its name`() throws {
        let old = try WatchedFile()
        let token = old.watch(by: watcher, into: versions)
        #expect(old.looks.wait { !$0.isEmpty })
        unlink(old.path)
        let new = try WatchedFile(path: old.path)
        let newVersions = Recording<UInt64>()
        let newToken = new.watch(by: watcher, into: newVersions)

        old.commit()
        #expect(versions.wait { $0 == [2] })
        new.commit()
        #expect(newVersions.wait { $0 == [2] })
        #expect(versions.all == [2])
        token.cancel()
        newToken.cancel()
    }

    @Test func `a watch falls silent when its file is gone, and can be cancelled`() throws {
        let path = NSTemporaryDirectory() + "cairn-watch-\(UUID().uuidString)"
        let looks = Recording<Int>()
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        let token = watcher.watch(path: path, after: 1) {
            looks.append(0)
            return CommitLook(publishedID: 1, visibleID: 1)
        } onChange: { _ in
        }
        #expect(looks.wait { $0.count == 1 })
        unlink(path)
        #expect(looks.wait { $0.count > 1 }, "the last look")
        token.cancel()
        // The number of the watch is used no more: a new file is watched as ever.
        let file = try WatchedFile(path: path)
        let newToken = file.watch(by: watcher, into: versions)
        file.commit()
        #expect(versions.wait { $0 == [2] })
        newToken.cancel()
    }

    @Test func `a file that cannot be watched is looked at regularly`() throws {
        let file = try WatchedFile()
        let token = watcher.watch(
            path: "/nowhere/at/all", after: 1, look: { file.look() }, onChange: versions.append)
        #expect(file.looks.wait { $0.count > 2 })
        file.commit()
        #expect(versions.wait { $0 == [2] })
        token.cancel()
    }

    @Test func `without inotify a file is looked at regularly`() throws {
        let file = try WatchedFile()
        let polling = CommitWatcher { nil }
        let token = file.watch(by: polling, into: versions)
        #expect(file.looks.wait { $0.count > 2 })
        file.commit()
        #expect(versions.wait { $0 == [2] })
        token.cancel()
    }

    @Test func `a process out of descriptors looks at its files regularly`() async {
        await #expect(processExitsWith: .success) {
            let file = try WatchedFile()
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = 0
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            precondition(FileEvents() == nil)
            let versions = Recording<UInt64>()
            let token = file.watch(by: .shared, into: versions)
            precondition(file.looks.wait { $0.count > 2 })
            file.commit()
            precondition(versions.wait { $0 == [2] })
            token.cancel()
        }
    }

    @Test func `a queue that overflows loses no commit`() throws {
        let limit =
            Int(
                try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        guard limit < 100_000 else { return }
        let files = try [WatchedFile(), WatchedFile()]
        let last = try WatchedFile()
        let gate = Recording<Bool>()
        let isInside = Recording<Bool>()
        // Its callback holds up the thread.
        let first = files[0].watch(by: watcher) { _ in
            isInside.append(true)
            _ = gate.wait { !$0.isEmpty }
        }
        let second = files[1].watch(by: watcher) { _ in }
        let third = last.watch(by: watcher, into: versions)
        #expect(last.looks.wait { !$0.isEmpty })
        files[0].commit()
        #expect(isInside.wait { !$0.isEmpty })
        // Events in turns, since equal ones in a row are merged.
        for index in 0..<(limit + 100) { files[index % 2].writeDataPage() }
        last.commit()
        #expect(versions.all.isEmpty)
        gate.append(true)
        #expect(versions.wait { $0 == [2] })
        for token in [first, second, third] { token.cancel() }
    }
}
