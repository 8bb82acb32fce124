internal import Glibc

/// The one thread of a store that LMDB write transactions run on which cannot run on their caller's:
/// those that are begun by one call and ended by another.
///
/// Runs one body at a time, while its caller waits. It is started by the first, and ends with the
/// object.
package final class WriterThread: WriteRunner, @unchecked Sendable {
    // @unchecked: everything mutable is in `shared`, guarded by its mutex, which is a C type.

    /// What the two threads share. The writer thread keeps it alive until it has ended.
    private final class Shared: @unchecked Sendable {
        // @unchecked: guarded by `mutex`.
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        var job: (() -> Void)?
        var isDone = false
        var mustEnd = false

        init() {
            pthread_mutex_init(mutex, nil)
            pthread_cond_init(changed, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            pthread_cond_destroy(changed)
            mutex.deallocate()
            changed.deallocate()
        }

        func serve() {
            pthread_mutex_lock(mutex)
            while true {
                while job == nil, !mustEnd { pthread_cond_wait(changed, mutex) }
                guard let job else { break }
                self.job = nil
                pthread_mutex_unlock(mutex)
                job()
                pthread_mutex_lock(mutex)
                isDone = true
                pthread_cond_broadcast(changed)
            }
            pthread_mutex_unlock(mutex)
        }
    }

    private let shared = Shared()
    /// Lets one caller in at a time.
    private let callers = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var thread: pthread_t?

    package init() {
        pthread_mutex_init(callers, nil)
    }

    deinit {
        pthread_mutex_lock(shared.mutex)
        shared.mustEnd = true
        pthread_cond_broadcast(shared.changed)
        pthread_mutex_unlock(shared.mutex)
        // Not joined: the last reference may be dropped on the thread itself. It has nothing to do
        // any more, and keeps `shared` alive until it has seen so.
        if let thread { pthread_detach(thread) }
        pthread_mutex_destroy(callers)
        callers.deallocate()
    }

    package func run<Result>(_ body: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        pthread_mutex_lock(callers)
        defer { pthread_mutex_unlock(callers) }
        try startIfNeeded()
        var result: Swift.Result<Result, StorageError>?
        let job: () -> Void = {
            do throws(StorageError) { result = .success(try body()) } catch { result = .failure(error) }
        }
        // The caller waits until the job has run, so the closure does not outlive this call.
        withoutActuallyEscaping(job) { job in
            pthread_mutex_lock(shared.mutex)
            shared.isDone = false
            shared.job = job
            pthread_cond_broadcast(shared.changed)
            while !shared.isDone { pthread_cond_wait(shared.changed, shared.mutex) }
            pthread_mutex_unlock(shared.mutex)
        }
        guard let result else { preconditionFailure("the writer thread has not run what it was given") }
        return try result.get()
    }

    private func startIfNeeded() throws(StorageError) {
        guard thread == nil else { return }
        var new = pthread_t()
        let context = Unmanaged.passRetained(shared).toOpaque()
        let code = pthread_create(
            &new, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Shared>.fromOpaque(context).takeRetainedValue().serve()
                return nil
            }, context)
        guard code == 0 else {
            Unmanaged<Shared>.fromOpaque(context).release()
            throw StorageError(
                .limitReached, "The system refuses another thread (\(code)), which writing needs.")
        }
        thread = new
    }
}
