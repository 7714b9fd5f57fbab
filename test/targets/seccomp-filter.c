/*
 * Prints the filter of system calls that is built for a target, one instruction a line: code, jt, jf, k. With an
 * argument it is that of another process: connector, acceptor, tls or accepted.
 */
#include <stdio.h>
#include <string.h>

#include "guard/seccomp_filter.h"

#define PROCESS 4242

/* Returns NULL for a name that no process has. */
static const struct seccomp_table *table_of(const char *name) {
    return strcmp(name, "connector") == 0  ? &seccomp_connector
           : strcmp(name, "acceptor") == 0 ? &seccomp_acceptor
           : strcmp(name, "tls") == 0      ? &seccomp_tls
           : strcmp(name, "accepted") == 0 ? &seccomp_accepted
                                           : NULL;
}

int main(int argc, char **argv) {
    struct sock_filter filter[SECCOMP_FILTER_LIMIT];
    const struct seccomp_table *table = argc > 1 ? table_of(argv[1]) : &seccomp_nouns;
    if (!table)
        return 2;
    size_t length = seccomp_filter_build(filter, table, PROCESS);
    for (size_t i = 0; i < length; i++)
        printf("%u %u %u %lu\n",
               (unsigned)filter[i].code,
               (unsigned)filter[i].jt,
               (unsigned)filter[i].jf,
               (unsigned long)filter[i].k);
    return 0;
}
