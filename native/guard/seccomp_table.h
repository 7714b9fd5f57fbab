/* The form of a table of system calls that are left to a process. seccomp_calls.h has what a table is written with. */
#ifndef NOUND_SECCOMP_TABLE_H
#define NOUND_SECCOMP_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* What an argument must be. The kernel takes an int from the lower half of 64 bits, and a pointer from all of them. */
struct condition {
    enum { NOTHING, IS, HAS_NO_BIT_OF, IS_NULL, IS_PROCESS } test;
    unsigned argument; /* from 0 */
    uint32_t value;
};

/* Allows a call whose arguments meet both conditions. */
struct rule {
    int call; /* or NO_CALL: then it allows nothing */
    struct condition conditions[2];
};

#define COUNT(array) (sizeof array / sizeof array[0])
#define NO_CALL (-1) /* the number of a call that this processor does not have */

struct seccomp_table {
    const struct rule *first; /* a kernel looks at its arguments at every call; or NULL */
    const int *allowed;       /* whatever their arguments are */
    size_t allowed_count;
    const struct rule *rules;
    size_t rule_count;
    const struct seccomp_table *base; /* whose calls are allowed too; or NULL */
};

/* Of every process: memory, time, the end. */
extern const struct seccomp_table seccomp_base;

/* Of the process with the nouns, once everything is open: seccomp_nouns.c. */
extern const struct seccomp_table seccomp_nouns;

/* Of the helpers (seccomp_helpers.c). Of the connector: */
extern const struct seccomp_table seccomp_connector;

/* Of a process that the connector forks for a connection. */
extern const struct seccomp_table seccomp_dial;

/* Of a process that asks for the addresses of its name. */
extern const struct seccomp_table seccomp_resolve;

/* Of a process with an encrypted connection, before it reads the first byte of a peer. */
extern const struct seccomp_table seccomp_tls;

/* The same of a connection that the acceptor has accepted. */
extern const struct seccomp_table seccomp_accepted;

/* Of the acceptor, which forks such processes. */
extern const struct seccomp_table seccomp_acceptor;

#endif
