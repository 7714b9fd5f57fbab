#define _GNU_SOURCE 1
#include "acceptor/acceptor_process.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/descriptor.h"
#include "engine/monotonic_clock.h"
#include "engine/passed_descriptor.h"
#include "engine/stack.h"
#include "guard/landlock.h"
#include "guard/seccomp.h"
#include "helper/helper_process.h"
#include "net/long_lived.h"

#define HANDSHAKE_TIME 10000 /* ms */
#define RETRY 1000           /* ms until the acceptor looks again, though no process has ended */
#define LOOK 3600000         /* ms between two looks at the certificate's end and the tickets' age */
#define TICKET_AGE 43200     /* s after which their key is replaced */

/* A place for the process of a connection. */
struct place {
    pid_t process;            /* 0 for a free place */
    int peer;                 /* the connection, until it is known that its handshake is done; or -1 */
    struct net_endpoint from; /* the client */
    uint64_t number;          /* of the connection */
};

/* What the acceptor shares with the processes of connections. */
struct shared {
    bool are_done[MOST_ACCEPTED]; /* for each place: the handshake is done */
    bool is_full;                 /* a client waits, and all places are taken */
};

static struct acceptor {
    int asker;   /* a socket: orders come in, messages go out */
    int signals; /* a signalfd(2) of SIGCHLD */
    int listeners[MOST_LISTENERS];
    struct place places[MOST_ACCEPTED];
    volatile struct shared *shared;
    uint64_t accepted;
    bool waits;               /* for a process to end, before another connection is accepted */
    int64_t renewal, tickets; /* s since 1970, and on CLOCK_MONOTONIC */
} acceptor;

static bool prepare(const struct acceptor_plan *plan, pid_t parent, struct tls_server_facts *facts,
                    struct sentence *reason) {
    const struct landlock_reach nothing = {0};
    acceptor.signals = helper_begin(acceptor.asker, reason);
    if (acceptor.signals < 0 || !tls_server_open(&plan->settings, &plan->account, true, facts, reason) ||
        !tls_server_begin(reason))
        return false;
    tls_server_ask(plan->asks);
    void *shared = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        sentence_say(reason, "there is no memory");
        return false;
    }
    acceptor.shared = shared;
    if (!privileges_drop(&plan->account, reason) || landlock_restrict(&nothing, reason) < 0)
        return false;
    /* After the user has changed, which clears it. */
    if (!helper_end_with(parent)) {
        sentence_say(reason, "cannot end with its parent: %s", strerror(errno));
        return false;
    }
    return seccomp_restrict(&seccomp_acceptor, reason);
}

/* Gives a message its reason. The end is cut off if it does not fit. */
static void explain(struct acceptor_message *message, const struct sentence *reason) {
    snprintf(message->reason, sizeof message->reason, "%.*s", (int)sizeof message->reason - 1, reason->text);
}

/* ---- The process of a connection ---- */

/* Reports a handshake that has failed, unless the receiver has no time for it. */
static void report(struct acceptor_message *message, const struct sentence *reason) {
    message->type = ACCEPTOR_REFUSED;
    explain(message, reason);
    (void)passed_descriptor_send(acceptor.asker, message, sizeof *message, -1, MSG_DONTWAIT);
}

/* Waits for the client's first byte, so that one that sends nothing costs no more than its process. */
static bool wait_for_client(int peer) {
    struct pollfd file = {.fd = peer, .events = POLLIN};
    return poll(&file, 1, HANDSHAKE_TIME) > 0;
}

/* The life of a connection, from the handshake to the end. */
static _Noreturn void serve_connection(const struct acceptor_plan *plan, int peer, uint32_t listener, size_t place) {
    struct acceptor_message message = {
        .type = ACCEPTOR_CONNECTION, .listener = listener, .peer = acceptor.places[place].from};
    struct sentence reason = {0};
    int pair[2];
    const int64_t deadline = monotonic_clock() + HANDSHAKE_TIME;
    close(acceptor.signals);
    for (size_t i = 0; i < MOST_LISTENERS; i++)
        descriptor_close(acceptor.listeners[i]);
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        if (i != place && acceptor.places[i].process != 0)
            descriptor_close(acceptor.places[i].peer);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) < 0 ||
        !seccomp_restrict(&seccomp_tls, &reason))
        _exit(1);
    /* From here on, bytes of a stranger are read. */
    if (!wait_for_client(peer))
        _exit(0);
    if (!tls_server_handshake(peer, deadline, &reason)) {
        if (plan->tells)
            report(&message, &reason);
        _exit(0);
    }
    acceptor.shared->are_done[place] = true;
    message.has_key = tls_server_client_key(message.client_key);
    if (!passed_descriptor_send(acceptor.asker, &message, sizeof message, pair[0], 0))
        _exit(0);
    /* While a process has these open, the other end does not see an end. */
    close(acceptor.asker);
    close(pair[0]);
    stack_release(); /* of the handshake */
    tls_server_copy(pair[1], &acceptor.shared->is_full);
    _exit(0);
}

