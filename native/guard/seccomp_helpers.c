/*
 * The system calls that are left to the helpers, and to the processes that they fork: the connector
 * (connector/connector_process.h) and the acceptor (acceptor/acceptor_process.h).
 */
#define _GNU_SOURCE 1
#include "guard/seccomp_calls.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "base/sol_tls.h"

/* The number of <linux/seccomp.h> that older versions lack. */
#define SET_MODE_FILTER 1

#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

/* The C libraries fork by fork(2) or clone(2), and make the last two calls in the new process. */
#define FORKING SYS_fork, SYS_wait4, SYS_set_tid_address, SYS_set_robust_list

/* The flags that are allowed in clone(2): nothing that shares memory or makes a namespace. */
#define FORKING_FLAGS (SIGCHLD | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)

/*
 * The process of an encrypted connection (tls/tls_session.h), while it reads what a peer sends: it moves bytes of
 * sockets that are open, waits, and ends. It opens and connects nothing, and passes no descriptor.
 */
static const int tls_calls[] = {
    SYS_sendto,
    SYS_send,
    SYS_shutdown,
    SYS_pread64, /* the files of the settings, which are open */
};

const struct seccomp_table seccomp_tls = {
    .base = &seccomp_base, .allowed = tls_calls, .allowed_count = COUNT(tls_calls)};

/* The same of a connection that the acceptor has accepted: it may give its keys to the kernel (tls/kernel_tls.h). */
static const struct rule accepted_rules[] = {
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_ULP}}},
    {SYS_setsockopt, {{IS, 1, SOL_TLS}}},
};

const struct seccomp_table seccomp_accepted = {
    .base = &seccomp_tls, .rules = accepted_rules, .rule_count = COUNT(accepted_rules)};

/* A process that becomes one of an encrypted connection: it restricts itself further. */
static const struct rule sealing_rules[] = {
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_NODELAY}}},
    {SYS_prctl, {{IS, 0, PR_SET_SECCOMP}}},
    {SYS_seccomp, {{IS, 0, SET_MODE_FILTER}}},
};

static const struct seccomp_table sealing = {
    .base = &seccomp_tls, .rules = sealing_rules, .rule_count = COUNT(sealing_rules)};

/* The process of a connection (connector/dial.h): it connects, and passes the connection. It opens no file. */
static const int dial_calls[] = {
    SYS_connect,
    SYS_sendmsg,
    SYS_getpeername,
    SYS_getsockopt,
    SYS_adjtimex, /* only to read, without a capability */
    SYS_clock_adjtime,
    SYS_clock_adjtime64,
};

static const struct rule dial_rules[] = {
    {SYS_socketpair, {{IS, 0, AF_UNIX}}},
    {SYS_socket, {{IS, 0, AF_INET}}},
    {SYS_socket, {{IS, 0, AF_INET6}}},
    {SYS_socket, {{IS, 0, AF_UNIX}}},
};

const struct seccomp_table seccomp_dial = {SECCOMP_LISTS(dial_calls, dial_rules), .base = &sealing};

/*
 * The process that asks for the addresses of a name (connector/resolve.h), by the C library. It opens files only to
 * read them (Landlock restricts which), and starts nothing.
 */
static const int resolve_calls[] = {
    SYS_bind,        /* the socket by which it asks a name server */
    SYS_getsockname, /* sorts the addresses */
};

static const struct rule resolve_rules[] = {
    {SYS_open, {{HAS_NO_BIT_OF, 1, WRITING}}},
    {SYS_openat, {{HAS_NO_BIT_OF, 2, WRITING}}},
    /* A name server on IPv6, its zone in resolv.conf, and an answer that is too long for a datagram */
    {SYS_setsockopt, {{IS, 1, IPPROTO_IPV6}, {IS, 2, IPV6_V6ONLY}}},
    {SYS_ioctl, {{IS, 1, SIOCGIFINDEX}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_FASTOPEN_CONNECT}}},
    {SYS_setitimer, {{IS, 0, ITIMER_REAL}}}, /* ends it when resolving takes too long */
};

const struct seccomp_table seccomp_resolve = {SECCOMP_LISTS(resolve_calls, resolve_rules), .base = &seccomp_dial};

/* The connector: what the processes may that it forks, and the forking. */
static const int connector_calls[] = {FORKING, SYS_getppid};

static const struct rule connector_rules[] = {
    {SYS_clone, {{HAS_NO_BIT_OF, 0, (uint32_t)~FORKING_FLAGS}}},
    {SYS_prctl, {{IS, 0, PR_SET_PDEATHSIG}, {IS, 1, SIGKILL}}},
    {SYS_rt_sigaction, {{IS, 0, SIGCHLD}}}, /* nobody waits for the processes that resolve */
    {SYS_prlimit64, {{IS, 0, 0}, {IS, 1, RLIMIT_NOFILE}}},
};

const struct seccomp_table seccomp_connector = {SECCOMP_LISTS(connector_calls, connector_rules),
                                                .base = &seccomp_resolve};

/*
 * The acceptor: it accepts connections from sockets that listen, forks the process of each, and passes what that
 * writes to.
 */
static const int acceptor_calls[] = {SYS_accept4, SYS_sendmsg, FORKING};

static const struct rule acceptor_rules[] = {
    {SYS_socketpair, {{IS, 0, AF_UNIX}}},
    {SYS_clone, {{HAS_NO_BIT_OF, 0, (uint32_t)~FORKING_FLAGS}}},
    {SYS_setsockopt, {{IS, 1, SOL_SOCKET}, {IS, 2, SO_KEEPALIVE}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPIDLE}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPINTVL}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPCNT}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_USER_TIMEOUT}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_NOTSENT_LOWAT}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_ULP}}}, /* as in accepted_rules */
    {SYS_setsockopt, {{IS, 1, SOL_TLS}}},
    {SYS_ioctl, {{IS, 1, SIOCOUTQ}}}, /* whether a client has everything that was sent */
};

const struct seccomp_table seccomp_acceptor = {SECCOMP_LISTS(acceptor_calls, acceptor_rules), .base = &sealing};
