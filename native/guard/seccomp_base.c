/* The system calls that are left to every process that is restricted. Not every processor has each of them. */
#define _GNU_SOURCE 1
#include "guard/seccomp_calls.h"

#include <fcntl.h>
#include <sys/mman.h>

static const int allowed[] = {
    SYS_recvfrom, /* the most frequent come first (seccomp_nouns.c) */
    SYS_clock_gettime,
    SYS_clock_gettime32,
    SYS_clock_gettime64,
    SYS_read,
    SYS_recvmsg,
    SYS_close,
    SYS_recv,
    SYS_poll,
    SYS_ppoll,
    SYS_ppoll_time64,
    /* Memory; mmap and mprotect below */
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    /* Files */
    SYS_readv,
    SYS_lseek,
    SYS__llseek,
    SYS_fstat,
    SYS_fstat64,
    SYS_newfstatat,
    SYS_fstatat64,
    SYS_statx,
    /* Time and random numbers */
    SYS_gettimeofday,
    SYS_gettimeofday_time32,
    SYS_getrandom,
    /* Threads, signals, and the end */
    SYS_futex,
    SYS_futex_time64,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigreturn,
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

const struct seccomp_table seccomp_base = {SECCOMP_LISTS(allowed, rules)};
