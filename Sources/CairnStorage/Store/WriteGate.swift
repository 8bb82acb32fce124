internal import CRuntime
internal import Glibc
import Synchronization

/// Lets one write of a store in at a time, in the order in which they came, before LMDB's own lock is
/// asked for.
///
/// LMDB's lock knows processes and threads, not sessions, and a thread that asks for it twice waits
/// for ever: here that is an error.
final class WriteGate: @unchecked Sendable {
    // @unchecked: `holder`, `nextTicket` and `serving` are guarded by `mutex`, which is a C type.

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let turn = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// The token of the thread whose session is in, or another number of who is; 0 for none.
    private var holder: UInt64 = 0
    private var nextTicket: UInt64 = 0
    private var serving: UInt64 = 0

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(turn, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(turn)
        mutex.deallocate()
        turn.deallocate()
    }

    /// Waits until no other write is in.
    ///
    /// - Parameter holder: who enters; nil for the calling thread.
    /// - Throws: `alreadyInWrite` at once when it is in already.
    func enter(_ holder: UInt64? = nil) throws(StorageError) {
        let token = holder ?? cairn_thread_token()
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard self.holder != token else {
            throw StorageError(
                .alreadyInWrite,
                "This thread is in a write of this file already. Use that one, or end it first.")
        }
        let ticket = nextTicket
        nextTicket += 1
        while ticket != serving { pthread_cond_wait(turn, mutex) }
        self.holder = token
    }

    /// Lets the next one in. Any thread may call it, for the write that is in.
    func leave() {
        pthread_mutex_lock(mutex)
        precondition(holder != 0, "a write ended that had not begun")
        holder = 0
        serving += 1
        pthread_cond_broadcast(turn)
        pthread_mutex_unlock(mutex)
    }
}
