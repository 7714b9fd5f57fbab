/*
 * Prints the filter of system calls that is built for a target, one instruction a line: code, jt, jf, k. With an
 * argument it is that of the connector.
 */
#include <stdio.h>

#include "guard/seccomp_filter.h"

#define PROCESS 4242

int main(int argc, char **argv) {
    (void)argv;
    struct sock_filter filter[SECCOMP_FILTER_LIMIT];
    size_t length = seccomp_filter_build(filter, argc > 1 ? &seccomp_connector : &seccomp_nouns, PROCESS);
    for (size_t i = 0; i < length; i++)
        printf("%u %u %u %lu\n",
               (unsigned)filter[i].code,
               (unsigned)filter[i].jt,
               (unsigned)filter[i].jf,
               (unsigned long)filter[i].k);
    return 0;
}
