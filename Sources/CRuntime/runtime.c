#define _GNU_SOURCE
#include "CRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

_Thread_local struct cairn_thread_state cairn_thread;

static _Atomic uint64_t last_token;

// The threads that have a token and have not ended: a list through their own thread-local memory, which
// a thread leaves while that memory is still there.
struct living_thread {
    uint64_t token;
    struct living_thread *next;
    struct living_thread **place;
};

static _Thread_local struct living_thread self;
static struct living_thread *living;
static pthread_mutex_t living_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t thread_end;
static pthread_once_t living_once = PTHREAD_ONCE_INIT;

static void lock_living(void) { pthread_mutex_lock(&living_lock); }

static void unlock_living(void) { pthread_mutex_unlock(&living_lock); }

static void leave_living(void *thread) {
    struct living_thread *ended = thread;
    lock_living();
    *ended->place = ended->next;
    if (ended->next) ended->next->place = ended->place;
    unlock_living();
}

static void restart_living(void) {
    // Only the forking thread goes on in the child.
    living = NULL;
    if (self.token != 0) {
        self.next = NULL;
        self.place = &living;
        living = &self;
    }
    unlock_living();
}

static void prepare_living(void) {
    pthread_key_create(&thread_end, leave_living);
    // A fork must not find the lock taken: in the child nobody would give it back.
    pthread_atfork(lock_living, unlock_living, restart_living);
}

uint64_t cairn_make_thread_token(void) {
    cairn_thread.token = atomic_fetch_add(&last_token, 1) + 1;
    cairn_thread.is_main = getpid() == gettid();
    pthread_once(&living_once, prepare_living);
    self.token = cairn_thread.token;
    lock_living();
    self.next = living;
    self.place = &living;
    if (living) living->place = &self.next;
    living = &self;
    unlock_living();
    pthread_setspecific(thread_end, &self);
    return cairn_thread.token;
}

bool cairn_thread_lives(uint64_t token) {
    bool lives = false;
    lock_living();
    for (const struct living_thread *thread = living; thread && !lives; thread = thread->next) {
        lives = thread->token == token;
    }
    unlock_living();
    return lives;
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

void cairn_copy_thread_name(char *name) {
    if (pthread_getname_np(pthread_self(), name, 16) != 0) name[0] = 0;
}
