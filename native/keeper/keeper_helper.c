#define _GNU_SOURCE 1
#include "keeper/keeper_helper.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/log_output.h"
#include "base/monotonic_clock.h"
#include "base/passed_descriptor.h"
#include "keeper/keeper_state.h"

#define INTERVAL 60000 /* ms between two helpers of a kind, but the first two of a server */

/* Returns the descriptor by which the server asks the new helper, or -1 with errno set. */
static int fork_helper(struct keeper_helper *helper) {
    int end;
    const pid_t parent = getpid(), child = passed_descriptor_fork(SOCK_SEQPACKET, &end);
    if (child == 0) {
        setpgid(0, 0); /* fails only for a leader of a session, which a new process is not */
        helper->run(end, parent, helper->plan);
        _exit(1);
    }
    if (child < 0)
        return -1;
    helper->process = child;
    return end;
}

/* A server that takes nothing more is not waited for, and one that has ended (EPIPE) needs no helper. */
static void start(struct keeper_helper *helper) {
    errno = EMFILE;
    const int asking = helper->plan >= 0 ? fork_helper(helper) : -1;
    const struct keeper_connection told = {.error = asking < 0 ? errno : 0, .helper = helper->kind};
    if (!passed_descriptor_send(keeper.link, &told, sizeof told, asking, MSG_DONTWAIT) && errno != EPIPE)
        log_output_print("nound: the process with the nouns takes no message: %s", strerror(errno));
    descriptor_close(asking);
    if (helper->kind == KEEPER_ACCEPTOR) {
        descriptor_close(helper->plan);
        helper->plan = -1;
    }
}

void keeper_helper_begin(struct keeper_helper *helper, int plan) {
    keeper_helper_end(helper);
    helper->plan = plan;
    helper->due = 0;
    start(helper);
}

void keeper_helper_continue(struct keeper_helper *helper) {
    if (keeper_helper_wait(helper) != 0)
        return;
    helper->due = monotonic_clock() + INTERVAL;
    start(helper);
}

int keeper_helper_wait(const struct keeper_helper *helper) {
    if (helper->plan < 0 || helper->process > 0 || keeper.link < 0)
        return -1;
    const int64_t left = helper->due - monotonic_clock();
    return left > 0 ? (int)left : 0;
}

bool keeper_helper_ended(struct keeper_helper *helper, pid_t process) {
    if (process != helper->process)
        return false;
    helper->process = 0;
    return true;
}

void keeper_helper_end(struct keeper_helper *helper) {
    if (helper->process > 0 && helper->kind != KEEPER_ACCEPTOR)
        kill(helper->process, SIGKILL);
    helper->process = 0;
    descriptor_close(helper->plan);
    helper->plan = -1;
}
