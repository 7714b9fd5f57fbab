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
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/monotonic_clock.h"
#include "base/passed_descriptor.h"
#include "base/stack.h"
#include "guard/landlock.h"
#include "guard/seccomp.h"
#include "helper/helper_process.h"
#include "helper/one_message.h"
#ifdef NOUND_TLS
#include "connector/sealed_connection.h"
#endif

#define NAME_SERVER_PORT 53
#define PASSING_AGAIN 10  /* ms until a connection is passed again */
#define RESOLVER_FILES 16 /* descriptors of a process that asks for a name */

struct connector_process {
    int asker;   /* a socket: questions come in, answers go out */
    int signals; /* a signalfd(2) of SIGCHLD */
};

#define MOST_CONNECTIONS 32 /* that are made, or are encrypted and last */

/* A place for the process of a connection. */
struct place {
    pid_t process; /* 0 for a free place */
    int end;       /* of the pair with the process, until the question is answered; then -1 */
    int plain;     /* what answers a question for an encrypted connection, as long as `end`; otherwise -1 */
    struct connector_question question;
};

static struct place places[MOST_CONNECTIONS];

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
    /* Where a file cannot be used, each connection is refused with the reason: the other targets are served. */
    struct sentence refusal = {0};
    (void)sealed_connection_open(plan, &refusal);
#endif
    if (!privileges_drop(&plan->account, reason) || !give_up_files_and_ports(plan->targets, plan->count, reason))
        return false;
    /* After the user has changed, which clears it. */
    if (!helper_end_with(parent)) {
        sentence_say(reason, "cannot end with its parent: %s", strerror(errno));
        return false;
    }
    return seccomp_restrict(&seccomp_connector, reason);
}

/* The life of a process that asks for the addresses of a name. end: its end of the pair with its parent. */
static _Noreturn void ask_for_name(int end, pid_t parent, const struct target *target, int family, int64_t deadline) {
    struct sentence reason = {0};
    /* One in the hands of a name server may have few descriptors under way, and so stops nobody from passing them. */
    const struct rlimit limit = {RESOLVER_FILES, RESOLVER_FILES};
    if (!helper_end_with(parent) || setrlimit(RLIMIT_NOFILE, &limit) < 0 ||
        !seccomp_restrict(&seccomp_resolve, &reason))
        _exit(1);
    resolve(end, target->host, family, deadline);
}

/*
 * Forks a process for each family that asks for the target's name.
 * end: that of the pair with the connector, which they do not keep. resolvers: receives the ends of the pairs with
 * them.
 */
static void begin_resolving(int end, const struct connector_plan *plan, const struct target *target, int64_t deadline,
                            int resolvers[FAMILIES]) {
    static const int families[FAMILIES] = {AF_INET6, AF_INET};
    const pid_t parent = getpid();
    (void)signal(SIGCHLD, SIG_IGN); /* nobody waits for them; otherwise they would stay as long as this process */
    for (size_t i = 0; i < FAMILIES; i++) {
        int own = -1;
        const pid_t child = passed_descriptor_fork(SOCK_SEQPACKET, &own);
        if (child == 0) {
            close(end);
            for (size_t before = 0; before < i; before++)
                descriptor_close(resolvers[before]);
#ifdef NOUND_TLS
            sealed_connection_close(plan);
#else
            (void)plan;
#endif
            ask_for_name(own, parent, target, families[i], deadline);
        }
        resolvers[i] = child > 0 ? own : -1;
    }
}

/* Passes a connection. Where too many descriptors of this user are under way (unix(7), ETOOMANYREFS), it waits. */
static bool pass(int end, const struct connector_answer *answer, int fd, int64_t deadline) {
    for (;;) {
        if (passed_descriptor_send(end, answer, sizeof *answer, fd, 0))
            return true;
        if (errno != ETOOMANYREFS || monotonic_clock() >= deadline)
            return false;
        (void)poll(NULL, 0, PASSING_AGAIN);
    }
}

/*
 * The life of a process for one connection. end: its end of the pair with the connector. own: the other end of what
 * answers a question for an encrypted connection, or -1.
 */
static _Noreturn void make_connection(const struct connector_process *connector, int end, int own, pid_t parent,
                                      const struct connector_plan *plan, const struct connector_question *question) {
    const struct target *target = &plan->targets[question->target];
    const int64_t deadline = dial_deadline(question->deadline);
    struct connector_answer answer = {0};
    struct sentence reason = {0};
    int resolvers[FAMILIES] = {-1, -1};
    /* The process would speak for the connector and for the other connections by these. */
    close(connector->asker);
    close(connector->signals);
    for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
        descriptor_close(places[i].end);
        descriptor_close(places[i].plain);
    }
    if (target->kind == TARGET_NAME)
        begin_resolving(end, plan, target, deadline, resolvers);
#ifdef NOUND_TLS
    if (target->tls > 0)
        sealed_connection_run(end, own, plan, target, resolvers, deadline);
#else
    (void)own;
#endif
    if (!helper_end_with(parent) || !seccomp_restrict(&seccomp_dial, &reason))
        _exit(1);
    const int fd = dial(target, resolvers, deadline, answer.reason);
    _exit(pass(end, &answer, fd, deadline) ? 0 : 1);
}

