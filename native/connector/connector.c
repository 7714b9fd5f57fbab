#define _GNU_SOURCE 1
#include "connector/connector.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connector/connector_process.h"
#include "engine/passed_descriptor.h"
#include "engine/socket_send.h"
#include "keeper/keeper.h"

static int receive(int connector, struct connector_answer *answer, int *fd, int flags) {
    const ssize_t length = passed_descriptor_receive(connector, answer, sizeof *answer, fd, flags);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return 0;
    if (length == (ssize_t)sizeof *answer) {
        answer->reason[sizeof answer->reason - 1] = '\0';
        return 1;
    }
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    return -1;
}

int connector_take(int connector, struct connector_answer *answer, int *fd) {
    return receive(connector, answer, fd, MSG_DONTWAIT);
}

bool connector_ask(int connector, size_t target, uint32_t number, uint32_t time) {
    const struct connector_question question = {
        .target = (uint32_t)target, .number = number, .deadline = dial_clock() + time};
    return socket_send(connector, &question, sizeof question, 0) == (ssize_t)sizeof question;
}

/* The signals that end the parent in order are for the parent alone: the connector ends when the parent has. */
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

/* Forks the connector from this process. Returns the descriptor to ask it by, or -1 with errno set. */
static int fork_connector(const struct connector_plan *plan) {
    int pair[2];
    /* Nobody waits for the connector's end; its end of the pair says that it has ended. */
    if (signal(SIGCHLD, SIG_IGN) == SIG_ERR || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -1;
    pid_t parent = getpid(), child = fork_without_signals();
    if (child == 0)
        connector_run(pair[1], parent, plan);
    int error = errno;
    close(pair[1]);
    if (child > 0)
        return pair[0];
    close(pair[0]);
    errno = error;
    return -1;
}

/* Has the keeper fork the connector. Returns the descriptor to ask it by, or -1 with errno set. */
static int have_keeper_fork(const struct connector_plan *plan) {
    int file = memfd_create("nound-connector", MFD_CLOEXEC), connector = -1;
    if (file < 0) /* a kernel before 3.17 */
        return fork_connector(plan);
    const size_t size = connector_plan_size(plan->count, plan->tls_count);
    if (write(file, plan, size) == (ssize_t)size && keeper_connect(file))
        connector = keeper_take_connector(true);
    int error = errno;
    close(file);
    errno = error;
    return connector;
}

int connector_start(const struct connector_plan *plan, struct sentence *reason) {
    struct connector_answer ready = {0};
    int fd, connector = keeper_may_connect() ? have_keeper_fork(plan) : fork_connector(plan);
    if (connector < 0) {
        sentence_say(reason, "cannot start the connector: %s", strerror(errno));
        return -1;
    }
    if (receive(connector, &ready, &fd, 0) == 1 && ready.reason[0] == '\0')
        return connector;
    close(connector);
    sentence_say(reason, "cannot start the connector: %s", ready.reason[0] == '\0' ? "it has ended" : ready.reason);
    return -1;
}
