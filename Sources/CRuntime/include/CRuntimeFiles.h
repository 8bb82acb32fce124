#ifndef CAIRN_RUNTIME_FILES_H
#define CAIRN_RUNTIME_FILES_H

// What the store needs of the operating system and Swift cannot say: locks on ranges of an open file,
// what happened to this process by `fork`, and the one lock over the table of open files.

#include <stdbool.h>
#include <stdint.h>

/// Takes a lock on a range of bytes, owned by the open file description (F_OFD_SETLK). Replaces a lock
/// the description holds on the range already. Returns 0 or an errno value: EAGAIN or EACCES where
/// another description is in the way, unless `waits`, which waits for it.
int cairn_lock_range(int descriptor, int64_t start, int64_t length, bool exclusive, bool waits);

/// Gives the range back, for every copy of the descriptor (those a fork made too).
int cairn_unlock_range(int descriptor, int64_t start, int64_t length);

/// Whether no other open file description holds a lock on a byte of the range. Returns 0 or an errno
/// value.
int cairn_range_is_free(int descriptor, int64_t start, int64_t length, bool *_Nonnull is_free);

/// How many forks lie between the first process that called this library and this one. What was
/// opened under another number belongs to a parent.
uint64_t cairn_fork_generation(void);

/// The lock over the process's table of open files, and the table. After a fork the child starts with
/// the lock free and the table null: the parent's may have been half way through a change.
void cairn_file_table_lock(void);
void cairn_file_table_unlock(void);
/// Waits, with the lock given back meanwhile, for a `cairn_file_table_signal`.
void cairn_file_table_wait(void);
/// Wakes everybody who waits. Call it with the lock held.
void cairn_file_table_signal(void);
/// Only to be used with the lock held.
void *_Nullable cairn_file_table_get(void);
void cairn_file_table_set(void *_Nullable table);

#endif
