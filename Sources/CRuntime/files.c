#define _GNU_SOURCE
#include "CRuntime.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static int range_command(int descriptor, int command, short type, int64_t start, int64_t length,
                         struct flock *lock) {
    memset(lock, 0, sizeof *lock);
    lock->l_type = type;
    lock->l_whence = SEEK_SET;
    lock->l_start = start;
    lock->l_len = length;
    int result;
    do {
        result = fcntl(descriptor, command, lock);
    } while (result == -1 && errno == EINTR);
    return result == -1 ? errno : 0;
}

int cairn_lock_range(int descriptor, int64_t start, int64_t length, bool exclusive, bool waits) {
    struct flock lock;
    return range_command(descriptor, waits ? F_OFD_SETLKW : F_OFD_SETLK, exclusive ? F_WRLCK : F_RDLCK,
                         start, length, &lock);
}

int cairn_unlock_range(int descriptor, int64_t start, int64_t length) {
    struct flock lock;
    return range_command(descriptor, F_OFD_SETLK, F_UNLCK, start, length, &lock);
}

int cairn_range_is_free(int descriptor, int64_t start, int64_t length, bool *is_free) {
    struct flock lock;
    int result = range_command(descriptor, F_OFD_GETLK, F_WRLCK, start, length, &lock);
    *is_free = result == 0 && lock.l_type == F_UNLCK;
    return result;
}

static pthread_once_t fork_once = PTHREAD_ONCE_INIT;
static _Atomic uint64_t fork_generation;

static pthread_mutex_t table_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t table_condition = PTHREAD_COND_INITIALIZER;
static void *table;

static void after_fork_in_child(void) {
    atomic_fetch_add(&fork_generation, 1);
    // Only this thread is left, so nobody holds or waits for them in this process.
    pthread_mutex_init(&table_mutex, NULL);
    pthread_cond_init(&table_condition, NULL);
    table = NULL;
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

uint64_t cairn_fork_generation(void) {
    pthread_once(&fork_once, watch_forks);
    return atomic_load(&fork_generation);
}

void cairn_file_table_lock(void) {
    pthread_once(&fork_once, watch_forks);
    pthread_mutex_lock(&table_mutex);
}

void cairn_file_table_unlock(void) {
    pthread_mutex_unlock(&table_mutex);
}

void cairn_file_table_wait(void) {
    pthread_cond_wait(&table_condition, &table_mutex);
}

void cairn_file_table_signal(void) {
    pthread_cond_broadcast(&table_condition);
}

void *cairn_file_table_get(void) {
    return table;
}

void cairn_file_table_set(void *new_table) {
    table = new_table;
}
