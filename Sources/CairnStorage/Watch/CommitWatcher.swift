internal import CRuntime

/// Notices the commits of other processes: one inotify instance and one thread for all files.
///
/// The thread is started by the first `watch` and then sleeps whenever there is nothing to do. What
/// makes it look, and when it stops, is `LookSchedule`'s.
///
///     the thread                                  other threads
///     ─────────────────────────────────────       ─────────────────────────────
///     wait for events, a deadline, or a wake      watch:   add under the lock, wake
///     drain the queue
///     lock: give events to the schedules          cancel:  remove under the lock,
///     for each watch that is due:                          wait while its look runs
///         lock: mark its look as running
///         look
///         lock: note the result, unmark
///         call onChange, if it is news
///
/// The child of a `fork` has no thread: nothing is ever reported there.
package final class CommitWatcher: Sendable {
    /// The process's watcher.
    package static let shared = CommitWatcher()

    private let core: Core

    /// A watcher with a thread of its own, for tests.
    ///
    /// - Parameter makeEvents: opens the inotify instance; nil where there is none, and then every file
    ///   is looked at each 100 ms. Asked by each `watch` until it answers with one.
    package init(makeEvents: @escaping @Sendable () -> FileEvents? = { FileEvents() }) {
        core = Core(makeEvents: makeEvents)
    }

    deinit {
        core.stop()
    }

    /// Watches a file for commits of other processes, until the token is cancelled or released.
    ///
    /// What is watched is the file that has the path now. When the file is renamed, or another is
    /// put under its name, the watch stays with the file, as the environment does that has it open.
    /// When it is removed and everybody has closed it, the watch falls silent; cancelling it is still
    /// allowed. A file that cannot be watched is looked at each 100 ms.
    ///
    /// - Parameters:
    ///   - path: the data file.
    ///   - version: the newest version the caller knows. A later one is reported, also when it was
    ///     committed before this call.
    ///   - look: compares the two versions; nil when it could not (it is then tried again like one
    ///     that is behind). Runs on the watcher's thread, never at the same time as another look of this
    ///     watcher. Must be quick, must not wait for a thread that may be inside `cancel`, and must not
    ///     cancel its own token.
    ///   - onChange: called on the watcher's thread, without a lock, with the newest version that can
    ///     be seen. The versions of its calls rise. For every commit of another process there is a call
    ///     with its version or a later one. Now and then there is one for an own commit too, when the
    ///     look was quicker than `noteOwnCommit`. Should only hand over: all other files wait meanwhile.
    /// - Returns: what ends the watch.
    package func watch(
        path: String, after version: UInt64,
        look: @escaping @Sendable () -> CommitLook?,
        onChange: @escaping @Sendable (UInt64) -> Void
    ) -> Token {
        Token(core.add(path: path, after: version, look: look, onChange: onChange), of: self)
    }

    /// A watch. Cancels it when released.
    package final class Token: Sendable {
        private let id: UInt64
        /// The thread runs as long as there is a watch.
        private let watcher: CommitWatcher

        fileprivate init(_ id: UInt64, of watcher: CommitWatcher) {
            self.id = id
            self.watcher = watcher
        }

        deinit {
            cancel()
        }

        /// Ends the watch. May be called from every thread, also inside `onChange`, and repeatedly.
        ///
        /// When it has returned:
        /// - no look is running and none will begin, so the environment may be closed (this call waits
        ///   for a look that is running, except on the watcher's own thread, where none can be);
        /// - the watcher will not decide on another call of `onChange`. One that it decided on before
        ///   may still be running, or be about to enter the closure: at most one, as there is one
        ///   thread. It is not waited for, because it may itself be waiting for the caller.
        ///
        /// Inside `onChange` there is no such other call: the present one is the last.
        package func cancel() {
            watcher.core.cancel(id)
        }

        /// Notes that the watch's own store has made a commit, which need not be reported. To be called
        /// as soon as the commit has succeeded, and not before.
        package func noteOwnCommit(_ id: UInt64) {
            watcher.core.noteOwnCommit(id, of: self.id)
        }
    }
}

// MARK: - The state and its thread

