#define _GNU_SOURCE 1
#include "helper/helper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/ending_signals.h"

#define MOST_DESCRIPTORS 4096 /* closed at most by number: the kernel gives the lowest first */

/* Closes all that the parent has open: its lines, its listening sockets. */
static void close_all_but(int kept) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, STDERR_FILENO + 1, kept - 1, 0) == 0 &&
        syscall(SYS_close_range, kept + 1, UINT_MAX, 0) == 0)
        return;
#endif
    for (int fd = STDERR_FILENO + 1; fd < MOST_DESCRIPTORS; fd++)
        if (fd != kept)
            close(fd);
}

/* A helper neither reads nor writes what the parent has as standard files. */
static bool close_standard_files(void) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0)
        return false;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (dup2(nothing, fd) < 0)
            return false;
    return nothing <= STDERR_FILENO || close(nothing) == 0;
}

static int open_signals(void) {
    const sigset_t blocked = ending_signals(SIGCHLD);
    sigset_t read;
    sigemptyset(&read);
    sigaddset(&read, SIGCHLD);
    /* An ignored SIGCHLD would not tell how a process has ended. */
    if (signal(SIGCHLD, SIG_DFL) == SIG_ERR || signal(SIGALRM, SIG_DFL) == SIG_ERR ||
        sigprocmask(SIG_SETMASK, &blocked, NULL) < 0)
        return -1;
    return signalfd(-1, &read, SFD_NONBLOCK | SFD_CLOEXEC);
}

int helper_begin(int asker, struct sentence *reason) {
    close_all_but(asker);
    if (!close_standard_files()) {
        sentence_say(reason, "cannot open /dev/null: %s", strerror(errno));
        return -1;
    }
    const int signals = open_signals();
    if (signals < 0)
        sentence_say(reason, "cannot read signals: %s", strerror(errno));
    return signals;
}

bool helper_end_with(pid_t parent) {
    if (prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L) < 0)
        return false;
    errno = ESRCH;
    return getppid() == parent;
}

const void *helper_map_plan(int file, size_t least, size_t *size) {
    struct stat status;
    if (fstat(file, &status) < 0 || status.st_size < (off_t)least)
        return NULL;
    *size = (size_t)status.st_size;
    const void *plan = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
    return plan == MAP_FAILED ? NULL : plan;
}
