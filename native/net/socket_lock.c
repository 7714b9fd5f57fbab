#define _GNU_SOURCE 1
#include "net/socket_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".lock"
#define TRIES 100 /* each further try means that another program has started and ended */

/* Returns whether a path still leads to this file. A program that ends removes the file while the next program may have
 * it open. */
static bool is_at(int fd, const char *path) {
    struct stat opened, found;
    return fstat(fd, &opened) == 0 && lstat(path, &found) == 0 && opened.st_dev == found.st_dev &&
           opened.st_ino == found.st_ino;
}

int socket_lock_take(const char *path) {
    char name[PATH_MAX];
    if (snprintf(name, sizeof name, "%s" SUFFIX, path) >= (int)sizeof name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    for (int i = 0; i < TRIES; i++) {
        /* Non-blocking, as opening a FIFO in its place would wait. */
        int lock = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
        if (lock < 0)
            return -1;
        bool locked = flock(lock, LOCK_EX | LOCK_NB) == 0;
        int error = errno;
        if (locked && is_at(lock, name))
            return lock;
        close(lock);
        errno = error;
        if (!locked && error != EINTR)
            return -1;
    }
    errno = EWOULDBLOCK;
    return -1;
}

void socket_lock_release(int lock, int folder, const char *name) {
    char lock_name[PATH_MAX];
    if (snprintf(lock_name, sizeof lock_name, "%s" SUFFIX, name) < (int)sizeof lock_name)
        unlinkat(folder,
                 lock_name,
                 0); /* while it is still locked; where this is not allowed, it stays for the next start */
    close(lock);
}
