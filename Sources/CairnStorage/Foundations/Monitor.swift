internal import Glibc

/// A lock and a condition around one struct of state: for code that must wait for a change of the
/// state, which the standard library's `Mutex` cannot do.
///
/// POSIX's mutex, also because the thread sanitizer knows it. Not recursive: a thread that takes it
/// twice waits for itself for ever.
package final class Monitor<State>: @unchecked Sendable {
    // Unchecked: `state` is used under `mutex` alone, which the compiler does not know for a lock.
    private var state: State
    // Allocated, so that their addresses never change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ state: sending State) {
        self.state = state
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Carries out the closure under the lock.
    package func withLock<R>(_ body: (inout State) -> R) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Lets all that wait look at the state again. To be called after a change that they wait for,
    /// with or without the lock.
    package func notifyAll() {
        pthread_cond_broadcast(condition)
    }

    /// Carries out the closure under the lock, again after each `notifyAll`, until it returns a value;
    /// between two rounds the lock is free. Returns nil when the deadline passes first.
    ///
    /// - Parameter deadline: on the clock of `MonotonicTime`; nil waits without limit.
    package func wait<R>(until deadline: Duration? = nil, _ body: (inout State) -> R?) -> R? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            guard let deadline else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            var time = MonotonicTime.timespec(deadline)
            if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return body(&state) }
        }
    }
}

/// The clock of waiting: the time since some moment in the past, never put back or forward.
package enum MonotonicTime {
    package static var now: Duration {
        var time = Glibc.timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    fileprivate static func timespec(_ time: Duration) -> timespec {
        let (seconds, attoseconds) = time.components
        return Glibc.timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
