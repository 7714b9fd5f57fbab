#define _GNU_SOURCE 1
#include "connector/connector.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/socket_send.h"
#include "engine/stack.h"
#include "guard/landlock.h"
#include "guard/seccomp.h"

#define NAME_SERVER_PORT 53
#define MOST_DESCRIPTORS 4096 /* closed at most by number: the kernel gives the lowest first */

/* The connector's side. */

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

/* The connector neither reads nor writes what the parent has as standard files. */
static bool close_standard_files(void) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0)
        return false;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (dup2(nothing, fd) < 0)
            return false;
    return nothing <= STDERR_FILENO || close(nothing) == 0;
}

/*
 * The folders with the files by which the C library resolves names. Programs that write these files replace them, and
 * Landlock knows a file as it is now; so it is the folders. Returns their number.
 */
static size_t folders_of_resolver(char file[PATH_MAX], struct landlock_path paths[2]) {
    size_t count = 0;
    if (access("/etc", X_OK) == 0)
        paths[count++] = (struct landlock_path){.path = "/etc"};
    if (!realpath("/etc/resolv.conf", file))
        return count;
    char *slash = strrchr(file, '/');
    if (slash && slash != file)
        *slash = '\0';
    if (strcmp(file, "/etc") != 0)
        paths[count++] = (struct landlock_path){.path = file};
    return count;
}

/* Not inlined: what it needs of the stack is released after it. */
static __attribute__((noinline)) bool give_up_files_and_ports(const struct target *targets, size_t count,
                                                              struct sentence *reason) {
    char file[PATH_MAX];
    struct landlock_path paths[2];
    uint16_t ports[MOST_TARGETS + 1];
    struct landlock_reach reach = {.paths = paths, .ports = ports};
    bool resolves = false;
    for (size_t i = 0; i < count; i++) {
        resolves = resolves || targets[i].kind == TARGET_NAME;
        if (targets[i].kind != TARGET_LOCAL)
            ports[reach.port_count++] = targets[i].port;
    }
    if (resolves) {
        reach.path_count = folders_of_resolver(file, paths);
        ports[reach.port_count++] = NAME_SERVER_PORT;
    }
    return landlock_restrict(&reach, reason) >= 0;
}

static bool give_up(int parent, const struct connector_plan *plan, struct sentence *reason) {
    close_all_but(parent);
    if (!close_standard_files()) {
        sentence_say(reason, "cannot open /dev/null: %s", strerror(errno));
        return false;
    }
    if (!privileges_drop(plan->account, reason) || !give_up_files_and_ports(plan->targets, plan->count, reason))
        return false;
    /* After the user has changed, which clears it. A parent that is gone already has closed its end of the pair. */
    if (prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L) < 0) {
        sentence_say(reason, "cannot end with its parent: %s", strerror(errno));
        return false;
    }
    return seccomp_restrict(&seccomp_connector, reason);
}

/* Sends an answer, with a descriptor unless it is -1. Returns false when the parent is gone. */
static bool answer_parent(int parent, const struct connector_answer *answer, int fd) {
    struct iovec text = {.iov_base = (void *)answer, .iov_len = sizeof *answer};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    ssize_t sent;
    do
        sent = sendmsg(parent, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *answer;
}

/* The address of the connection's other end. */
static struct net_endpoint peer_of(int fd) {
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    if (getpeername(fd, (struct sockaddr *)&address, &length) < 0)
        address.ss_family = AF_UNIX;
    return net_endpoint_of(&address);
}

/* Answers questions until the parent is gone. */
static void serve(int parent, const struct target *targets, size_t count) {
    for (;;) {
        uint8_t asked;
        stack_release(); /* of the connection before, or of giving up rights */
        ssize_t length = recv(parent, &asked, sizeof asked, 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length != sizeof asked || asked >= count)
            return;
        struct connector_answer answer = {0};
        int fd = dial(&targets[asked], answer.reason);
        if (fd >= 0)
            answer.peer = peer_of(fd);
        bool sent = answer_parent(parent, &answer, fd);
        if (fd >= 0)
            close(fd);
        if (!sent)
            return;
    }
}

/* Most of the frame of the next function and of what the compiler may inline there. */
_Static_assert(sizeof(struct sentence) + 2 * sizeof(struct connector_answer) <= STACK_LONGEST_FRAME * 3 / 4,
               "stack_release_callers must leave this frame");

static _Noreturn void run(int parent, const struct connector_plan *of_parent) {
    const struct connector_plan plan = *of_parent;
    struct sentence reason = {0};
    struct connector_answer ready = {0};
    stack_release_callers(__builtin_frame_address(0)); /* the parent does not need them any more, either */
    bool restricted = give_up(parent, &plan, &reason);
    if (!restricted)
        snprintf(ready.reason, sizeof ready.reason, "%.*s", (int)sizeof ready.reason - 1, reason.text);
    if (answer_parent(parent, &ready, -1) && restricted)
        serve(parent, plan.targets, plan.count);
    _exit(0);
}

/* The side of the process with the nouns. */

static int receive(int connector, struct connector_answer *answer, int *fd, int flags) {
    struct iovec text = {.iov_base = answer, .iov_len = sizeof *answer};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t length;
    *fd = -1;
    do
        length = recvmsg(connector, &message, MSG_CMSG_CLOEXEC | flags);
    while (length < 0 && errno == EINTR);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return 0;
    const struct cmsghdr *header = length > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof *fd))
        memcpy(fd, CMSG_DATA(header), sizeof *fd);
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

bool connector_ask(int connector, size_t target) {
    const uint8_t asked = (uint8_t)target;
    return socket_send(connector, &asked, sizeof asked, 0) == (ssize_t)sizeof asked;
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

int connector_fork(const struct connector_plan *plan, struct sentence *reason) {
    int pair[2], fd;
    struct connector_answer ready = {0};
    /* Nobody waits for the connector's end; its end of the pair says that it has ended. */
    if (signal(SIGCHLD, SIG_IGN) == SIG_ERR || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
        sentence_say(reason, "cannot start the connector: %s", strerror(errno));
        return -1;
    }
    pid_t child = fork_without_signals();
    if (child == 0)
        run(pair[1], plan);
    int error = errno;
    close(pair[1]);
    if (child > 0 && receive(pair[0], &ready, &fd, 0) == 1 && ready.reason[0] == '\0')
        return pair[0];
    close(pair[0]);
    sentence_say(reason,
                 "cannot start the connector: %s",
                 child < 0                 ? strerror(error)
                 : ready.reason[0] == '\0' ? "it has ended"
                                           : ready.reason);
    return -1;
}
