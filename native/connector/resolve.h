/* The process that asks for the addresses of a name, of one family: a name server may answer for one family alone. */
#ifndef NOUND_RESOLVE_H
#define NOUND_RESOLVE_H

#include <netinet/in.h>
#include <stdint.h>

#define FAMILIES 2       /* AF_INET6, then AF_INET */
#define MOST_ADDRESSES 8 /* of a family; further ones are left out */

/* What it has found. */
struct resolved {
    int32_t error;  /* of getaddrinfo(3); 0 if there are addresses */
    uint32_t count; /* of addresses */
    struct {
        struct in6_addr host; /* of AF_INET, its first bytes */
        uint32_t scope;
    } addresses[MOST_ADDRESSES];
};

/*
 * Asks by the C library, and sends a struct resolved. SIGALRM ends the process at the deadline, because the resolver's
 * files may set a longer time.
 * asker: the process's end of a pair. deadline: on monotonic_clock.
 */
_Noreturn void resolve(int asker, const char *host, int family, int64_t deadline);

#endif
