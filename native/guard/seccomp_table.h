/* The form of a table of system calls that are left to a process, and the names that C libraries choose of two. */
#ifndef NOUND_SECCOMP_TABLE_H
#define NOUND_SECCOMP_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/* What an argument must be. The kernel takes an int from the lower half of 64 bits, and a pointer from all of them. */
struct condition {
    enum { NOTHING, IS, HAS_NO_BIT_OF, IS_NULL, IS_PROCESS } test;
    unsigned argument; /* from 0 */
    uint32_t value;
};

/* Allows a call whose arguments meet both conditions. */
struct rule {
    unsigned call;
    struct condition conditions[2];
};

struct seccomp_table {
    const struct rule *first; /* a kernel looks at its arguments at every call; or NULL */
    const unsigned *allowed;  /* whatever their arguments are */
    size_t allowed_count;
    const struct rule *rules;
    size_t rule_count;
    const struct seccomp_table *base; /* whose calls are allowed too; or NULL */
};

/* Of every process: memory, time, the end. */
extern const struct seccomp_table seccomp_base;

/* Of the process with the nouns, once everything is open: seccomp_nouns.c. */
extern const struct seccomp_table seccomp_nouns;

/* Of the connector: seccomp_connector.c. */
extern const struct seccomp_table seccomp_connector;

/* Of a process that the connector forks for a connection: seccomp_dial.c. */
extern const struct seccomp_table seccomp_dial;

/* Of a process with an encrypted connection, before it reads the first byte of a peer: seccomp_tls.c. */
extern const struct seccomp_table seccomp_tls;

/* Of the acceptor, which forks such processes: seccomp_acceptor.c. */
extern const struct seccomp_table seccomp_acceptor;

/* Of two calls that do the same, the C libraries make the newer one. */
#ifdef SYS_fcntl64
#define CALL_FCNTL SYS_fcntl64
#else
#define CALL_FCNTL SYS_fcntl
#endif
#ifdef SYS_mmap2
#define CALL_MMAP SYS_mmap2
#else
#define CALL_MMAP SYS_mmap
#endif

#define COUNT(array) (sizeof array / sizeof array[0])

/* Initializes the lists of a table. */
#define SECCOMP_LISTS .allowed = allowed, .allowed_count = COUNT(allowed), .rules = rules, .rule_count = COUNT(rules)

#endif
