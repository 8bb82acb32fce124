internal import CRuntime
internal import Dispatch
internal import Synchronization

/// The main thread and the main queue, which are one: after `dispatchMain()` the queue runs on other threads.
struct MainScheduler: Scheduler {
    let token: UInt64

    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    init() {
        // On another thread that runs the main queue now, no thread is always the right one.
        token = cairn_is_main_thread() ? cairn_thread_token() : 0
    }

    /// Whether the calling code runs on the main thread or queue.
    static var isHere: Bool {
        cairn_is_main_thread() || DispatchQueue.getSpecific(key: key) != nil
    }

    var identity: SchedulerIdentity { .main }
    var isHere: Bool { Self.isHere }
    // Whether somebody runs the main queue is not to be known before it runs.
    var canDeliver: Bool { true }
    var listensAtOnce: Bool { false }
    var name: String { "the main thread" }

    @discardableResult
    func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        DispatchQueue.main.async(execute: work)
        return true
    }
}
