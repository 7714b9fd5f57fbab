/*
 * The system calls that are left to the acceptor (acceptor/acceptor_process.h): to accept connections from sockets that
 * listen, and to fork the process of each connection, which restricts itself further (seccomp_tls.c).
 */
#define _GNU_SOURCE 1
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "guard/seccomp_table.h"

static const unsigned allowed[] = {
    SYS_accept4,
#ifdef SYS_fork
    SYS_fork,
#endif
    SYS_wait4,
    SYS_set_tid_address, /* the C libraries, in the new process */
    SYS_set_robust_list,
};

/* The numbers of <linux/seccomp.h> that its older versions lack. */
#define SET_MODE_FILTER 1

/* The flags that are allowed in clone(2): nothing that shares memory or makes a namespace. */
#define FORKING (SIGCHLD | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)

static const struct rule rules[] = {
    {SYS_clone, {{HAS_NO_BIT_OF, 0, (uint32_t)~FORKING}}},
    {SYS_socketpair, {{IS, 0, AF_UNIX}}},
    {SYS_setsockopt, {{IS, 1, SOL_SOCKET}, {IS, 2, SO_KEEPALIVE}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_NODELAY}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPIDLE}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPINTVL}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPCNT}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_USER_TIMEOUT}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_NOTSENT_LOWAT}}},
    /* The process of a connection restricts itself further. */
    {SYS_prctl, {{IS, 0, PR_SET_SECCOMP}}},
#ifdef SYS_seccomp
    {SYS_seccomp, {{IS, 0, SET_MODE_FILTER}}},
#endif
};

const struct seccomp_table seccomp_acceptor = {SECCOMP_LISTS, .base = &seccomp_tls};
