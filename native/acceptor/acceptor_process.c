#define _GNU_SOURCE 1
#include "acceptor/acceptor_process.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acceptor/accepted_connection.h"
#include "acceptor/places.h"
#include "base/descriptor.h"
#include "base/monotonic_clock.h"
#include "base/passed_descriptor.h"
#include "base/stack.h"
#include "guard/landlock.h"
#include "guard/seccomp.h"
#include "helper/helper_process.h"
#include "helper/one_message.h"
#include "net/long_lived.h"

#define RETRY 1000       /* ms until the acceptor looks again, though no process has ended */
#define LOOK 3600000     /* ms between two looks at the certificate's end and the tickets' age */
#define TICKET_AGE 43200 /* s after which their key is replaced */

/* What is waited for. Few files are open at once, and poll(2) counts those that are none. */
struct waiting {
    struct pollfd files[2 + MOST_LISTENERS + MOST_ACCEPTED]; /* the signals, the asker, listeners, then processes */
    uint16_t numbers[2 + MOST_LISTENERS + MOST_ACCEPTED];    /* of a listener or a place */
    size_t first_process, count;
};

static struct acceptor {
    int asker;   /* a socket: orders come in, messages go out */
    int signals; /* a signalfd(2) of SIGCHLD */
    int listeners[MOST_LISTENERS];
    bool are_closing[MOST_LISTENERS]; /* closed, and CLOSED is still to be said */
    struct places places;
    struct waiting waiting;
    uint64_t accepted;
    uint32_t refused; /* what the kernel's TLS has refused (kernel_tls.h) */
    bool has_listened;
    bool is_blocked;        /* the asker takes nothing now, so messages of processes wait */
    bool waits;             /* for a process to end, before another connection is accepted */
    bool is_left;           /* a connection is to end once its client has what was written */
    int64_t retry;          /* ms on CLOCK_MONOTONIC after which it does not wait any more */
    int64_t renewal;        /* of the certificate, in s since 1970; 0 for never */
    uint32_t tickets, told; /* s on CLOCK_MONOTONIC: when their key was new, and DUE was said */
} acceptor;

static bool prepare(const struct acceptor_plan *plan, pid_t parent, struct tls_server_facts *facts,
                    struct sentence *reason) {
    const struct landlock_reach nothing = {0};
    acceptor.signals = helper_begin(acceptor.asker, reason);
    if (acceptor.signals < 0 || !tls_server_open(&plan->settings, &plan->account, true, facts, reason) ||
        !tls_server_begin(reason))
        return false;
    tls_server_ask(plan->asks);
    acceptor.refused = kernel_tls_exists() ? 0 : UINT32_MAX;
    places_share_fullness(&acceptor.places);
    if (!privileges_drop(&plan->account, reason) || landlock_restrict(&nothing, reason) < 0)
        return false;
    /* After the user has changed, which clears it. */
    if (!helper_end_with(parent)) {
        sentence_say(reason, "cannot end with its parent: %s", strerror(errno));
        return false;
    }
    return seccomp_restrict(&seccomp_acceptor, reason);
}

/* Closes all that the acceptor has, besides the connection of a place. */
static void leave_acceptor(const struct place *place) {
    close(acceptor.asker);
    close(acceptor.signals);
    for (size_t i = 0; i < MOST_LISTENERS; i++)
        descriptor_close(acceptor.listeners[i]);
    for (size_t i = 0; i < MOST_ACCEPTED; i++)
        if (&acceptor.places.all[i] != place && place_is_taken(&acceptor.places.all[i]))
            place_close_files(&acceptor.places.all[i]);
    /* While a process has that open, its own end does not see an end. */
    close(place->plain);
}

/* Tells the asker of an event without a connection. Returns false if it takes nothing now. */
static bool tell(enum acceptor_event event, size_t listener) {
    const struct acceptor_message message = {.type = event, .listener = (uint32_t)listener};
    return passed_descriptor_send(acceptor.asker, &message, sizeof message, -1, MSG_DONTWAIT);
}

/* Returns a free place, or NULL, after steps to get one. */
static struct place *find_place(size_t most) {
    const struct places_use use = places_use_of(&acceptor.places);
    if (use.taken < most && use.handshakes < (most + 1) / 2)
        return use.free;
    if (use.handshakes >= (most + 1) / 2) {
        places_end_handshake(&acceptor.places);
    } else {
        (void)tell(ACCEPTOR_FULL, 0);
        *acceptor.places.is_full = true;
    }
    acceptor.waits = true;
    return NULL;
}

