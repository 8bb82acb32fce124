#ifndef CAIRN_RUNTIME_H
#define CAIRN_RUNTIME_H

// What the Swift language cannot say: thread-local storage without a call, pointers published
// with release and acquire in memory of our own, and locks that belong to an open file.

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRuntimeExecutors.h"
#include "CRuntimeMetadata.h"
#include "CairnWaiting.h"

/// The per-thread state of the library.
struct cairn_thread_state {
    /// The thread's confinement token: 0 until it is first asked for, then a number that no other
    /// thread of the process has had or will have (`pthread_self` values are reused).
    uint64_t token;
    /// The frozen session whose reader of this thread was used last, by its number, and the reader.
    /// Numbers are never reused, so a reader of a session that has gone is never met.
    uint64_t frozen_session;
    const void *_Nullable frozen_reader;
    /// Whether it is the thread that the process began with. Set together with the token.
    bool is_main;
    /// Whether the library is making an accessor: declared defaults are not evaluated then.
    bool makes_accessor;
};

extern _Thread_local struct cairn_thread_state cairn_thread;

/// Gives the thread its token. Outlined: it happens once a thread.
uint64_t cairn_make_thread_token(void);

/// Whether the thread with a token has not ended yet. What is kept for threads is cleared by this.
bool cairn_thread_lives(uint64_t token);

/// The confinement token of the calling thread, never 0.
static inline uint64_t cairn_thread_token(void) {
    uint64_t token = cairn_thread.token;
    return token != 0 ? token : cairn_make_thread_token();
}

/// The operating system's number of the calling thread; it may be used again after the thread's end.
int64_t cairn_thread_id(void);

/// Whether the calling thread is the one the process began with.
static inline bool cairn_is_main_thread(void) { return cairn_thread_token() != 0 && cairn_thread.is_main; }

/// Writes the calling thread's name, up to 15 bytes and a zero byte.
void cairn_copy_thread_name(char *_Nonnull name);

/// Whether the calling thread is in the middle of making an accessor.
static inline bool cairn_makes_accessor(void) { return cairn_thread.makes_accessor; }

static inline void cairn_set_makes_accessor(bool makes) { cairn_thread.makes_accessor = makes; }

/// The calling thread's reader of a frozen session, if it is the one that was used last.
static inline const void *_Nullable cairn_frozen_reader(uint64_t session) {
    return cairn_thread.frozen_session == session ? cairn_thread.frozen_reader : 0;
}

static inline void cairn_set_frozen_reader(uint64_t session, const void *_Nullable reader) {
    cairn_thread.frozen_session = session;
    cairn_thread.frozen_reader = reader;
}

/// Loads a pointer that another thread may be publishing; what the pointer leads to is visible.
static inline void *_Nullable cairn_load_acquire(const void *_Nonnull cell) {
    return atomic_load_explicit((void *_Atomic const *)cell, memory_order_acquire);
}

/// Publishes a pointer: everything written before is visible to whoever loads it.
static inline void cairn_store_release(void *_Nonnull cell, const void *_Nullable pointer) {
    atomic_store_explicit((void *_Atomic *)cell, (void *)pointer, memory_order_release);
}

/// Takes a lock on the whole file, owned by the open file description `descriptor` (F_OFD_SETLK,
/// Linux 3.15), without waiting. Returns 0, or an errno value: EAGAIN or EACCES where another
/// descriptor holds a lock that excludes it.
int cairn_ofd_lock(int descriptor, bool exclusive);

/// Gives the lock back. Closing the last copy of the descriptor does so too.
int cairn_ofd_unlock(int descriptor);

#include "CRuntimeFiles.h"

#endif
