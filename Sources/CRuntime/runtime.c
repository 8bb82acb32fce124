#define _GNU_SOURCE
#include "CRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

_Thread_local struct cairn_thread_state cairn_thread;

static _Atomic uint64_t last_token;

uint64_t cairn_make_thread_token(void) {
    cairn_thread.token = atomic_fetch_add(&last_token, 1) + 1;
    return cairn_thread.token;
}

static int set_lock(int descriptor, short type) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    int result;
    do {
        result = fcntl(descriptor, F_OFD_SETLK, &lock);
    } while (result == -1 && errno == EINTR);
    return result == -1 ? errno : 0;
}

int cairn_ofd_lock(int descriptor, bool exclusive) {
    return set_lock(descriptor, exclusive ? F_WRLCK : F_RDLCK);
}

int cairn_ofd_unlock(int descriptor) {
    return set_lock(descriptor, F_UNLCK);
}

int64_t cairn_thread_id(void) { return gettid(); }

bool cairn_is_main_thread(void) { return getpid() == gettid(); }

void cairn_copy_thread_name(char *name) {
    if (pthread_getname_np(pthread_self(), name, 16) != 0) name[0] = 0;
}
