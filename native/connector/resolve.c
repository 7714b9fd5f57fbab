#define _GNU_SOURCE 1
#include "connector/resolve.h"

#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/monotonic_clock.h"

static void limit_life(int64_t time) {
    const struct itimerval limit = {.it_value = {.tv_sec = time / 1000, .tv_usec = time % 1000 * 1000}};
    setitimer(ITIMER_REAL, &limit, NULL); /* cannot fail: the values are in range */
}

static void add(struct resolved *resolved, const struct addrinfo *found) {
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)found->ai_addr;
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)found->ai_addr;
    const uint32_t place = resolved->count++;
    resolved->addresses[place].scope = found->ai_family == AF_INET6 ? v6->sin6_scope_id : 0;
    if (found->ai_family == AF_INET6)
        resolved->addresses[place].host = v6->sin6_addr;
    else
        memcpy(&resolved->addresses[place].host, &v4->sin_addr, sizeof v4->sin_addr);
}

_Noreturn void resolve(int asker, const char *host, int family, int64_t deadline) {
    const struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    struct resolved resolved = {0};
    const int64_t left = deadline - monotonic_clock();
    limit_life(left > 0 ? left : 1);
    resolved.error = getaddrinfo(host, NULL, &hints, &found);
    for (const struct addrinfo *one = resolved.error == 0 ? found : NULL; one; one = one->ai_next)
        if (resolved.count < MOST_ADDRESSES && one->ai_family == family)
            add(&resolved, one);
    _exit(send(asker, &resolved, sizeof resolved, MSG_NOSIGNAL) == (ssize_t)sizeof resolved ? 0 : 1);
}
