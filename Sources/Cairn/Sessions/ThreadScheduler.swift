internal import CRuntime
internal import CairnStorage
internal import Foundation

/// A thread other than the main one. It can be delivered to while its run loop runs.
final class ThreadScheduler: Scheduler {
    let token: UInt64
    let name: String
    // Under a lock: set on the thread, used on others.
    private let runLoop = Guarded<RunLoopBox?>(nil)

    // Adding a timer is allowed from every thread; `Foundation` does not say so.
    private struct RunLoopBox: @unchecked Sendable {
        let loop: RunLoop
    }

    /// The calling thread.
    init() {
        token = cairn_thread_token()
        name = Confinement.threadName()
    }

    var identity: SchedulerIdentity { .thread(token) }
    var isHere: Bool { token == cairn_thread_token() }
    // Asking a thread for its run loop makes one, with descriptors of its own: only who wants to be told
    // of something pays that.
    var listensAtOnce: Bool { false }

    var canDeliver: Bool {
        guard isHere, RunLoop.current.currentMode != nil else { return false }
        let box = RunLoopBox(loop: RunLoop.current)
        runLoop.withLock { $0 = box }
        return true
    }

    @discardableResult
    func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard cairn_thread_lives(token) else { return false }
        guard let box = runLoop.withLock({ $0 }) else { return true }
        // `RunLoop.perform` does not wake the loop on Linux; a timer that is due does.
        box.loop.add(Timer(timeInterval: 0, repeats: false) { _ in work() }, forMode: .common)
        return true
    }
}
