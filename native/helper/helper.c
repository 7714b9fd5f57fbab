#define _GNU_SOURCE 1
#include "helper/helper.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/ending_signals.h"
#include "base/passed_descriptor.h"
#include "keeper/keeper.h"

typedef void run_helper(int asker, pid_t parent, const void *plan);

/*
 * Forks the helper from this process. The signals that end this process in order are for it alone: the helper ends when
 * it has. Returns the descriptor to ask the helper by, or -1 with errno set.
 */
static int fork_helper(const void *plan, run_helper *run) {
    const sigset_t signals = ending_signals(SIGTERM);
    sigset_t before;
    int end;
    /* Nobody waits for the helper's end; its end of the pair says that it has ended. */
    if (signal(SIGCHLD, SIG_IGN) == SIG_ERR || sigprocmask(SIG_BLOCK, &signals, &before) < 0)
        return -1;
    const pid_t parent = getpid(), child = passed_descriptor_fork(SOCK_SEQPACKET, &end);
    if (child == 0) {
        run(end, parent, plan);
        _exit(1);
    }
    sigprocmask(SIG_SETMASK, &before, NULL); /* cannot fail: it was the mask before */
    return child > 0 ? end : -1;
}

int helper_start(enum keeper_helper_kind kind, const void *plan, size_t size, run_helper *run) {
    int file = keeper_may_help() ? memfd_create("nound-helper", MFD_CLOEXEC) : -1, helper = -1;
    if (file < 0) /* also on a kernel before 3.17 */
        return fork_helper(plan, run);
    if (write(file, plan, size) == (ssize_t)size && keeper_start_helper(kind, file))
        helper = keeper_take_helper(kind, true);
    descriptor_close(file);
    return helper;
}
