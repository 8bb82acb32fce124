#define _GNU_SOURCE
#include "CairnWaiting.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

int cairn_make_waker(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void cairn_wake(int waker) {
    // Fails only where the counter is full, and then it is readable already.
    uint64_t one = 1;
    while (write(waker, &one, sizeof one) == -1 && errno == EINTR) {
    }
}

void cairn_clear_waker(int waker) {
    uint64_t count;
    while (read(waker, &count, sizeof count) == -1 && errno == EINTR) {
    }
}

int cairn_wait(int first, int second, int64_t nanoseconds) {
    struct pollfd descriptors[2] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
    struct timespec limit = {
        .tv_sec = (time_t)(nanoseconds / 1000000000),
        .tv_nsec = (long)(nanoseconds % 1000000000),
    };
    int count = ppoll(descriptors, 2, nanoseconds < 0 ? NULL : &limit, NULL);
    if (count == -1) return errno == EINTR ? 0 : cairn_descriptor_lost;
    int result = 0;
    if (descriptors[0].revents & POLLIN) result |= cairn_first_readable;
    if (descriptors[1].revents & POLLIN) result |= cairn_second_readable;
    if ((descriptors[0].revents | descriptors[1].revents) & (POLLERR | POLLHUP | POLLNVAL)) {
        result |= cairn_descriptor_lost;
    }
    return result;
}

void cairn_name_thread(const char *name) {
    (void)pthread_setname_np(pthread_self(), name);
}
