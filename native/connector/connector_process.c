#define _GNU_SOURCE 1
#include "connector/connector_process.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/passed_descriptor.h"
#include "engine/stack.h"
#include "guard/landlock.h"
#include "guard/seccomp.h"
#include "helper/helper_process.h"
#ifdef NOUND_TLS
#include "connector/sealed_connection.h"
#endif

#define NAME_SERVER_PORT 53

struct connector_process {
    int asker;   /* a socket: questions come in, answers go out */
    int signals; /* a signalfd(2) of SIGCHLD */
};

#define MOST_CONNECTIONS 32 /* that are made, or are encrypted and last */

/* The processes of connections. */
static struct {
    pid_t process; /* 0 for a free place */
    struct connector_question question;
} connections[MOST_CONNECTIONS];

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

static bool give_up(struct connector_process *connector, pid_t parent, const struct connector_plan *plan,
                    struct sentence *reason) {
    connector->signals = helper_begin(connector->asker, reason);
    if (connector->signals < 0)
        return false;
#ifdef NOUND_TLS
    if (!sealed_connection_open(plan, reason))
        return false;
#endif
    if (!privileges_drop(&plan->account, reason) || !give_up_files_and_ports(plan->targets, plan->count, reason))
        return false;
    /* After the user has changed, which clears it. */
    if (!helper_end_with(parent)) {
        sentence_say(reason, "cannot end with its parent: %s", strerror(errno));
        return false;
    }
    if (!seccomp_restrict(&seccomp_connector, reason))
        return false;
#ifdef NOUND_TLS
    return sealed_connection_check(plan, reason);
#else
    return true;
#endif
}

/* The life of a process for one connection. */
static _Noreturn void make_connection(const struct connector_process *connector, pid_t parent,
                                      const struct connector_plan *plan, const struct connector_question *question) {
    const struct target *target = &plan->targets[question->target];
    struct connector_answer answer = {.target = question->target, .number = question->number};
    struct sentence reason = {0};
    close(connector->signals);
#ifdef NOUND_TLS
    if (target->tls > 0)
        sealed_connection_run(connector->asker, plan, question);
#endif
    if (!helper_end_with(parent) || !seccomp_restrict(&seccomp_dial, &reason))
        _exit(1);
    int fd = dial(target, question->deadline, answer.reason);
    if (fd >= 0)
        answer.peer = net_endpoint_of_peer(fd);
    _exit(passed_descriptor_send(connector->asker, &answer, sizeof answer, fd, 0) ? 0 : 1);
}

/* Answers without a connection. It does not wait: an asker that reads no answers gets none. */
static void refuse(const struct connector_process *connector, const struct connector_question *question,
                   const char *reason) {
    struct connector_answer answer = {.target = question->target, .number = question->number};
    snprintf(answer.reason, sizeof answer.reason, "%s", reason);
    (void)passed_descriptor_send(connector->asker, &answer, sizeof answer, -1, MSG_DONTWAIT);
}

/* Takes a question and forks the process that answers it. Returns false when the asker is gone. */
static bool take_question(struct connector_process *connector, const struct connector_plan *plan, size_t place) {
    struct connector_question question;
    const ssize_t length = recv(connector->asker, &question, sizeof question, MSG_DONTWAIT);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (length != (ssize_t)sizeof question || question.target >= plan->count)
        return false;
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        make_connection(connector, parent, plan, &question);
    if (child < 0) {
        refuse(connector, &question, strerror(errno));
        return true;
    }
    connections[place].process = child;
    connections[place].question = question;
    return true;
}

/* Makes room after processes that have ended. One that could not answer itself is answered for. */
static void reap(struct connector_process *connector) {
    struct signalfd_siginfo info;
    pid_t ended;
    int how;
    while (read(connector->signals, &info, sizeof info) > 0)
        ; /* one signal may stand for several processes */
    while ((ended = waitpid(-1, &how, WNOHANG)) > 0)
        for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
            if (connections[i].process != ended)
                continue;
            connections[i].process = 0;
            if (how != 0)
                refuse(connector,
                       &connections[i].question,
                       WIFSIGNALED(how) && WTERMSIG(how) == SIGALRM ? "its name cannot be resolved in time"
                                                                    : "the process that connects has ended");
        }
}

/* Answers questions until the asker is gone. While all places are taken, further questions wait in the socket. */
static void serve(struct connector_process *connector, const struct connector_plan *plan) {
    for (;;) {
        size_t place = 0;
        while (place < MOST_CONNECTIONS && connections[place].process != 0)
            place++;
        struct pollfd files[] = {{.fd = connector->signals, .events = POLLIN},
                                 {.fd = connector->asker, .events = place < MOST_CONNECTIONS ? POLLIN : 0}};
        if (poll(files, sizeof files / sizeof files[0], -1) < 0) {
            if (errno != EINTR)
                return;
            continue;
        }
        if (files[0].revents != 0)
            reap(connector);
        else if ((files[1].revents & (POLLHUP | POLLERR)) || !take_question(connector, plan, place))
            return;
    }
}

/* Most of the frame of the next function and of what the compiler may inline there. */
_Static_assert(sizeof(struct sentence) + sizeof(struct connector_process) + sizeof(struct connector_answer) <=
                   STACK_LONGEST_FRAME * 3 / 4,
               "stack_release_callers must leave this frame");

_Noreturn void connector_run(int asker, pid_t parent, const void *given) {
    const struct connector_plan *plan = given;
    struct connector_process connector = {.asker = asker};
    struct sentence reason = {0};
    static struct connector_answer ready = {.target = NO_TARGET};
    prctl(PR_SET_NAME, (long)"nound-connector", 0L, 0L, 0L); /* for ps(1); cannot fail */
    stack_release_callers(__builtin_frame_address(0));       /* the parent does not need them any more, either */
    bool restricted = give_up(&connector, parent, plan, &reason);
    if (!restricted)
        snprintf(ready.reason, sizeof ready.reason, "%.*s", (int)sizeof ready.reason - 1, reason.text);
    bool told = passed_descriptor_send(asker, &ready, sizeof ready, -1, 0);
    stack_release(); /* of giving up rights */
    if (told && restricted)
        serve(&connector, plan);
    _exit(0);
}

void connector_run_plan(int asker, pid_t parent, int file) {
    size_t size;
    const struct connector_plan *plan = helper_map_plan(file, sizeof *plan, &size);
    if (plan && plan->count <= MOST_TARGETS && plan->tls_count <= MOST_TARGETS &&
        connector_plan_size(plan->count, plan->tls_count) == size)
        connector_run(asker, parent, plan);
}
