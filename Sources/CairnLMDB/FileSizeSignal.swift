internal import Glibc

/// SIGXFSZ, the signal that kills a process whose write passes its file size limit.
///
/// With the signal blocked, the write answers `EFBIG` instead, which is an error like any other.
package enum FileSizeSignal {
    /// Runs `body` with SIGXFSZ blocked in the calling thread.
    ///
    /// The kernel sends the signal to the thread that wrote, where it stays pending: one that came
    /// during `body` is taken back before the thread's mask is restored. A signal that was blocked
    /// or pending before is left as it was. A few system calls; calls may be nested.
    package static func withBlocked<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var only = sigset_t()
        unsafe sigemptyset(&only)
        unsafe sigaddset(&only, SIGXFSZ)
        var before = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, &only, &before)
        // Threads of a dispatch pool have it blocked already; then one may be pending that is not ours.
        let wasBlocked = unsafe sigismember(&before, SIGXFSZ) == 1
        let wasPending = wasBlocked && isPending
        defer {
            if !wasPending && isPending {
                var now = timespec()
                unsafe sigtimedwait(&only, nil, &now)
            }
            if !wasBlocked { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        }
        return try body()
    }

    private static var isPending: Bool {
        var pending = sigset_t()
        unsafe sigpending(&pending)
        return unsafe sigismember(&pending, SIGXFSZ) == 1
    }
}