/*
 * Answers a question, with a connection or with the reason. Its number is the connector's own to say. Owns the
 * descriptor. It may wait: at most MOST_DIALS answers are not taken yet, and the socket has room for those.
 */
static void answer_question(const struct connector_process *connector, const struct connector_question *question,
                            struct connector_answer *answer, int fd) {
    answer->target = question->target;
    answer->number = question->number;
    (void)passed_descriptor_send(connector->asker, answer, sizeof *answer, fd, 0);
    descriptor_close(fd);
}

static void refuse(const struct connector_process *connector, const struct connector_question *question,
                   const char *reason) {
    struct connector_answer answer = {0};
    snprintf(answer.reason, sizeof answer.reason, "%s", reason);
    answer_question(connector, question, &answer, -1);
}

/* Takes a question and forks the process that answers it. Returns false when the asker is gone. */
static bool take_question(struct connector_process *connector, const struct connector_plan *plan, struct place *place) {
    struct connector_question question;
    int end, pair[2] = {-1, -1};
    const ssize_t length = recv(connector->asker, &question, sizeof question, MSG_DONTWAIT);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (length < 0 || (length == 0 && one_message_is_last(connector->asker)))
        return false;
    if (length != (ssize_t)sizeof question || question.target >= plan->count)
        return true;
    const bool is_paired = plan->targets[question.target].tls == 0 ||
                           socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0;
    const pid_t parent = getpid(), child = is_paired ? passed_descriptor_fork(SOCK_SEQPACKET, &end) : -1;
    if (child == 0) {
        /* While a process has this open, its own end does not see an end. */
        descriptor_close(pair[0]);
        make_connection(connector, end, pair[1], parent, plan, &question);
    }
    if (child < 0)
        refuse(connector, &question, strerror(errno));
    else
        *place = (struct place){.process = child, .end = end, .plain = pair[0], .question = question};
    descriptor_close(child < 0 ? pair[0] : -1);
    descriptor_close(pair[1]);
    return true;
}

/* Answers the question of a place by the message of its process, or for a process that has sent none. */
static void conclude(const struct connector_process *connector, const struct connector_plan *plan,
                     struct place *place) {
    const struct target *target = &plan->targets[place->question.target];
    struct connector_answer answer;
    int fd = place->plain;
    const bool is_taken =
        target->tls > 0
            ? one_message_take(place->end, &answer, sizeof answer)
            : one_message_take_connection(place->end, &answer, sizeof answer, target->kind == TARGET_LOCAL, &fd);
    place->end = place->plain = -1;
    /* The process of an encrypted connection passes none: its reason says whether there is one. */
    if (fd >= 0 && target->tls > 0 && !(is_taken && answer.reason[0] == '\0')) {
        close(fd);
        fd = -1;
    }
    if (is_taken && fd >= 0) {
        answer.reason[0] = '\0';
        if (target->tls == 0)
            answer.peer = net_endpoint_of_peer(fd);
        answer_question(connector, &place->question, &answer, fd);
    } else if (is_taken && answer.reason[0] != '\0') {
        answer.reason[sizeof answer.reason - 1] = '\0';
        answer_question(connector, &place->question, &answer, -1);
    } else {
        refuse(connector, &place->question, "the process that connects has ended");
    }
}

/* Makes room after processes that have ended. */
static void reap(const struct connector_process *connector, const struct connector_plan *plan) {
    struct signalfd_siginfo info;
    pid_t ended;
    while (read(connector->signals, &info, sizeof info) > 0)
        ; /* one signal may stand for several processes */
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
        for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
            if (places[i].process != ended)
                continue;
            if (places[i].end >= 0)
                conclude(connector, plan, &places[i]);
            places[i].process = 0;
        }
}

/* Answers questions until the asker is gone. While all places are taken, further questions wait in the socket. */
static void serve(struct connector_process *connector, const struct connector_plan *plan) {
    for (;;) {
        struct place *free_place = NULL;
        struct pollfd files[MOST_CONNECTIONS + 2];
        for (size_t i = 0; i < MOST_CONNECTIONS; i++) {
            files[i] = (struct pollfd){.fd = places[i].end, .events = POLLIN};
            if (places[i].process == 0)
                free_place = &places[i];
        }
        struct pollfd *signals = &files[MOST_CONNECTIONS], *asker = signals + 1;
        *signals = (struct pollfd){.fd = connector->signals, .events = POLLIN};
        *asker = (struct pollfd){.fd = connector->asker, .events = free_place ? POLLIN : 0};
        if (poll(files, sizeof files / sizeof files[0], -1) < 0) {
            if (errno != EINTR)
                return;
            continue;
        }
        if (signals->revents != 0)
            reap(connector, plan);
        for (size_t i = 0; i < MOST_CONNECTIONS; i++)
            if (files[i].revents != 0 && places[i].end >= 0)
                conclude(connector, plan, &places[i]);
        if ((asker->revents & (POLLHUP | POLLERR)) ||
            (asker->revents != 0 && !take_question(connector, plan, free_place)))
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
    for (size_t i = 0; i < MOST_CONNECTIONS; i++)
        places[i].end = places[i].plain = -1;
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