/* ---- The acceptor ---- */

static bool is_same_client(const struct net_endpoint *one, const struct net_endpoint *other) {
    const size_t length = one->family == AF_INET6 ? 8 : 4; /* of an IPv6 address, its network (RFC 6177, 2) */
    return one->family == other->family && memcmp(one->host, other->host, length) == 0;
}

static bool is_handshaking(size_t place) {
    return acceptor.places[place].process != 0 && !acceptor.shared->are_done[place];
}

static size_t count_handshakes_of(const struct net_endpoint *client) {
    size_t count = 0;
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        count += is_handshaking(i) && is_same_client(&acceptor.places[i].from, client);
    return count;
}

/* Ends the oldest handshake of the client with the most: a client with many delays itself alone. */
static void end_handshake(void) {
    const struct place *chosen = NULL;
    size_t most = 0;
    for (size_t i = 0; i < MOST_ACCEPTED; i++) {
        const struct place *place = &acceptor.places[i];
        const size_t count = is_handshaking(i) ? count_handshakes_of(&place->from) : 0;
        if (count == 0 || count < most || (count == most && chosen && place->number > chosen->number))
            continue;
        chosen = place;
        most = count;
    }
    if (chosen)
        shutdown(chosen->peer, SHUT_RDWR); /* also after an error, it is at its end */
}

/* Closes the connections whose handshake is done: their processes have them. */
static void forget_done(void) {
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        if (acceptor.places[i].peer >= 0 && acceptor.shared->are_done[i]) {
            close(acceptor.places[i].peer);
            acceptor.places[i].peer = -1;
        }
}

/* Returns a free place, or MOST_ACCEPTED, after steps to get one. */
static size_t find_place(size_t most) {
    size_t taken = 0, handshakes = 0, free_place = MOST_ACCEPTED;
    forget_done();
    for (size_t i = 0; i < MOST_ACCEPTED; i++) {
        taken += acceptor.places[i].process != 0;
        handshakes += is_handshaking(i);
        if (acceptor.places[i].process == 0)
            free_place = i;
    }
    if (taken < most && handshakes < (most + 1) / 2)
        return free_place;
    if (handshakes >= (most + 1) / 2) {
        end_handshake();
    } else {
        const struct acceptor_message full = {.type = ACCEPTOR_FULL};
        (void)passed_descriptor_send(acceptor.asker, &full, sizeof full, -1, MSG_DONTWAIT);
        acceptor.shared->is_full = true;
    }
    acceptor.waits = true;
    return MOST_ACCEPTED;
}

