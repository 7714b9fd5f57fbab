#define _GNU_SOURCE 1
#include "connector/dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/monotonic_clock.h"

#define LONGEST 10000        /* ms for a target, its name and all its addresses together */
#define BETWEEN_ATTEMPTS 250 /* ms until the next address is tried, too (RFC 8305, 5) */
#define FOR_IPV6 50          /* ms in which the addresses of IPv6 may come after those of IPv4 (RFC 8305, 3) */

#define IPV6 0 /* the first family */

/* The addresses of a family that were not tried yet. */
struct untried {
    struct net_address addresses[MOST_ADDRESSES];
    size_t next, count;
};

struct dialing {
    const struct target *target;
    struct untried untried[FAMILIES];
    int errors[FAMILIES]; /* of getaddrinfo(3) */
    size_t turn;          /* the family whose turn it is */
    int64_t next;         /* when another address may be tried, on monotonic_clock */
    size_t attempts;      /* connections that are being made */
    struct pollfd files[FAMILIES + FAMILIES * MOST_ADDRESSES]; /* the resolvers, then those connections */
    int error;                                                 /* why the last attempt has failed; 0 before */
};

int64_t dial_deadline(int64_t deadline) {
    const int64_t latest = monotonic_clock() + LONGEST;
    return deadline < latest ? deadline : latest;
}

static void add(struct dialing *dialing, size_t family, const struct in6_addr *host, uint32_t scope) {
    struct untried *untried = &dialing->untried[family];
    struct net_address *address = &untried->addresses[untried->count++];
    const in_port_t port = htons(dialing->target->port);
    memset(address, 0, sizeof *address);
    if (family == IPV6) {
        address->length = sizeof address->v6;
        address->v6 = (struct sockaddr_in6){
            .sin6_family = AF_INET6, .sin6_port = port, .sin6_addr = *host, .sin6_scope_id = scope};
    } else {
        address->length = sizeof address->v4;
        address->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = port};
        memcpy(&address->v4.sin_addr, host, sizeof address->v4.sin_addr);
    }
}

/* Adds the address of a target that has no name. */
static void add_known(struct dialing *dialing) {
    const struct target *target = dialing->target;
    struct in6_addr host;
    if (target->kind == TARGET_LOCAL) {
        struct net_address *address = &dialing->untried[0].addresses[dialing->untried[0].count++];
        *address = (struct net_address){.local = target->local, .length = sizeof target->local};
    } else if (inet_pton(AF_INET6, target->host, &host) == 1) {
        add(dialing, IPV6, &host, 0);
    } else if (inet_pton(AF_INET, target->host, &host) == 1) {
        add(dialing, 1, &host, 0);
    }
}

/* Takes the answer of a resolver, which is then done. One that has ended without an answer has found nothing. */
static void take_resolved(struct dialing *dialing, size_t family) {
    struct resolved resolved = {0};
    const ssize_t length = recv(dialing->files[family].fd, &resolved, sizeof resolved, MSG_DONTWAIT);
    close(dialing->files[family].fd);
    dialing->files[family].fd = -1;
    const bool is_whole = length == (ssize_t)sizeof resolved && resolved.count <= MOST_ADDRESSES;
    dialing->errors[family] = is_whole ? resolved.error : EAI_AGAIN;
    for (uint32_t i = 0; is_whole && i < resolved.count; i++)
        add(dialing, family, &resolved.addresses[i].host, resolved.addresses[i].scope);
    if (dialing->attempts == 0 && dialing->error == 0)
        dialing->next = monotonic_clock() + (dialing->files[IPV6].fd >= 0 ? FOR_IPV6 : 0);
}

/* Returns the address that is to be tried next, the families in turn; or NULL. */
static const struct net_address *next_address(struct dialing *dialing) {
    for (size_t i = 0; i < FAMILIES; i++) {
        struct untried *untried = &dialing->untried[(dialing->turn + i) % FAMILIES];
        if (untried->next == untried->count)
            continue;
        dialing->turn = (dialing->turn + i + 1) % FAMILIES;
        return &untried->addresses[untried->next++];
    }
    return NULL;
}

static bool has_untried(const struct dialing *dialing) {
    for (size_t i = 0; i < FAMILIES; i++)
        if (dialing->untried[i].next < dialing->untried[i].count)
            return true;
    return false;
}

static bool is_resolving(const struct dialing *dialing) {
    return dialing->files[0].fd >= 0 || dialing->files[1].fd >= 0;
}