extension CommitWatcher {
    /// What the thread shares with the tokens. All that changes is in `State`, under its monitor.
    fileprivate final class Core: Sendable {
        struct State {
            var registry = WatchRegistry()
            /// The inotify instance; nil before the first watch and where there is none.
            var events: FileEvents?
            /// Whether the thread runs; a thread that could not be made is tried again.
            var hasThread = false
            /// The confinement token of the thread.
            var thread: UInt64 = 0
            /// The watch whose look is running.
            var lookingID: UInt64?
            /// Rises when the thread has to think anew how long to wait.
            var changeCount = 0
            var isStopped = false
        }

        private let monitor = Monitor(State())
        private let makeEvents: @Sendable () -> FileEvents?

        init(makeEvents: @escaping @Sendable () -> FileEvents?) {
            self.makeEvents = makeEvents
        }

        func stop() {
            change { $0.isStopped = true }
        }

        func add(
            path: String, after version: UInt64,
            look: @escaping @Sendable () -> CommitLook?, onChange: @escaping @Sendable (UInt64) -> Void
        ) -> UInt64 {
            change { state in
                if state.events == nil { state.events = makeEvents() }
                // First the kernel's watch, then the first look: so no commit falls between them.
                let file = state.events?.add(path: path)
                let schedule = LookSchedule(after: version, isPolled: file == nil, at: MonotonicTime.now)
                if !state.hasThread { state.hasThread = startThread() }
                return state.registry.add(
                    WatchRegistry.Watch(schedule: schedule, file: file, look: look, onChange: onChange))
            }
        }

        func cancel(_ id: UInt64) {
            let removed = monitor.withLock { state in
                let removed = state.registry.remove(id)
                // Under the lock, so that another watch cannot be given the same file meanwhile.
                if let file = removed?.unwatched { state.events?.remove(file) }
                return removed
            }
            let thread = cairn_thread_token()
            monitor.wait { $0.lookingID != id || $0.thread == thread ? () : nil }
            // The closures go here, outside the lock: objects of the caller's may go with them.
            _ = consume removed
        }

        func noteOwnCommit(_ commit: UInt64, of id: UInt64) {
            monitor.withLock { $0.registry.noteOwnCommit(commit, of: id) }
        }

        /// Changes the state and wakes the thread.
        private func change<R>(_ body: (inout State) -> R) -> R {
            let (result, events) = monitor.withLock { state in
                defer { state.changeCount += 1 }
                return (body(&state), state.events)
            }
            events?.wake()
            monitor.notifyAll()
            return result
        }

        private func startThread() -> Bool {
            BackgroundThread.start(named: "cairn-watcher") { self.run() }
        }

        /// The thread, until the watcher is released.
        private func run() {
            monitor.withLock { $0.thread = cairn_thread_token() }
            while true {
                let (events, isStopped, dueTime, changeCount) = monitor.withLock {
                    ($0.events, $0.isStopped, $0.registry.nextDueTime, $0.changeCount)
                }
                if isStopped { return }
                if let events {
                    let isUsable = events.wait(until: dueTime)
                    var batch = events.drain()
                    if !isUsable { batch.isBroken = true }
                    note(batch)
                } else {
                    _ = monitor.wait(until: dueTime) { $0.changeCount != changeCount ? () : nil }
                }
                lookAtWhatIsDue()
            }
        }

        private func note(_ batch: FileEvents.Batch) {
            monitor.withLock { state in
                let now = MonotonicTime.now
                state.registry.note(batch, at: now)
                if batch.isBroken {
                    state.events = nil
                    state.registry.startPolling(at: now)
                }
            }
        }

        private func lookAtWhatIsDue() {
            var last: UInt64 = 0
            while let id = beginLook(after: last) {
                let seen = look(id)
                let call = monitor.withLock { state in
                    state.lookingID = nil
                    return state.registry.noteLook(seen, of: id, at: MonotonicTime.now)
                }
                monitor.notifyAll()
                if let call { call.onChange(call.version) }
                last = id
            }
        }

        private func beginLook(after last: UInt64) -> UInt64? {
            monitor.withLock { state in
                state.lookingID = state.registry.nextDue(after: last, at: MonotonicTime.now)
                return state.lookingID
            }
        }

        /// A function of its own, so that the closure is released before the look counts as ended.
        @inline(never)
        private func look(_ id: UInt64) -> CommitLook? {
            let look = monitor.withLock { $0.registry.look(of: id) }
            return look?()
        }
    }
}
