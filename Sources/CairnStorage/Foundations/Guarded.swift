internal import Glibc

/// A lock around one struct of state.
///
/// POSIX's mutex and not the standard library's, which the thread sanitizer does not know: it takes two uses
/// under that for a race, and misses real ones among such reports. Not recursive: a thread that takes it
/// twice traps.
package struct Guarded<State>: ~Copyable, @unchecked Sendable {
    // Unchecked: `state` is used under `mutex` alone, which the compiler does not know for a lock.
    private let state: UnsafeMutablePointer<State>
    // Allocated, so that its address never changes.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ state: sending State) {
        self.state = .allocate(capacity: 1)
        self.state.initialize(to: state)
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Carries out the closure under the lock.
    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let code = pthread_mutex_lock(mutex)
        precondition(code == 0, "a thread has taken a lock twice")
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state.pointee)
    }
}