/* Begins to connect to an address. */
static void begin_attempt(struct dialing *dialing, const struct net_address *address) {
    const int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        dialing->error = errno;
        return;
    }
    if (connect(fd, &address->any, address->length) < 0 && errno != EINPROGRESS) {
        dialing->error = errno;
        close(fd);
        return;
    }
    /* A connection that is there already can be written to. */
    dialing->files[FAMILIES + dialing->attempts++] = (struct pollfd){.fd = fd, .events = POLLOUT};
    dialing->next = monotonic_clock() + BETWEEN_ATTEMPTS;
}

/* Returns the connection if it is made. Otherwise forgets it, and lets the next address be tried at once. */
static int conclude_attempt(struct dialing *dialing, size_t place) {
    const int fd = dialing->files[place].fd, on = 1;
    int error = 0;
    socklen_t length = sizeof error;
    dialing->files[place] = dialing->files[FAMILIES + --dialing->attempts];
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0)
        error = errno;
    /* Small packets leave at once. The nouns' process may not set this. */
    if (error == 0 && dialing->target->kind != TARGET_LOCAL &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0)
        error = errno;
    if (error == 0)
        return fd;
    close(fd);
    dialing->error = error;
    dialing->next = 0;
    return -1;
}

/* Takes what poll(2) has reported. Returns a connection, or -1. */
static int take_events(struct dialing *dialing) {
    for (size_t family = 0; family < FAMILIES; family++)
        if (dialing->files[family].fd >= 0 && dialing->files[family].revents != 0)
            take_resolved(dialing, family);
    for (size_t place = FAMILIES + dialing->attempts; place-- > FAMILIES;) {
        const int fd = dialing->files[place].revents != 0 ? conclude_attempt(dialing, place) : -1;
        if (fd >= 0)
            return fd;
    }
    return -1;
}

/* Connects. Returns the descriptor, or -1 once there is nothing more to try or the deadline has come. */
static int connect_to_one(struct dialing *dialing, int64_t deadline) {
    for (;;) {
        const int64_t now = monotonic_clock();
        if (now >= deadline)
            return -1;
        const struct net_address *address = now >= dialing->next ? next_address(dialing) : NULL;
        if (address) {
            begin_attempt(dialing, address);
            continue;
        }
        const bool has_more = has_untried(dialing);
        if (dialing->attempts == 0 && !has_more && !is_resolving(dialing))
            return -1;
        const int64_t until = has_more && dialing->next < deadline ? dialing->next : deadline;
        const int ready = poll(dialing->files, FAMILIES + dialing->attempts, (int)(until - now));
        if (ready < 0 && errno != EINTR) {
            dialing->error = errno;
            return -1;
        }
        const int fd = ready > 0 ? take_events(dialing) : -1;
        if (fd >= 0)
            return fd;
    }
}

/* Of two errors of getaddrinfo(3), that of IPv4 says more, unless the name has no such address. */
static int error_of_name(const struct dialing *dialing) {
    return dialing->errors[1] == EAI_NODATA ? dialing->errors[0] : dialing->errors[1];
}

static void explain(const struct dialing *dialing, char reason[DIAL_REASON]) {
    const bool is_late = dialing->attempts > 0 || dialing->target->kind != TARGET_NAME;
    if (is_late || dialing->error != 0)
        snprintf(reason, DIAL_REASON, "%s", strerror(dialing->error != 0 ? dialing->error : ETIMEDOUT));
    else if (is_resolving(dialing))
        snprintf(reason, DIAL_REASON, "its name cannot be resolved in time");
    else
        snprintf(reason, DIAL_REASON, "its name cannot be resolved: %s", gai_strerror(error_of_name(dialing)));
}

int dial(const struct target *target, const int resolvers[FAMILIES], int64_t deadline, char reason[DIAL_REASON]) {
    struct dialing dialing = {.target = target};
    for (size_t i = 0; i < FAMILIES; i++) {
        dialing.files[i] = (struct pollfd){.fd = resolvers[i], .events = POLLIN};
        dialing.errors[i] = EAI_AGAIN;
    }
    if (target->kind != TARGET_NAME)
        add_known(&dialing);
    const int fd = connect_to_one(&dialing, deadline);
    if (fd < 0)
        explain(&dialing, reason);
    for (size_t i = 0; i < FAMILIES + dialing.attempts; i++)
        descriptor_close(dialing.files[i].fd);
    return fd;
}
