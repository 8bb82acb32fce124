internal import CRuntime
internal import Glibc

/// Threads that belong to the engine and not to the program: no signal of the program's is handled on
/// them, and nobody waits for their end.
package enum BackgroundThread {
    /// Starts a thread. False when the system has none to give.
    ///
    /// - Parameter name: for debuggers, up to 15 bytes.
    package static func start(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        // The thread inherits the mask, so it is set here, before a signal can come. Those that a fault
        // of the thread itself causes stay: blocked, they would kill past every crash reporter.
        var blocked = sigset_t()
        var before = sigset_t()
        sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] {
            sigdelset(&blocked, fault)
        }
        pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                let start = Unmanaged<ThreadStart>.fromOpaque(argument!).takeRetainedValue()
                cairn_name_thread(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        if code != 0 { start.release() }
        return code == 0
    }
}

/// What a new thread is given.
private final class ThreadStart {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
