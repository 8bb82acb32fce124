import Cairn
import Foundation
import Synchronization

/// Delivers when the test says so, on the test's thread.
final class ManualScheduler: Scheduler, @unchecked Sendable {
    // @unchecked: the work is guarded by the lock; the thread never changes.
    private let lock = NSCondition()
    private var work: [@Sendable () -> Void] = []
    private let thread = pthread_self()
    private let number: UInt64
    private static let lastNumber = Atomic<UInt64>(0)

    init() {
        number = Self.lastNumber.add(1, ordering: .relaxed).newValue
    }

    var identity: SchedulerIdentity { .manual(number) }
    var token: UInt64 { 0 }
    var isHere: Bool { pthread_equal(thread, pthread_self()) != 0 }
    var canDeliver: Bool { true }
    var listensAtOnce: Bool { true }
    var name: String { "a test" }

    func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
        lock.withLock {
            self.work.append(work)
            lock.broadcast()
        }
        return true
    }

    /// How much waits to be run.
    var waitingCount: Int { lock.withLock { work.count } }

    /// Runs what comes, until a diary has an entry; false where that does not happen in half a minute.
    func run(until diary: Diary, has entry: String) -> Bool {
        let limit = Date(timeIntervalSinceNow: 30)
        while true {
            run()
            if diary.all.contains(entry) { return true }
            let hasCome = lock.withLock { !work.isEmpty || (lock.wait(until: limit) && !work.isEmpty) }
            if !hasCome, Date() > limit { return false }
        }
    }

    /// Runs what waits, and what comes of that.
    func run() {
        while let next = lock.withLock({ work.isEmpty ? nil : work.removeFirst() }) { next() }
    }
}

extension Scratch {
    /// A Realm whose notifications come when the scheduler is run.
    func realm(_ scheduler: ManualScheduler, _ name: String = "test") throws -> Realm {
        try Realm(configuration: configuration(name), scheduler: scheduler)
    }

    /// Carries out a write on a thread of its own, with a Realm of its own.
    func writeElsewhere(
        _ name: String = "test", _ body: @escaping @Sendable (Realm) throws -> Void
    ) throws {
        let configuration = configuration(name)
        try onNewThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { try body(realm) }
        }
    }
}

/// Events in the order in which they came, noted on any thread.
final class Diary: @unchecked Sendable {
    // @unchecked: guarded by the lock.
    private let condition = NSCondition()
    private var entries: [String] = []

    func note(_ entry: String) {
        condition.lock()
        entries.append(entry)
        condition.broadcast()
        condition.unlock()
    }

    var all: [String] { condition.withLock { entries } }

    /// Empties the diary.
    func take() -> [String] {
        condition.withLock {
            defer { entries = [] }
            return entries
        }
    }

    /// Waits until an entry is there; false where it does not come in half a minute.
    func wait(for entry: String) -> Bool {
        let limit = Date(timeIntervalSinceNow: 30)
        condition.lock()
        defer { condition.unlock() }
        while !entries.contains(entry) {
            guard condition.wait(until: limit) else { return false }
        }
        return true
    }
}