static void close_listener(size_t number, bool ends) {
    if (ends && acceptor.listeners[number] >= 0)
        (void)shutdown(acceptor.listeners[number], SHUT_RDWR);
    descriptor_close(acceptor.listeners[number]);
    acceptor.listeners[number] = -1;
}

static void accept_connection(const struct acceptor_plan *plan, size_t listener) {
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    const int on = 1;
    struct place *place = find_place(plan->most);
    if (!place)
        return;
    const int peer =
        accept4(acceptor.listeners[listener], (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0) {
        if (errno == EINVAL || errno == ENOTSOCK) { /* it is none, or listens no more */
            close_listener(listener, false);
            acceptor.are_closing[listener] = true;
        }
        /* Of the others, the next call tells; without descriptors or memory, the kernel would tell again and again. */
        acceptor.waits = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
        return;
    }
    (void)setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    long_lived_set(peer); /* the nouns' process has no hold of it */
    *place = (struct place){.end = -1,
                            .peer = peer,
                            .plain = -1,
                            .listener = (uint32_t)listener,
                            .from = net_endpoint_of(&address),
                            .number = acceptor.accepted++};
    int pair[2];
    pid_t child = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0) {
        place->plain = pair[0];
        child = passed_descriptor_fork(SOCK_SEQPACKET, &place->end);
        if (child == 0) {
            leave_acceptor(place);
            const struct accepted_connection connection = {.peer = peer,
                                                           .end = place->end,
                                                           .own = pair[1],
                                                           .refused = acceptor.refused,
                                                           .shown = acceptor.places.shown};
            accepted_connection_serve(plan, &connection);
        }
        close(pair[1]);
    }
    if (child > 0) {
        place->process = child;
        return;
    }
    place->end = -1;
    place_close_files(place);
    acceptor.waits = true;
}

/*
 * Takes the message of a process, which has no other one to send, and passes it on with this connection. The process
 * may be in the hands of its client: so of the message counts nothing but its kind, and what the client has proved.
 */
static void take_message(const struct acceptor_plan *plan, struct place *place) {
    struct acceptor_message message;
    const bool is_whole = one_message_take(place->end, &message, sizeof message);
    place->end = -1;
    message.listener = place->listener;
    message.peer = place->from;
    message.connection = (uint32_t)place->number;
    if (is_whole && message.type == ACCEPTOR_CONNECTION) { /* unless it is gone */
        const int fd = message.in_kernel ? place->peer : place->plain;
        acceptor.refused |= message.refused;
        place->is_passed =
            passed_descriptor_send(acceptor.asker, &message, sizeof message, fd, MSG_DONTWAIT) && message.in_kernel;
    } else if (is_whole && message.type == ACCEPTOR_REFUSED && plan->tells)
        (void)passed_descriptor_send(acceptor.asker, &message, sizeof message, -1, MSG_DONTWAIT);
    if (place->is_passed) {
        descriptor_close(place->plain);
        place->plain = -1;
    } else {
        place_close_files(place); /* its process has the connection */
    }
}

/* Makes a place free, once it has neither a process, nor a message of one, nor a passed connection. */
static void release_place(struct place *place) {
    if (place_is_taken(place))
        return;
    *place = (struct place){.peer = -1, .plain = -1, .end = -1};
    acceptor.waits = *acceptor.places.is_full = false;
}

/* Goes on with the connections that the kernel encrypts: those that are to end, and those that have ended. */
static void end_connections(const struct pollfd *files, const uint16_t *places, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct place *place = &acceptor.places.all[places[i]];
        if (!place->is_passed || files[i].fd != place->peer) /* something else was waited for */
            continue;
        if (!(files[i].revents & (POLLHUP | POLLERR)) &&
            (!place->farewell.is_begun || farewell_go_on(&place->farewell, place->peer, *acceptor.places.is_full)))
            continue;
        place_close_files(place);
        place->is_passed = false;
        release_place(place);
    }
}

/* Returns whether the asker has room for a message; otherwise it is waited for. */
static bool can_tell(void) {
    struct pollfd file = {.fd = acceptor.asker, .events = POLLOUT};
    acceptor.is_blocked = poll(&file, 1, 0) <= 0 || !(file.revents & POLLOUT);
    return !acceptor.is_blocked;
}

