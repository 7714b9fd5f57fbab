/*
 * A program whose script can try what a restricted program must not do: `tryCalls()` returns the error number of each
 * attempt by its name, 0 where it went through. Each attempt has what it needs from before the script runs; one that
 * needs a right of root is made on no descriptor, which the kernel refuses by an error other than the filter's.
 */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/kd.h>
#include <linux/uinput.h>
#include <linux/vt.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "program.h"

#ifndef FIOSETOWN /* a header of the kernel's may have named it after its other name */
#define FIOSETOWN SIOCSPGRP
#endif

#define ROUNDS 2 /* before the restriction, and after it */

/* What was open before. */
static struct {
    int unbound, datagram, target; /* sockets; the last one listens at `address` */
    struct sockaddr_in address;
    int file, terminal;
    void *page;
    struct round {
        int listener;
        pid_t victim;
        int life;    /* a pipe that ends with the victim */
        int pipe[2]; /* of this process's own */
    } rounds[ROUNDS], *round;
} held;

struct report {
    JSContext *context;
    JSValue errors;
};

static void note(struct report *report, const char *name, int error) {
    if (!JS_IsException(report->errors) &&
        JS_DefinePropertyValueStr(
            report->context, report->errors, name, JS_NewInt32(report->context, error), JS_PROP_C_W_E) < 0) {
        JS_FreeValue(report->context, report->errors);
        report->errors = JS_EXCEPTION;
    }
}

/* Notes what a call has returned: -1 and errno, or anything else where it went through. */
static void attempt(struct report *report, const char *name, long result) {
    note(report, name, result < 0 ? errno : 0);
}

/* Shuts a listening socket down, and connects it by a call that sends. */
static int connect_by_sending(void) {
    const struct sockaddr *address = (const struct sockaddr *)&held.address;
    struct pollfd arrival = {.fd = held.target, .events = POLLIN};
    if (shutdown(held.round->listener, SHUT_RDWR) < 0)
        return errno;
    if (sendto(held.round->listener, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL, address, sizeof held.address) < 0 &&
        errno != EINPROGRESS)
        return errno;
    return poll(&arrival, 1, 5000) == 1 ? 0 : ETIMEDOUT;
}

