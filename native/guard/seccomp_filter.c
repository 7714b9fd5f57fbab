#define _GNU_SOURCE 1
#include "guard/seccomp_filter.h"

#include <assert.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

#if defined(__x86_64__) && !defined(__ILP32__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARM_EABI__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#elif defined(__mips__) && _MIPS_SIM == _ABIO32 && defined(__MIPSEB__)
#define ARCHITECTURE AUDIT_ARCH_MIPS
#elif defined(__mips__) && _MIPS_SIM == _ABIO32
#define ARCHITECTURE AUDIT_ARCH_MIPSEL
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#define ARCHITECTURE 0
#endif

/*
 * Calls that are allowed whatever their arguments are. Not every processor has each of them. The most frequent come
 * first: a kernel before 5.11 looks through them at every call.
 *
 * Files: Landlock says which. Sockets: those that are open, and what they accept. Threads: they wait for each other and
 * end; none is started.
 */
static const unsigned allowed[] = {
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
    SYS_epoll_pwait,
    SYS_recvfrom,
    SYS_sendto,
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
    SYS_write,
    SYS_ioctl,
    SYS_accept4,
    SYS_accept,
    SYS_epoll_ctl,
    SYS_close,
    SYS_shutdown,
#ifdef SYS_recv
    SYS_recv,
#endif
#ifdef SYS_send
    SYS_send,
#endif
    SYS_getsockname,
    SYS_getpeername,
    SYS_getsockopt,
    SYS_setsockopt,
    SYS_futex,
#ifdef SYS_futex_time64
    SYS_futex_time64,
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
    /* Memory; mmap and mprotect below. */
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_brk,
    /* Files */
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
#ifdef SYS_lseek
    SYS_lseek,
#endif
#ifdef SYS__llseek
    SYS__llseek,
#endif
#ifdef SYS_fcntl
    SYS_fcntl,
#endif
#ifdef SYS_fcntl64
    SYS_fcntl64,
#endif
    SYS_flock,
    SYS_fsync,
    SYS_fdatasync,
#ifdef SYS_open
    SYS_open,
#endif
    SYS_openat,
#ifdef SYS_stat
    SYS_stat,
#endif
#ifdef SYS_stat64
    SYS_stat64,
#endif
#ifdef SYS_lstat
    SYS_lstat,
#endif
#ifdef SYS_lstat64
    SYS_lstat64,
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
#ifdef SYS_access
    SYS_access,
#endif
    SYS_faccessat,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_readlink
    SYS_readlink,
#endif
    SYS_readlinkat,
    SYS_getcwd,
    SYS_getdents64,
#ifdef SYS_mkdir
    SYS_mkdir,
#endif
    SYS_mkdirat,
#ifdef SYS_rmdir
    SYS_rmdir,
#endif
#ifdef SYS_unlink
    SYS_unlink,
#endif
    SYS_unlinkat,
#ifdef SYS_rename
    SYS_rename,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_renameat2
    SYS_renameat2,
#endif
    SYS_eventfd2,
    SYS_signalfd4,
/* Time and random numbers */
#ifdef SYS_gettimeofday
    SYS_gettimeofday,
#endif
#ifdef SYS_gettimeofday_time32
    SYS_gettimeofday_time32,
#endif
    SYS_nanosleep,
#ifdef SYS_clock_nanosleep
    SYS_clock_nanosleep,
#endif
#ifdef SYS_clock_nanosleep_time32
    SYS_clock_nanosleep_time32,
#endif
#ifdef SYS_clock_nanosleep_time64
    SYS_clock_nanosleep_time64,
#endif
#ifdef SYS_getrandom
    SYS_getrandom,
#endif
    /* Signals, and the end */
    SYS_rt_sigprocmask,
    SYS_rt_sigaction,
    SYS_rt_sigreturn,
#ifdef SYS_sigreturn
    SYS_sigreturn,
#endif
    SYS_restart_syscall,
    SYS_sched_yield,
    SYS_set_robust_list, /* as a thread begins and ends */
#ifdef SYS_rseq
    SYS_rseq,
#endif
    SYS_exit,
    SYS_exit_group,
    /* Identity */
    SYS_getpid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
#ifdef SYS_getuid32
    SYS_getuid32,
    SYS_geteuid32,
    SYS_getgid32,
    SYS_getegid32,
#endif
};

/* Calls that may map memory, as long as it is not to be executed. */
static const unsigned mapping[] = {
#ifdef SYS_mmap
    SYS_mmap,
#endif
#ifdef SYS_mmap2
    SYS_mmap2,
#endif
    SYS_mprotect,
};

/* Calls that send a signal to the thread or the process of their first argument: abort(3) does. */
static const unsigned signalling[] = {
    SYS_tkill,
    SYS_tgkill,
};

#define COUNT(array) (sizeof array / sizeof array[0])
#define REFUSE (SECCOMP_RET_ERRNO | EPERM)

struct program {
    struct sock_filter *filter;
    size_t length;
};

static void add(struct program *program, uint16_t code, uint32_t k, uint8_t when_true, uint8_t when_false) {
    assert(program->length < SECCOMP_FILTER_LIMIT);
    program->filter[program->length++] = (struct sock_filter){.code = code, .jt = when_true, .jf = when_false, .k = k};
}

static void load(struct program *program, size_t offset) {
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void end(struct program *program, uint32_t verdict) {
    add(program, BPF_RET | BPF_K, verdict, 0, 0);
}

/* The place of an argument's lower half: each has 64 bits, in the processor's byte order. */
static size_t place_of_argument(unsigned index) {
    const bool is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    return offsetof(struct seccomp_data, args) + 8 * index + (is_big_endian ? 4 : 0);
}

/*
 * Allows a call if its argument passes a test. The test is the jump `code`; `passes` says which branch means success.
 */
static void allow_if(struct program *program, unsigned call, unsigned argument, uint16_t code, uint32_t k,
                     bool passes) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    load(program, place_of_argument(argument));
    add(program, code, k, passes ? 0 : 1, passes ? 1 : 0);
    end(program, SECCOMP_RET_ALLOW);
    end(program, REFUSE);
}

bool seccomp_filter_exists(void) {
    return ARCHITECTURE != 0;
}

size_t seccomp_filter_build(struct sock_filter filter[SECCOMP_FILTER_LIMIT], uint32_t process) {
    struct program program = {.filter = filter};
    load(&program, offsetof(struct seccomp_data, arch));
    add(&program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end(&program, SECCOMP_RET_KILL_PROCESS);
    load(&program, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < COUNT(allowed); i++) {
        add(&program, BPF_JMP | BPF_JEQ | BPF_K, allowed[i], 0, 1);
        end(&program, SECCOMP_RET_ALLOW);
    }
    for (size_t i = 0; i < COUNT(mapping); i++)
        allow_if(&program, mapping[i], 2, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, false);
    for (size_t i = 0; i < COUNT(signalling); i++)
        allow_if(&program, signalling[i], 0, BPF_JMP | BPF_JEQ | BPF_K, process, true);
    end(&program, REFUSE);
    return program.length;
}