static void accept_connection(const struct acceptor_plan *plan, size_t listener) {
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    const int on = 1;
    const size_t free_place = find_place(plan->most);
    if (free_place == MOST_ACCEPTED)
        return;
    const int peer =
        accept4(acceptor.listeners[listener], (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0) {
        /* Of the others, the next call tells; without descriptors or memory, the kernel would tell again and again. */
        acceptor.waits = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        return;
    }
    (void)setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    long_lived_set(peer); /* the nouns' process has no hold of it */
    struct place *place = &acceptor.places[free_place];
    *place = (struct place){.peer = peer, .from = net_endpoint_of(&address), .number = acceptor.accepted++};
    acceptor.shared->are_done[free_place] = false;
    const pid_t child = fork();
    if (child == 0)
        serve_connection(plan, peer, (uint32_t)listener, free_place);
    if (child > 0) {
        place->process = child;
        return;
    }
    close(peer);
    place->peer = -1;
    acceptor.waits = true;
}

static void reap(void) {
    struct signalfd_siginfo info;
    pid_t ended;
    while (read(acceptor.signals, &info, sizeof info) > 0)
        ; /* one signal may stand for several processes */
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
        for (size_t i = 0; i < MOST_ACCEPTED; i++) {
            if (acceptor.places[i].process != ended)
                continue;
            descriptor_close(acceptor.places[i].peer);
            acceptor.places[i] = (struct place){.peer = -1};
            acceptor.waits = acceptor.shared->is_full = false;
        }
}

static void close_listener(size_t number, bool ends) {
    if (ends && acceptor.listeners[number] >= 0)
        (void)shutdown(acceptor.listeners[number], SHUT_RDWR);
    descriptor_close(acceptor.listeners[number]);
    acceptor.listeners[number] = -1;
}

/* Returns false when the asker is gone. */
static bool take_order(void) {
    struct acceptor_order order;
    int fd;
    const ssize_t length = passed_descriptor_receive(acceptor.asker, &order, sizeof order, &fd, MSG_DONTWAIT);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return true;
    if (length != (ssize_t)sizeof order || order.listener >= MOST_LISTENERS)
        return false;
    switch (order.type) {
    case ACCEPTOR_LISTEN:
        close_listener(order.listener, false);
        acceptor.listeners[order.listener] = fd;
        return true;
    case ACCEPTOR_CLOSE:
    case ACCEPTOR_END:
        close_listener(order.listener, order.type == ACCEPTOR_END);
        break;
    case ACCEPTOR_ASK:
        tls_server_ask(order.listener == 1);
        break;
    }
    descriptor_close(fd);
    return true;
}

/* Returns false when a new certificate is due, which another acceptor makes. */
static bool look_at_dates(void) {
    const int64_t seconds = monotonic_clock() / 1000;
    if (seconds - acceptor.tickets >= TICKET_AGE && tls_server_renew_tickets())
        acceptor.tickets = seconds;
    return acceptor.renewal == 0 || !tls_server_must_renew(acceptor.renewal);
}

/* Accepts connections until the asker is gone, or a new certificate is due. */
static void serve(const struct acceptor_plan *plan) {
    struct pollfd files[MOST_LISTENERS + 2];
    acceptor.tickets = monotonic_clock() / 1000;
    do {
        files[0] = (struct pollfd){.fd = acceptor.signals, .events = POLLIN};
        files[1] = (struct pollfd){.fd = acceptor.asker, .events = POLLIN};
        for (size_t i = 0; i < MOST_LISTENERS; i++)
            files[i + 2] = (struct pollfd){.fd = acceptor.waits ? -1 : acceptor.listeners[i], .events = POLLIN};
        const int ready = poll(files, sizeof files / sizeof files[0], acceptor.waits ? RETRY : LOOK);
        if (ready < 0 && errno != EINTR)
            return;
        if (ready <= 0) {
            acceptor.waits = false;
            continue;
        }
        if (files[0].revents != 0)
            reap();
        if (files[1].revents != 0 && !take_order())
            return;
        for (size_t i = 0; i < MOST_LISTENERS && !acceptor.waits; i++)
            if (files[i + 2].revents != 0 && acceptor.listeners[i] >= 0)
                accept_connection(plan, i);
    } while (look_at_dates());
}

/* Most of the frame of the next function and of what the compiler may inline there. */
_Static_assert(sizeof(struct sentence) + sizeof(struct tls_server_facts) <= STACK_LONGEST_FRAME * 3 / 4,
               "stack_release_callers must leave this frame");

_Noreturn void acceptor_run(int asker, pid_t parent, const void *given) {
    const struct acceptor_plan *plan = given;
    struct sentence reason = {0};
    static struct acceptor_message ready = {.type = ACCEPTOR_READY};
    prctl(PR_SET_NAME, (long)"nound-acceptor", 0L, 0L, 0L); /* for ps(1); cannot fail */
    stack_release_callers(__builtin_frame_address(0));      /* the parent does not need them any more, either */
    acceptor.asker = asker;
    for (size_t i = 0; i < MOST_LISTENERS; i++)
        acceptor.listeners[i] = -1;
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        acceptor.places[i].peer = -1;
    const bool is_ready = prepare(plan, parent, &ready.facts, &reason);
    if (!is_ready)
        explain(&ready, &reason);
    acceptor.renewal = ready.facts.renewal;
    const bool is_told = passed_descriptor_send(asker, &ready, sizeof ready, -1, 0);
    stack_release(); /* of reading the certificate */
    if (is_told && is_ready)
        serve(plan);
    _exit(0);
}

_Noreturn void acceptor_inspect(int asker, const struct acceptor_plan *plan) {
    struct sentence reason = {0};
    struct acceptor_message message = {.type = ACCEPTOR_READY};
    if (!tls_server_open(&plan->settings, &plan->account, false, &message.facts, &reason))
        explain(&message, &reason);
    _exit(passed_descriptor_send(asker, &message, sizeof message, -1, 0) ? 0 : 1);
}

void acceptor_run_plan(int asker, pid_t parent, int file) {
    size_t size;
    const struct acceptor_plan *plan = helper_map_plan(file, sizeof *plan, &size);
    if (plan && size == sizeof *plan && plan->most <= MOST_ACCEPTED)
        acceptor_run(asker, parent, plan);
}
