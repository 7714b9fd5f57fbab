/*
 * The system calls that are left to the process of a connection (connector/dial.h): to resolve a name by the C library,
 * to connect, and to pass the connection. It opens files only to read them (Landlock restricts which), and
 * starts nothing.
 */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "guard/seccomp_table.h"

static const unsigned allowed[] = {
    SYS_connect,
    SYS_bind, /* the socket by which the C library asks a name server */
    SYS_sendto,
    SYS_sendmsg,
#ifdef SYS_send
    SYS_send,
#endif
    SYS_shutdown, /* an encrypted connection */
    SYS_pread64,
    SYS_getsockname,
    SYS_getpeername,
    SYS_getsockopt,
};

/* The numbers of <linux/seccomp.h> that its older versions lack. */
#define SET_MODE_FILTER 1

#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

static const struct rule rules[] = {
#ifdef SYS_open
    {SYS_open, {{HAS_NO_BIT_OF, 1, WRITING}}},
#endif
    {SYS_openat, {{HAS_NO_BIT_OF, 2, WRITING}}},
    {SYS_socket, {{IS, 0, AF_INET}}},
    {SYS_socket, {{IS, 0, AF_INET6}}},
    {SYS_socket, {{IS, 0, AF_UNIX}}},
    {SYS_socketpair, {{IS, 0, AF_UNIX}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_NODELAY}}},
    /* The C library: a name server on IPv6, and an answer that is too long for a datagram */
    {SYS_setsockopt, {{IS, 1, IPPROTO_IPV6}, {IS, 2, IPV6_V6ONLY}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_FASTOPEN_CONNECT}}},
    {SYS_setitimer, {{IS, 0, ITIMER_REAL}}}, /* ends it when resolving takes too long */
    /* The process restricts itself further. */
    {SYS_prctl, {{IS, 0, PR_SET_SECCOMP}}},
#ifdef SYS_seccomp
    {SYS_seccomp, {{IS, 0, SET_MODE_FILTER}}},
#endif
};

const struct seccomp_table seccomp_dial = {SECCOMP_LISTS, .base = &seccomp_base};