static void take_messages(const struct acceptor_plan *plan, const struct pollfd *files, const uint16_t *places,
                          size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct place *place = &acceptor.places.all[places[i]];
        if (files[i].revents == 0 || !place_is_handshaking(place) || !can_tell())
            continue;
        take_message(plan, place);
        release_place(place); /* if its process has ended */
    }
}

static void reap(const struct acceptor_plan *plan) {
    struct signalfd_siginfo info;
    pid_t ended;
    while (read(acceptor.signals, &info, sizeof info) > 0)
        ; /* one signal may stand for several processes */
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
        struct place *place = places_find(&acceptor.places, ended);
        if (!place)
            continue;
        if (place_is_handshaking(place) && can_tell())
            take_message(plan, place); /* its last words; otherwise they wait for the asker */
        place->process = 0;
        release_place(place);
    }
}

/*
 * Says which listeners are done with, after the last connection of each. Returns false when all are, and each
 * connection that the kernel encrypts is to end.
 */
static bool tell_closed(void) {
    bool is_needed = !acceptor.has_listened;
    for (size_t i = 0; i < MOST_LISTENERS; i++) {
        if (acceptor.are_closing[i] && !places_have_handshake_of(&acceptor.places, i) && can_tell())
            acceptor.are_closing[i] = !tell(ACCEPTOR_CLOSED, i);
        is_needed = is_needed || acceptor.listeners[i] >= 0 || acceptor.are_closing[i];
    }
    return is_needed || places_have_passed(&acceptor.places);
}

enum taken { ONE_ORDER, NO_ORDER, ASKER_IS_GONE };

static enum taken take_order(void) {
    struct acceptor_order order;
    int fd;
    const ssize_t length = passed_descriptor_receive(acceptor.asker, &order, sizeof order, &fd, MSG_DONTWAIT);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return NO_ORDER;
    if (length < 0 || (length == 0 && one_message_is_last(acceptor.asker)))
        return ASKER_IS_GONE;
    if (length != (ssize_t)sizeof order || order.listener >= MOST_LISTENERS) {
        descriptor_close(fd);
        return ONE_ORDER;
    }
    switch (order.type) {
    case ACCEPTOR_LISTEN:
        if (fd < 0 || acceptor.listeners[order.listener] >= 0)
            break;
        acceptor.listeners[order.listener] = fd;
        acceptor.has_listened = true;
        return ONE_ORDER;
    case ACCEPTOR_CLOSE:
    case ACCEPTOR_END:
        if (acceptor.listeners[order.listener] < 0)
            break;
        close_listener(order.listener, order.type == ACCEPTOR_END);
        acceptor.are_closing[order.listener] = true;
        if (order.type == ACCEPTOR_END)
            places_end_handshakes_of(&acceptor.places, order.listener);
        else
            places_hurry(&acceptor.places, order.listener);
        break;
    case ACCEPTOR_ASK:
        tls_server_ask(order.listener == 1);
        break;
    case ACCEPTOR_LEAVE:
        places_leave(&acceptor.places, order.connection);
        break;
    }
    descriptor_close(fd);
    return ONE_ORDER;
}

/*
 * Takes all that have been given: who connects after a reload is accepted under its tokens. Returns false when the
 * asker is gone.
 */
static bool take_orders(void) {
    enum taken taken;
    do
        taken = take_order();
    while (taken == ONE_ORDER);
    return taken != ASKER_IS_GONE;
}

/* Replaces the key of the tickets, and says when a new certificate is due. */
static void look_at_dates(void) {
    const uint32_t seconds = (uint32_t)(monotonic_clock() / 1000);
    if (seconds - acceptor.tickets >= TICKET_AGE && tls_server_renew_tickets())
        acceptor.tickets = seconds;
    if (acceptor.renewal != 0 && seconds - acceptor.told >= LOOK / 1000 && tls_server_must_renew(acceptor.renewal) &&
        tell(ACCEPTOR_DUE, 0))
        acceptor.told = seconds;
}

static void add(struct waiting *waiting, int fd, short events, size_t number) {
    if (fd < 0)
        return;
    waiting->files[waiting->count] = (struct pollfd){.fd = fd, .events = events};
    waiting->numbers[waiting->count++] = (uint16_t)number;
}

