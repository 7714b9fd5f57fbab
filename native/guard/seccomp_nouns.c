/* The system calls that are left to the process with the nouns. */
#define _GNU_SOURCE 1
#include "guard/seccomp_calls.h"

#include <asm/termbits.h> /* of TCGETS2 */
#include <linux/gpio.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/input.h>
#include <linux/spi/spidev.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>

#include "base/socket_send.h"
#include "guard/evdev_sizes.h"

/*
 * Calls that are allowed whatever their arguments are, besides those of seccomp_base. Not every processor has each of
 * them. The most frequent come first: a kernel before 5.11 looks through them at every call.
 *
 * Files: Landlock restricts which. Sockets: those that are open, what they accept, and what the connector passes
 * (recvmsg). Threads: they wait for each other and end; none is started.
 */
static const int allowed[] = {
    SYS_epoll_wait,
    SYS_epoll_pwait,
    SYS_write,
    SYS_accept4,
    SYS_epoll_ctl,
    SYS_shutdown,
    /* Files */
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_flock,
    SYS_fsync,
    SYS_fdatasync,
    SYS_open,
    SYS_openat,
    SYS_stat,
    SYS_stat64,
    SYS_lstat,
    SYS_lstat64,
    SYS_access,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlink,
    SYS_readlinkat,
    SYS_getcwd,
    SYS_getdents64,
    SYS_mkdir,
    SYS_mkdirat,
    SYS_rmdir,
    SYS_unlink,
    SYS_unlinkat,
    SYS_rename,
    SYS_renameat,
    SYS_renameat2,
    SYS_eventfd2,
    SYS_signalfd4,
    /* Time */
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_nanosleep_time32,
    SYS_clock_nanosleep_time64,
    SYS_adjtimex, /* only to read, without a capability */
    SYS_clock_adjtime,
    SYS_clock_adjtime64,
    /* Signals and threads */
    SYS_rt_sigaction,
    SYS_sched_yield,
    SYS_set_robust_list, /* as a thread begins and ends */
    SYS_rseq,
    /* Identity */
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getuid32,
    SYS_geteuid32,
    SYS_getgid32,
    SYS_getegid32,
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
    /* Terminals: the settings of serial devices, and the C library's questions whether a file is a terminal */
    {SYS_ioctl, {{IS, 1, TCGETS}}},
    {SYS_ioctl, {{IS, 1, TCSETS}}},
#ifdef TCGETS2
    {SYS_ioctl, {{IS, 1, TCGETS2}}}, /* glibc from 2.42 on */
    {SYS_ioctl, {{IS, 1, TCSETS2}}},
#endif
    {SYS_ioctl, {{IS, 1, TCFLSH}}},
    {SYS_ioctl, {{IS, 1, TIOCEXCL}}},
    {SYS_ioctl, {{IS, 1, TIOCSRS485}}},
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
    {SYS_tgkill, {{IS_PROCESS, 0, 0}}}, /* a signal to a thread of this process */
};

const struct seccomp_table seccomp_nouns = {.first = &sending, SECCOMP_LISTS(allowed, rules), .base = &seccomp_base};
