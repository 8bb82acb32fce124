#ifndef CAIRN_WAITING_H
#define CAIRN_WAITING_H

// Waiting for two descriptors with a limit finer than a millisecond, and a descriptor to wake
// whoever waits: Glibc's module has neither ppoll nor eventfd.

#include <stdint.h>

/// A descriptor that becomes readable by cairn_wake: not inherited by exec, never blocking.
/// Returns -1 with errno where there is none to be had.
int cairn_make_waker(void);

/// Makes the waker readable, if it is not.
void cairn_wake(int waker);

/// Makes the waker unreadable again.
void cairn_clear_waker(int waker);

enum {
    /// The first descriptor can be read.
    cairn_first_readable = 1,
    /// The second descriptor can be read.
    cairn_second_readable = 2,
    /// One of them is no longer a descriptor that can be waited for.
    cairn_descriptor_lost = 4,
};

/// Waits until one of the descriptors can be read, for at most so many nanoseconds (negative: without
/// limit). Returns the bits above; 0 when the time was up or a signal came.
int cairn_wait(int first, int second, int64_t nanoseconds);

/// Names the calling thread for debuggers: up to 15 bytes.
void cairn_name_thread(const char *_Nonnull name);

#endif