static void try_sockets(struct report *report) {
    const struct sockaddr *address = (const struct sockaddr *)&held.address;
    const struct sockaddr_un nowhere = {.sun_family = AF_UNIX, .sun_path = "/nowhere"};
    struct msghdr message = {0};
    struct mmsghdr messages = {0};
    const int on = 1;
    int pair[2];
    attempt(report, "a UDP socket", socket(AF_INET, SOCK_DGRAM, 0));
    attempt(report, "a TCP socket", socket(AF_INET, SOCK_STREAM, 0));
    attempt(report, "a Unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
    attempt(report, "a netlink socket", socket(AF_NETLINK, SOCK_RAW, 0));
    attempt(report, "a pair of sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    attempt(report, "listen on an unbound socket", listen(held.unbound, 1));
    attempt(report, "bind", bind(-1, (const struct sockaddr *)&nowhere, sizeof nowhere));
    attempt(report, "connect", connect(-1, (const struct sockaddr *)&nowhere, sizeof nowhere));
    note(report, "a connection by MSG_FASTOPEN on a listener that was shut down", connect_by_sending());
    attempt(report, "sendto with an address", sendto(held.datagram, "x", 1, 0, address, sizeof held.address));
    attempt(report, "send with MSG_FASTOPEN", send(-1, "x", 1, MSG_FASTOPEN));
    attempt(report, "send with MSG_OOB", send(-1, "x", 1, MSG_OOB));
    attempt(report, "send with MSG_ZEROCOPY", send(-1, "x", 1, MSG_ZEROCOPY));
    attempt(report, "sendmsg", sendmsg(-1, &message, 0));
    attempt(report, "sendmmsg", sendmmsg(-1, &messages, 1, 0));
    attempt(report, "recvmmsg", recvmmsg(-1, &messages, 1, 0, NULL));
    attempt(report, "sendfile", syscall(SYS_sendfile, -1, -1, NULL, 1));
    attempt(report, "splice", splice(-1, NULL, -1, NULL, 1, 0));
    attempt(report, "tee", tee(-1, -1, 1, 0));
    attempt(report, "vmsplice", vmsplice(-1, NULL, 0, 0));
    attempt(report, "getsockopt", getsockopt(-1, SOL_SOCKET, SO_ERROR, NULL, NULL));
    static const struct {
        const char *name;
        int level, option;
    } options[] = {
        {"SO_ATTACH_FILTER", SOL_SOCKET, SO_ATTACH_FILTER},
        {"SO_ATTACH_BPF", SOL_SOCKET, SO_ATTACH_BPF},
        {"SO_BINDTODEVICE", SOL_SOCKET, SO_BINDTODEVICE},
        {"SO_REUSEPORT", SOL_SOCKET, SO_REUSEPORT},
        {"SO_MARK", SOL_SOCKET, SO_MARK},
        {"TCP_REPAIR", IPPROTO_TCP, TCP_REPAIR},
        {"TCP_FASTOPEN_CONNECT", IPPROTO_TCP, TCP_FASTOPEN_CONNECT},
        {"TCP_FASTOPEN", IPPROTO_TCP, TCP_FASTOPEN},
        {"TCP_ULP", IPPROTO_TCP, TCP_ULP},
        {"IP_TRANSPARENT", IPPROTO_IP, IP_TRANSPARENT},
        {"IP_OPTIONS", IPPROTO_IP, IP_OPTIONS},
        {"IPV6_ADDRFORM", IPPROTO_IPV6, IPV6_ADDRFORM},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        attempt(report, options[i].name, setsockopt(-1, options[i].level, options[i].option, &on, sizeof on));
}

/* Lets the kernel send SIGKILL to another process when a byte arrives in a pipe. */
static int kill_by_pipe(void) {
    const struct round *round = held.round;
    struct pollfd end = {.fd = round->life, .events = POLLIN};
    if (fcntl(round->pipe[0], F_SETOWN, round->victim) < 0 || fcntl(round->pipe[0], F_SETSIG, SIGKILL) < 0 ||
        fcntl(round->pipe[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0 || write(round->pipe[1], "x", 1) < 0)
        return errno;
    return poll(&end, 1, 1000) == 1 ? 0 : ETIMEDOUT; /* where Landlock has a scope for signals, the victim lives on */
}

static void try_signals(struct report *report) {
    const int pipe = held.round->pipe[0];
    const pid_t victim = held.round->victim;
    const struct f_owner_ex owner = {.type = F_OWNER_PID, .pid = victim};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    const int on = 1;
    siginfo_t information = {.si_code = SI_QUEUE};
    timer_t timer;
    note(report, "SIGKILL for another process when a pipe has bytes", kill_by_pipe());
    attempt(report, "F_SETOWN", fcntl(pipe, F_SETOWN, victim));
    attempt(report, "F_SETOWN_EX", fcntl(pipe, F_SETOWN_EX, &owner));
    attempt(report, "F_SETSIG", fcntl(pipe, F_SETSIG, SIGTERM));
    attempt(report, "F_SETFL with O_ASYNC", fcntl(pipe, F_SETFL, O_ASYNC));
    attempt(report, "F_NOTIFY", fcntl(-1, F_NOTIFY, DN_MODIFY));
    attempt(report, "F_SETLEASE", fcntl(-1, F_SETLEASE, F_RDLCK));
    attempt(report, "F_DUPFD", fcntl(-1, F_DUPFD, 0));
    attempt(report, "FIOSETOWN", ioctl(held.unbound, FIOSETOWN, &victim));
    attempt(report, "SIOCSPGRP", ioctl(held.unbound, SIOCSPGRP, &victim));
    attempt(report, "FIOASYNC", ioctl(held.unbound, FIOASYNC, &on));
    attempt(report, "kill", kill(victim, 0));
    attempt(report, "kill of this process", kill(getpid(), 0));
    attempt(report, "tkill", syscall(SYS_tkill, victim, 0));
    attempt(report, "tgkill", syscall(SYS_tgkill, victim, victim, 0));
    attempt(report, "sigqueue", syscall(SYS_rt_sigqueueinfo, victim, 0, &information));
    attempt(report, "a queued signal for a thread", syscall(SYS_rt_tgsigqueueinfo, victim, victim, 0, &information));
    attempt(report, "pidfd_open", syscall(SYS_pidfd_open, victim, 0));
    attempt(report, "pidfd_send_signal", syscall(SYS_pidfd_send_signal, -1, SIGKILL, NULL, 0));
    attempt(report, "pidfd_getfd", syscall(SYS_pidfd_getfd, -1, 0, 0));
    attempt(report, "timer_create", syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer));
    attempt(report, "mq_notify", syscall(SYS_mq_notify, -1, &event));
    attempt(report, "setitimer", syscall(SYS_setitimer, -1, NULL, NULL));
    attempt(report, "setpgid", setpgid(victim, victim));
    attempt(report, "prlimit", syscall(SYS_prlimit64, victim, -1, NULL, NULL));
    attempt(report, "ptrace", ptrace(PTRACE_ATTACH, 0x3fffffff, NULL, NULL));
    attempt(report, "process_vm_writev", syscall(SYS_process_vm_writev, victim, NULL, 0, NULL, 0, 0));
    attempt(report, "process_madvise", syscall(SYS_process_madvise, -1, NULL, 0, 0, 0));
}

static void try_devices(struct report *report) {
    attempt(report, "TIOCSTI: a letter typed into the terminal", ioctl(held.terminal, TIOCSTI, "x"));
    static const struct {
        const char *name;
        unsigned long request;
    } requests[] = {
        {"TIOCLINUX", TIOCLINUX},
        {"TIOCCONS", TIOCCONS},
        {"TIOCSCTTY", TIOCSCTTY},
        {"TIOCNOTTY", TIOCNOTTY},
        {"TIOCSPGRP", TIOCSPGRP},
        {"TIOCSWINSZ", TIOCSWINSZ},
        {"TIOCSETD", TIOCSETD},
        {"TIOCVHANGUP", 0x5437},
        {"TIOCSIG", TIOCSIG},
        {"TIOCPKT", TIOCPKT},
        {"TCXONC", TCXONC},
        {"TCSBRK", TCSBRK},
        {"TIOCSBRK", TIOCSBRK},
        {"TIOCMSET", TIOCMSET},
        {"TCSETSF", TCSETSF},
        {"KDSKBENT", KDSKBENT},
        {"KDSKBSENT", KDSKBSENT},
        {"KDSETMODE", KDSETMODE},
        {"KDSIGACCEPT", 0x4B4E},
        {"VT_ACTIVATE", VT_ACTIVATE},
        {"VT_SETMODE", VT_SETMODE},
        {"TUNSETIFF", TUNSETIFF},
        {"UI_DEV_CREATE", UI_DEV_CREATE},
        {"SIOCGIFCONF", 0x8912},
        {"SIOCSIFFLAGS", 0x8914},
        {"FIONREAD", FIONREAD},
        {"FIONBIO", FIONBIO},
        {"FIGETBSZ", 2},
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        attempt(report, requests[i].name, ioctl(-1, requests[i].request, NULL));
}

static int try_fork(void) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return child < 0 ? errno : waitpid(child, NULL, 0) < 0 ? errno : 0;
}

static void *do_nothing(void *opaque) {
    return opaque;
}

static int try_thread(void) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, do_nothing, NULL);
    return error ? error : pthread_join(thread, NULL);
}

static void try_processes(struct report *report) {
    char *const none[] = {NULL};
    note(report, "fork", try_fork());
    note(report, "a thread", try_thread());
    attempt(report, "clone3", syscall(SYS_clone3, NULL, 0));
    attempt(report, "exec", execve("/nowhere", none, none));
    attempt(report, "execveat", syscall(SYS_execveat, -1, "", none, none, 0));
    attempt(report, "prctl", prctl(PR_SET_NAME, "forbidden"));
    attempt(report, "setuid", setuid(getuid()));
    attempt(report, "setgid", setgid(getgid()));
    attempt(report, "unshare", syscall(SYS_unshare, 0));
    attempt(report, "setns", syscall(SYS_setns, -1, 0));
    attempt(report, "mount", mount("none", "/nowhere", "tmpfs", 0, NULL));
    attempt(report, "keyctl", syscall(SYS_keyctl, -1, 0, 0, 0, 0));
    attempt(report, "userfaultfd", syscall(SYS_userfaultfd, -1));
    attempt(report, "perf_event_open", syscall(SYS_perf_event_open, NULL, 0, 0, -1, -1L));
    attempt(report, "io_uring_enter", syscall(SYS_io_uring_enter, -1, 0, 0, 0, NULL, 0));
    attempt(report, "seccomp", syscall(SYS_seccomp, -1, 0, NULL));
    attempt(report, "another landlock", syscall(SYS_landlock_restrict_self, -1, -1));
}

static void try_memory(struct report *report) {
    const int executable = PROT_READ | PROT_EXEC;
    void *mapped = mmap(NULL, 4096, executable, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    note(report, "executable memory", mapped == MAP_FAILED ? errno : 0);
    attempt(report, "memory made executable", mprotect(held.page, 4096, executable));
    attempt(report, "pkey_mprotect", syscall(SYS_pkey_mprotect, held.page, 4096, executable, -1));
    attempt(report, "personality", syscall(SYS_personality, 0xffffffffL));
    attempt(report, "memfd_create", syscall(SYS_memfd_create, "", -1));
}

static void try_files(struct report *report) {
    attempt(report, "chmod", fchmod(held.file, 0600));
    attempt(report, "chown", fchown(held.file, (uid_t)-1, getegid()));
    attempt(report, "a link", linkat(-1, "nowhere", -1, "nowhere", 0));
    attempt(report, "a symbolic link", symlinkat("nowhere", -1, "nowhere"));
    attempt(report, "a FIFO", mknodat(-1, "nowhere", S_IFIFO, 0));
    attempt(report, "name_to_handle_at", syscall(SYS_name_to_handle_at, -1, "", NULL, NULL, -1));
    attempt(report, "inotify", syscall(SYS_inotify_init1, -1));
}

static JSValue try_calls(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc, (void)argv;
    struct report report = {.context = context, .errors = JS_NewObject(context)};
    held.round = held.round ? held.round + 1 : held.rounds;
    if (held.round == held.rounds + ROUNDS)
        return JS_ThrowPlainError(context, "tryCalls() is for %d rounds", ROUNDS);
    try_sockets(&report);
    try_signals(&report);
    try_devices(&report);
    try_processes(&report);
    try_memory(&report);
    try_files(&report);
    return report.errors;
}

/* Adds `tryCalls` to the global object. */
static bool add_function(JSContext *context) {
    JSValue global = JS_GetGlobalObject(context);
    JSValue function = JS_NewCFunction(context, try_calls, "tryCalls", 0);
    bool added = !JS_IsException(function) && JS_SetPropertyStr(context, global, "tryCalls", function) >= 0;
    JS_FreeValue(context, global);
    return added;
}

/* Returns a socket that listens at a port of loopback that the kernel chooses, or -1. */
static int listener(struct sockaddr_in *address) {
    socklen_t length = sizeof *address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bool listens = fd >= 0 && bind(fd, (const struct sockaddr *)address, length) == 0 && listen(fd, 4) == 0 &&
                   getsockname(fd, (struct sockaddr *)address, &length) == 0;
    return listens ? fd : -1;
}

/* Makes a process that lives until it is killed, or until this one ends. */
static bool make_victim(struct round *round) {
    int life[2];
    if (pipe(life) < 0)
        return false;
    round->life = life[0];
    round->victim = fork();
    if (round->victim == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(life[0]);
        for (;;)
            pause();
    }
    close(life[1]);
    return round->victim > 0;
}

/* Makes a terminal the controlling one: only root may type into another one. */
static bool take_terminal(void) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    (void)setsid(); /* fails for the leader of a session, which needs no other */
    if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
        return false;
    const char *name = ptsname(master);
    held.terminal = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    return held.terminal >= 0 && ioctl(held.terminal, TIOCSCTTY, 0) == 0;
}

static bool prepare(void) {
    char name[] = "/tmp/nound-forbidden-XXXXXX";
    struct sockaddr_in any;
    held.unbound = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    held.datagram = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    held.target = listener(&held.address);
    held.file = mkstemp(name);
    held.page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool prepared = held.unbound >= 0 && held.datagram >= 0 && held.target >= 0 && held.file >= 0 &&
                    held.page != MAP_FAILED && unlink(name) == 0 && take_terminal();
    for (struct round *round = held.rounds; prepared && round < held.rounds + ROUNDS; round++) {
        round->listener = listener(&any);
        prepared = round->listener >= 0 && pipe(round->pipe) == 0 && make_victim(round);
    }
    return prepared;
}

int main(int argc, char **argv) {
    if (!prepare() || prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) < 0)
        return EX_OSERR;
    struct runtime *runtime = program_create(argc, argv);
    if (!runtime || !add_function(runtime->context))
        return EX_OSERR;
    runtime_evaluate(runtime);
    int status = program_run(runtime);
    program_free(runtime);
    return status;
}
