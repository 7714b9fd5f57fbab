/*
 * The system calls that are left to the process of a connection (connector/dial.h): to resolve a name by the C library,
 * to connect, and to pass the connection. It opens files only to read them, and starts nothing.
 */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "guard/seccomp_table.h"

static const unsigned allowed[] = {
    SYS_connect,
    SYS_bind, /* the socket by which the C library asks a name server */
    SYS_sendto,
    SYS_sendmsg,
    SYS_recvfrom,
    SYS_recvmsg,
#ifdef SYS_recv
    SYS_recv,
#endif
#ifdef SYS_send
    SYS_send,
#endif
    SYS_getsockname,
    SYS_getpeername,
    SYS_getsockopt,
    SYS_close,
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_ppoll
    SYS_ppoll,
#endif
#ifdef SYS_ppoll_time64
    SYS_ppoll_time64,
#endif
    /* Files: Landlock restricts which */
    SYS_read,
    SYS_readv,
#ifdef SYS_lseek
    SYS_lseek,
#endif
#ifdef SYS__llseek
    SYS__llseek,
#endif
#ifdef SYS_fstat
    SYS_fstat,
#endif
#ifdef SYS_fstat64
    SYS_fstat64,
#endif
#ifdef SYS_newfstatat
    SYS_newfstatat,
#endif
#ifdef SYS_fstatat64
    SYS_fstatat64,
#endif
#ifdef SYS_statx
    SYS_statx,
#endif
    /* Memory; mmap and mprotect below */
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
/* Time and random numbers */
#ifdef SYS_clock_gettime
    SYS_clock_gettime,
#endif
#ifdef SYS_clock_gettime32
    SYS_clock_gettime32,
#endif
#ifdef SYS_clock_gettime64
    SYS_clock_gettime64,
#endif
#ifdef SYS_gettimeofday
    SYS_gettimeofday,
#endif
#ifdef SYS_gettimeofday_time32
    SYS_gettimeofday_time32,
#endif
#ifdef SYS_getrandom
    SYS_getrandom,
#endif
    /* Signals, and the end */
    SYS_futex,
#ifdef SYS_futex_time64
    SYS_futex_time64,
#endif
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
#ifdef SYS_sigreturn
    SYS_sigreturn,
#endif
    SYS_restart_syscall,
    SYS_exit,
    SYS_exit_group,
    SYS_getpid,
    SYS_gettid,
};

#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

static const struct rule rules[] = {
#ifdef SYS_open
    {SYS_open, {{HAS_NO_BIT_OF, 1, WRITING}}},
#endif
    {SYS_openat, {{HAS_NO_BIT_OF, 2, WRITING}}},
    {SYS_socket, {{IS, 0, AF_INET}}},
    {SYS_socket, {{IS, 0, AF_INET6}}},
    {SYS_socket, {{IS, 0, AF_UNIX}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_NODELAY}}},
    /* The C library: a name server on IPv6, and an answer that is too long for a datagram */
    {SYS_setsockopt, {{IS, 1, IPPROTO_IPV6}, {IS, 2, IPV6_V6ONLY}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_FASTOPEN_CONNECT}}},
    {CALL_FCNTL, {{IS, 1, F_SETFD}}},
    {CALL_FCNTL, {{IS, 1, F_GETFL}}},
    {CALL_FCNTL, {{IS, 1, F_SETFL}, {HAS_NO_BIT_OF, 2, O_ASYNC}}},
    {CALL_MMAP, {{HAS_NO_BIT_OF, 2, PROT_EXEC}}},
    {SYS_mprotect, {{HAS_NO_BIT_OF, 2, PROT_EXEC}}},
    {SYS_setitimer, {{IS, 0, ITIMER_REAL}}}, /* ends it when resolving takes too long */
    {SYS_tkill, {{IS_PROCESS, 0, 0}}},       /* abort(3) */
};

const struct seccomp_table seccomp_dial = {
    .allowed = allowed,
    .allowed_count = COUNT(allowed),
    .rules = rules,
    .rule_count = COUNT(rules),
};
