/* The system calls that are left to the process with the nouns. */
#define _GNU_SOURCE 1
#include <asm/termbits.h> /* of TCGETS2 */
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/input.h>
#include <linux/spi/spidev.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "engine/socket_send.h"
#include "guard/evdev_sizes.h"
#include "guard/seccomp_table.h"

/*
 * Calls that are allowed whatever their arguments are. Not every processor has each of them. The most frequent come
 * first: a kernel before 5.11 looks through them at every call.
 *
 * Files: Landlock restricts which. Sockets: those that are open, what they accept, and what the
 * connector passes (recvmsg). Threads: they wait for each
 * other and end; none is started.
 */
static const unsigned allowed[] = {
#ifdef SYS_epoll_wait
    SYS_epoll_wait,
#endif
    SYS_epoll_pwait,
    SYS_recvfrom,
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
    SYS_accept4,
    SYS_recvmsg,
    SYS_epoll_ctl,
    SYS_close,
    SYS_shutdown,
#ifdef SYS_recv
    SYS_recv,
#endif
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
    /* Memory; mmap and mprotect below */
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

/*
 * Sends on a connected socket. An address would connect another one, and so would MSG_FASTOPEN. send(2) has no address
 * (socket_send.h). On MIPS an address is read from the stack, where a thread can change it after it was checked.
 */
static const struct rule sending = {
#ifdef SYS_send
    SYS_send,
    {{HAS_NO_BIT_OF, 3, (uint32_t)~SOCKET_SEND_FLAGS}},
#else
    SYS_sendto,
    {{HAS_NO_BIT_OF, 3, (uint32_t)~SOCKET_SEND_FLAGS}, {IS_NULL, 4, 0}},
#endif
};

/* Calls that are allowed with some arguments. */
static const struct rule rules[] = {
    /* Descriptors. With O_ASYNC and an owner, the kernel would send signals to another process. */
    {CALL_FCNTL, {{IS, 1, F_SETFD}}},
    {CALL_FCNTL, {{IS, 1, F_GETFL}}},
    {CALL_FCNTL, {{IS, 1, F_SETFL}, {HAS_NO_BIT_OF, 2, O_ASYNC}}},
    /* Terminals: the settings of serial devices, and the C library's questions whether a file is a terminal */
    {SYS_ioctl, {{IS, 1, TCGETS}}},
    {SYS_ioctl, {{IS, 1, TCSETS}}},
#ifdef TCGETS2
    {SYS_ioctl, {{IS, 1, TCGETS2}}}, /* glibc from 2.42 on */
    {SYS_ioctl, {{IS, 1, TCSETS2}}},
#endif
    {SYS_ioctl, {{IS, 1, TCFLSH}}},
    {SYS_ioctl, {{IS, 1, TIOCEXCL}}},
    {SYS_ioctl, {{IS, 1, TIOCNXCL}}},
    {SYS_ioctl, {{IS, 1, TIOCGWINSZ}}},
    /* GPIO, I2C and SPI */
    {SYS_ioctl, {{IS, 1, GPIO_GET_CHIPINFO_IOCTL}}},
    {SYS_ioctl, {{IS, 1, GPIO_V2_GET_LINEINFO_IOCTL}}},
    {SYS_ioctl, {{IS, 1, GPIO_V2_GET_LINE_IOCTL}}},
    {SYS_ioctl, {{IS, 1, GPIO_V2_LINE_SET_CONFIG_IOCTL}}},
    {SYS_ioctl, {{IS, 1, GPIO_V2_LINE_GET_VALUES_IOCTL}}},
    {SYS_ioctl, {{IS, 1, GPIO_V2_LINE_SET_VALUES_IOCTL}}},
    {SYS_ioctl, {{IS, 1, I2C_FUNCS}}},
    {SYS_ioctl, {{IS, 1, I2C_SLAVE}}},
    {SYS_ioctl, {{IS, 1, I2C_RDWR}}},
    {SYS_ioctl, {{IS, 1, SPI_IOC_RD_MODE}}},
    {SYS_ioctl, {{IS, 1, SPI_IOC_WR_MODE}}},
    {SYS_ioctl, {{IS, 1, SPI_IOC_WR_BITS_PER_WORD}}},
    {SYS_ioctl, {{IS, 1, SPI_IOC_WR_MAX_SPEED_HZ}}},
    {SYS_ioctl, {{IS, 1, SPI_IOC_MESSAGE(1)}}},
    /* Input devices that are plugged in again */
    {SYS_ioctl, {{IS, 1, EVIOCGNAME(EVDEV_NAME_SIZE - 1)}}},
    {SYS_ioctl, {{IS, 1, EVIOCGBIT(EV_KEY, EVDEV_BITS_SIZE)}}},
    {SYS_ioctl, {{IS, 1, EVIOCGBIT(EV_REL, EVDEV_BITS_SIZE)}}},
    {SYS_ioctl, {{IS, 1, EVIOCGBIT(EV_SW, EVDEV_BITS_SIZE)}}},
    {SYS_ioctl, {{IS, 1, EVIOCGKEY(EVDEV_BITS_SIZE)}}},
    {SYS_ioctl, {{IS, 1, EVIOCGSW(EVDEV_BITS_SIZE)}}},
    {SYS_ioctl, {{IS, 1, EVIOCSMASK}}},
    {SYS_ioctl, {{IS, 1, EVIOCSCLOCKID}}},
    /* Connections of streams */
    {SYS_setsockopt, {{IS, 1, SOL_SOCKET}, {IS, 2, SO_KEEPALIVE}}},
    {SYS_setsockopt, {{IS, 1, SOL_SOCKET}, {IS, 2, SO_SNDBUF}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPIDLE}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPINTVL}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_KEEPCNT}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_USER_TIMEOUT}}},
    {SYS_setsockopt, {{IS, 1, IPPROTO_TCP}, {IS, 2, TCP_NOTSENT_LOWAT}}},
    /* Memory that is not to be executed */
    {CALL_MMAP, {{HAS_NO_BIT_OF, 2, PROT_EXEC}}},
    {SYS_mprotect, {{HAS_NO_BIT_OF, 2, PROT_EXEC}}},
    /* Signals to the thread or the process of the first argument: abort(3) sends one */
    {SYS_tkill, {{IS_PROCESS, 0, 0}}},
    {SYS_tgkill, {{IS_PROCESS, 0, 0}}},
};

const struct seccomp_table seccomp_nouns = {
    .first = &sending,
    .allowed = allowed,
    .allowed_count = COUNT(allowed),
    .rules = rules,
    .rule_count = COUNT(rules),
};
