#define _GNU_SOURCE 1
#include "helper/helper.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "keeper/keeper.h"

typedef void run_helper(int asker, pid_t parent, const void *plan);

/* The signals that end the parent in order are for the parent alone: the helper ends when the parent has. */
static pid_t fork_without_signals(void) {
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &signals, &before) < 0)
        return -1;
    pid_t child = fork();
    if (child != 0)
        sigprocmask(SIG_SETMASK, &before, NULL); /* cannot fail: it was the mask before */
    return child;
}

/* Forks the helper from this process. Returns the descriptor to ask it by, or -1 with errno set. */
static int fork_helper(const void *plan, run_helper *run) {
    int pair[2];
    /* Nobody waits for the helper's end; its end of the pair says that it has ended. */
    if (signal(SIGCHLD, SIG_IGN) == SIG_ERR || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -1;
    pid_t parent = getpid(), child = fork_without_signals();
    if (child == 0) {
        run(pair[1], parent, plan);
        _exit(1);
    }
    int error = errno;
    close(pair[1]);
    if (child > 0)
        return pair[0];
    close(pair[0]);
    errno = error;
    return -1;
}

int helper_start(enum keeper_helper_kind kind, const void *plan, size_t size, run_helper *run) {
    int file = keeper_may_help() ? memfd_create("nound-helper", MFD_CLOEXEC) : -1, helper = -1;
    if (file < 0) /* also on a kernel before 3.17 */
        return fork_helper(plan, run);
    if (write(file, plan, size) == (ssize_t)size && keeper_start_helper(kind, file))
        helper = keeper_take_helper(kind, true);
    int error = errno;
    close(file);
    errno = error;
    return helper;
}
