/*
 * What a table of system calls is written with. A file with a table includes this header first: <sys/syscall.h> makes
 * macros of the calls that the processor has, and a name that is no macro then has the number NO_CALL from here.
 */
#ifndef NOUND_SECCOMP_CALLS_H
#define NOUND_SECCOMP_CALLS_H

#include "guard/seccomp_table.h"

/* The calls that not every processor, or not every system that compiles, has. */
enum missing_calls {
    SYS_clock_gettime = NO_CALL,
    SYS_clock_gettime32 = NO_CALL,
    SYS_clock_gettime64 = NO_CALL,
    SYS_recv = NO_CALL,
    SYS_poll = NO_CALL,
    SYS_ppoll = NO_CALL,
    SYS_ppoll_time64 = NO_CALL,
    SYS_lseek = NO_CALL,
    SYS__llseek = NO_CALL,
    SYS_fstat = NO_CALL,
    SYS_fstat64 = NO_CALL,
    SYS_newfstatat = NO_CALL,
    SYS_fstatat64 = NO_CALL,
    SYS_statx = NO_CALL,
    SYS_gettimeofday = NO_CALL,
    SYS_gettimeofday_time32 = NO_CALL,
    SYS_getrandom = NO_CALL,
    SYS_futex_time64 = NO_CALL,
    SYS_sigreturn = NO_CALL,
    SYS_epoll_wait = NO_CALL,
    SYS_open = NO_CALL,
    SYS_stat = NO_CALL,
    SYS_stat64 = NO_CALL,
    SYS_lstat = NO_CALL,
    SYS_lstat64 = NO_CALL,
    SYS_access = NO_CALL,
    SYS_faccessat2 = NO_CALL,
    SYS_readlink = NO_CALL,
    SYS_mkdir = NO_CALL,
    SYS_rmdir = NO_CALL,
    SYS_unlink = NO_CALL,
    SYS_rename = NO_CALL,
    SYS_renameat = NO_CALL,
    SYS_renameat2 = NO_CALL,
    SYS_clock_nanosleep = NO_CALL,
    SYS_clock_nanosleep_time32 = NO_CALL,
    SYS_clock_nanosleep_time64 = NO_CALL,
    SYS_adjtimex = NO_CALL,
    SYS_clock_adjtime = NO_CALL,
    SYS_clock_adjtime64 = NO_CALL,
    SYS_rseq = NO_CALL,
    SYS_getuid32 = NO_CALL,
    SYS_geteuid32 = NO_CALL,
    SYS_getgid32 = NO_CALL,
    SYS_getegid32 = NO_CALL,
    SYS_fork = NO_CALL,
    SYS_seccomp = NO_CALL,
    SYS_send = NO_CALL
};

#include <sys/syscall.h>

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

/* Initializes the lists of a table. */
#define SECCOMP_LISTS(calls, rules_of_calls)                                                                           \
    .allowed = (calls), .allowed_count = COUNT(calls), .rules = (rules_of_calls), .rule_count = COUNT(rules_of_calls)

#endif