static void find_files(struct waiting *waiting) {
    waiting->files[0] = (struct pollfd){.fd = acceptor.signals, .events = POLLIN};
    waiting->files[1] = (struct pollfd){.fd = acceptor.asker, .events = POLLIN | (acceptor.is_blocked ? POLLOUT : 0)};
    waiting->count = 2;
    for (size_t i = 0; i < MOST_LISTENERS && !acceptor.waits; i++)
        add(waiting, acceptor.listeners[i], POLLIN, i);
    if (!acceptor.waits)
        acceptor.retry = monotonic_clock() + RETRY;
    waiting->first_process = waiting->count;
    acceptor.is_left = false;
    for (size_t i = 0; i < MOST_ACCEPTED; i++) {
        const struct place *place = &acceptor.places.all[i];
        const struct farewell *farewell = &place->farewell;
        if (place->is_passed)
            add(waiting, place->peer, farewell->is_begun && !farewell->is_said ? POLLOUT : 0, i);
        else if (!acceptor.is_blocked)
            add(waiting, place->end, POLLIN, i);
        acceptor.is_left = acceptor.is_left || (place->is_passed && farewell->is_begun);
    }
}

/* Waits until something is ready, or due. Returns as poll(2) does. */
static int wait_for_files(struct waiting *waiting) {
    find_files(waiting);
    const int ready = poll(waiting->files,
                           waiting->count,
                           acceptor.is_left ? FAREWELL_LOOK
                           : acceptor.waits ? RETRY
                                            : LOOK);
    const size_t first = waiting->first_process;
    end_connections(waiting->files + first, waiting->numbers + first, waiting->count - first);
    return ready;
}

/* Serves until the asker is gone, or all listeners are closed. */
static void serve(const struct acceptor_plan *plan) {
    struct waiting *waiting = &acceptor.waiting;
    struct pollfd *files = waiting->files;
    acceptor.tickets = (uint32_t)(monotonic_clock() / 1000);
    acceptor.told = acceptor.tickets - LOOK / 1000;
    do {
        const int ready = wait_for_files(waiting);
        if (ready < 0 && errno != EINTR)
            return;
        if (ready <= 0) {
            acceptor.waits = acceptor.waits && monotonic_clock() < acceptor.retry;
            look_at_dates();
            continue;
        }
        if (files[0].revents != 0)
            reap(plan);
        if (files[1].revents & POLLOUT)
            acceptor.is_blocked = false;
        if (!take_orders())
            return;
        const size_t first = waiting->first_process;
        take_messages(plan, files + first, waiting->numbers + first, waiting->count - first);
        for (size_t i = 2; i < first && !acceptor.waits; i++)
            if (files[i].revents != 0 && acceptor.listeners[waiting->numbers[i]] >= 0)
                accept_connection(plan, waiting->numbers[i]);
        look_at_dates();
    } while (tell_closed());
}

/* Lets clients have what was written to them, when nothing else is left to do. */
static void say_farewells(void) {
    struct waiting *waiting = &acceptor.waiting;
    close(acceptor.asker);
    close(acceptor.signals);
    acceptor.asker = acceptor.signals = -1;
    acceptor.waits = true;
    for (size_t i = 0; i < MOST_LISTENERS; i++) {
        close_listener(i, false);
        places_end_handshakes_of(&acceptor.places, i);
    }
    places_leave_all(&acceptor.places);
    for (find_files(waiting); acceptor.is_left; find_files(waiting))
        (void)wait_for_files(waiting);
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
    places_open(&acceptor.places);
    const bool is_ready = prepare(plan, parent, &ready.facts, &reason);
    if (!is_ready)
        acceptor_message_explain(&ready, &reason);
    acceptor.renewal = ready.facts.renewal;
    const bool is_told = passed_descriptor_send(asker, &ready, sizeof ready, -1, 0);
    stack_release(); /* of reading the certificate */
    if (is_told && is_ready) {
        serve(plan);
        say_farewells();
    }
    _exit(0);
}

_Noreturn void acceptor_inspect(int asker, const struct acceptor_plan *plan) {
    struct sentence reason = {0};
    struct acceptor_message message = {.type = ACCEPTOR_READY};
    if (!tls_server_open(&plan->settings, &plan->account, false, &message.facts, &reason))
        acceptor_message_explain(&message, &reason);
    _exit(passed_descriptor_send(asker, &message, sizeof message, -1, 0) ? 0 : 1);
}

void acceptor_run_plan(int asker, pid_t parent, int file) {
    size_t size;
    const struct acceptor_plan *plan = helper_map_plan(file, sizeof *plan, &size);
    if (plan && size == sizeof *plan && plan->most <= MOST_ACCEPTED)
        acceptor_run(asker, parent, plan);
}
