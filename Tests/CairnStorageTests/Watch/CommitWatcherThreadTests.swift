import CairnStorage
import Foundation
import Testing

/// Watching, cancelling and writing from many threads at once, for the thread sanitizer above all.
@Suite struct CommitWatcherThreadTests {
    /// Runs the closures on threads of their own, and waits for all of them.
    private func concurrently(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let finished = Recording<Int>()
        for index in 0..<count {
            let hasStarted = BackgroundThread.start(named: "cairn-test") {
                body(index)
                finished.append(index)
            }
            precondition(hasStarted)
        }
        #expect(finished.wait { $0.count == count })
    }

    @Test func `after cancel has returned no look runs`() throws {
        let watcher = CommitWatcher()
        let file = try WatchedFile()
        let violations = Recording<Int>()
        concurrently(4) { thread in
            for _ in 0..<60 {
                let isOpen = Monitor(true)
                let looks = Recording<Int>()
                let token = watcher.watch(path: file.path, after: 1) {
                    if !isOpen.withLock({ $0 }) { violations.append(thread) }
                    let look = file.look()
                    looks.append(0)
                    if !isOpen.withLock({ $0 }) { violations.append(thread) }
                    return look
                } onChange: { _ in
                }
                if thread.isMultiple(of: 2) { _ = looks.wait { !$0.isEmpty } }
                file.writeDataPage()
                token.cancel()
                isOpen.withLock { $0 = false }
            }
        }
        #expect(violations.all.isEmpty)
    }

    @Test func `after cancel has returned no call begins, but for one that was decided on`() throws {
        let watcher = CommitWatcher()
        let file = try WatchedFile()
        let lateCalls = Recording<Int>()
        let isWriting = Monitor(true)
        concurrently(4) { thread in
            guard thread > 0 else {
                while isWriting.withLock({ $0 }) { file.commit() }
                return
            }
            for _ in 0..<60 {
                let calls = Recording<UInt64>()
                let token = file.watch(by: watcher, into: calls)
                _ = calls.wait { !$0.isEmpty }
                token.cancel()
                let callCount = calls.all.count
                // Two more rounds of the watcher's thread.
                let barrier = Recording<UInt64>()
                let other = file.watch(by: watcher, into: barrier)
                _ = barrier.wait { $0.count >= 2 }
                other.cancel()
                lateCalls.append(calls.all.count - callCount)
            }
            if lateCalls.all.count == 180 { isWriting.withLock { $0 = false } }
        }
        #expect(lateCalls.all.count == 180 && lateCalls.all.allSatisfy { $0 <= 1 })
    }

    @Test func `the last version is reported whoever writes`() throws {
        let watcher = CommitWatcher()
        let file = try WatchedFile()
        let versions = Recording<UInt64>()
        let token = file.watch(by: watcher, into: versions)
        concurrently(3) { _ in
            for _ in 0..<300 { file.commit() }
        }
        #expect(versions.wait { $0.last == 901 })
        #expect(zip(versions.all, versions.all.dropFirst()).allSatisfy { $0 < $1 })
        token.cancel()
    }
}
