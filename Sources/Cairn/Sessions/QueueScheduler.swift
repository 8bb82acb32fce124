internal import CairnStorage
internal import Dispatch
internal import Synchronization

/// A serial dispatch queue.
struct QueueScheduler: Scheduler {
    private let queue: DispatchQueue
    private let mark: Mark

    /// What a queue carries so that code which runs on it can be told.
    private final class Mark: Sendable {
        let number: UInt64

        init(_ number: UInt64) {
            self.number = number
        }
    }

    private static let key = DispatchSpecificKey<Mark>()
    private static let lastNumber = Guarded<UInt64>(0)

    init(_ queue: DispatchQueue) {
        self.queue = queue
        // Under the lock: two threads may ask for one queue at a time.
        mark = Self.lastNumber.withLock { last in
            if let known = queue.getSpecific(key: Self.key) { return known }
            last += 1
            let mark = Mark(last)
            queue.setSpecific(key: Self.key, value: mark)
            return mark
        }
    }

    /// The identity of the queue that the calling code runs on, if a Realm was ever bound to it.
    static var currentIdentity: SchedulerIdentity? {
        DispatchQueue.getSpecific(key: key).map { .queue($0.number) }
    }

    var identity: SchedulerIdentity { .queue(mark.number) }
    var token: UInt64 { 0 }
    var isHere: Bool { DispatchQueue.getSpecific(key: Self.key) === mark }
    var canDeliver: Bool { true }
    var listensAtOnce: Bool { true }
    var name: String { "the queue '\(queue.label)'" }

    @discardableResult
    func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        queue.async(execute: work)
        return true
    }
}
