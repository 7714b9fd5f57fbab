/* The system calls that are left to every process that is restricted. Not every processor has each of them. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <sys/mman.h>

#include "guard/seccomp_table.h"

static const unsigned allowed[] = {
    SYS_recvfrom, /* the most frequent come first (seccomp_nouns.c) */
#ifdef SYS_clock_gettime
    SYS_clock_gettime,
#endif
#ifdef SYS_clock_gettime32
    SYS_clock_gettime32,
#endif
#ifdef SYS_clock_gettime64
    SYS_clock_gettime64,
#endif
    SYS_read,
    SYS_recvmsg,
    SYS_close,
#ifdef SYS_recv
    SYS_recv,
#endif
#ifdef SYS_poll
    SYS_poll,
#endif
#ifdef SYS_ppoll
    SYS_ppoll,
#endif
#ifdef SYS_ppoll_time64
    SYS_ppoll_time64,
#endif
    /* Memory; mmap and mprotect below */
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    /* Files */
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
/* Time and random numbers */
#ifdef SYS_gettimeofday
    SYS_gettimeofday,
#endif
#ifdef SYS_gettimeofday_time32
    SYS_gettimeofday_time32,
#endif
#ifdef SYS_getrandom
    SYS_getrandom,
#endif
    /* Threads, signals, and the end */
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

static const struct rule rules[] = {
    /* Descriptors. With O_ASYNC and an owner, the kernel would send signals to another process. */
    {CALL_FCNTL, {{IS, 1, F_SETFD}}},
    {CALL_FCNTL, {{IS, 1, F_GETFL}}},
    {CALL_FCNTL, {{IS, 1, F_SETFL}, {HAS_NO_BIT_OF, 2, O_ASYNC}}},
    /* Memory that is not to be executed */
    {CALL_MMAP, {{HAS_NO_BIT_OF, 2, PROT_EXEC}}},
    {SYS_mprotect, {{HAS_NO_BIT_OF, 2, PROT_EXEC}}},
    {SYS_tkill, {{IS_PROCESS, 0, 0}}}, /* a signal to this process: abort(3) sends one */
};

const struct seccomp_table seccomp_base = {SECCOMP_LISTS};
