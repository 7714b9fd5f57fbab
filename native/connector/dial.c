#define _GNU_SOURCE 1
#include "connector/dial.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "engine/monotonic_clock.h"

#define LONGEST 10000 /* ms for a target, its name and all its addresses together */

/* Has SIGALRM end this process after so many ms, or not any more (0). */
static void limit_life(int64_t time) {
    const struct itimerval limit = {.it_value = {.tv_sec = time / 1000, .tv_usec = time % 1000 * 1000}};
    setitimer(ITIMER_REAL, &limit, NULL); /* cannot fail: the values are in range */
}

/* Waits until a connection is made. Returns 0, or an error's number. */
static int wait_connected(int fd, int64_t deadline) {
    struct pollfd connection = {.fd = fd, .events = POLLOUT};
    for (;;) {
        int64_t left = deadline - monotonic_clock();
        int ready = left > 0 ? poll(&connection, 1, (int)left) : 0;
        if (ready == 0)
            return ETIMEDOUT;
        if (ready > 0)
            break;
        if (errno != EINTR)
            return errno;
    }
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0 ? errno : error;
}

/* Connects to one address. Returns the descriptor, or -1 with errno set. */
static int connect_to(const struct sockaddr *address, socklen_t length, int64_t deadline) {
    int on = 1;
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    int error = connect(fd, address, length) == 0 ? 0 : errno;
    if (error == EINPROGRESS)
        error = wait_connected(fd, deadline);
    /* Small packets leave at once. The nouns' process may not set this. */
    if (error == 0 && address->sa_family != AF_UNIX && setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) < 0)
        error = errno;
    if (error == 0)
        return fd;
    close(fd);
    errno = error;
    return -1;
}

/* Tries the addresses in turn. One that does not answer leaves time for the others. */
static int connect_to_one_of(const struct addrinfo *first, int64_t deadline) {
    int count = 0;
    for (const struct addrinfo *one = first; one; one = one->ai_next)
        count++;
    for (const struct addrinfo *one = first; one; one = one->ai_next, count--) {
        int64_t begin = monotonic_clock();
        int fd = connect_to(one->ai_addr, one->ai_addrlen, begin + (deadline - begin) / count);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

/* getaddrinfo(3) takes as long as the resolver's files tell it to, so a signal ends that. */
static int resolve(const struct target *target, int64_t deadline, struct addrinfo **addresses) {
    const struct addrinfo hints = {
        .ai_socktype = SOCK_STREAM,
        .ai_flags = AI_NUMERICSERV | (target->kind == TARGET_NUMERIC ? AI_NUMERICHOST : 0),
    };
    char port[sizeof "65535"];
    snprintf(port, sizeof port, "%u", (unsigned)target->port);
    int64_t left = deadline - monotonic_clock();
    limit_life(left > 0 ? left : 1);
    int error = getaddrinfo(target->host, port, &hints, addresses);
    limit_life(0);
    return error;
}

static int dial_host(const struct target *target, int64_t deadline, char reason[DIAL_REASON]) {
    struct addrinfo *addresses = NULL;
    int error = resolve(target, deadline, &addresses);
    if (error != 0) {
        snprintf(reason, DIAL_REASON, "its name cannot be resolved: %s", gai_strerror(error));
        return -1;
    }
    int fd = connect_to_one_of(addresses, deadline);
    if (fd < 0)
        snprintf(reason, DIAL_REASON, "%s", strerror(errno));
    freeaddrinfo(addresses);
    return fd;
}

int dial(const struct target *target, int64_t deadline, char reason[DIAL_REASON]) {
    int64_t latest = monotonic_clock() + LONGEST;
    if (deadline > latest)
        deadline = latest;
    if (target->kind != TARGET_LOCAL)
        return dial_host(target, deadline, reason);
    int fd = connect_to((const struct sockaddr *)&target->local, sizeof target->local, deadline);
    if (fd < 0)
        snprintf(reason, DIAL_REASON, "%s", strerror(errno));
    return fd;
}
