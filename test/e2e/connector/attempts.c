/*
 * The connector with a dial() that connects to nothing, but tries what the process for a connection must not do: a
 * target's port is the number of the attempt. Then the attempts that the connector's own filter of system calls must
 * refuse, those that the acceptor's must, and all of them in the process of an encrypted connection. Prints each
 * attempt and its error number, 0 where it went through.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "connector/connector.h"
#include "guard/seccomp.h"

static long open_to_write(void) {
    return open("/tmp", O_TMPFILE | O_WRONLY, 0600);
}

static long open_device_to_write(void) {
    return open("/dev/null", O_RDWR);
}

static long create_file(void) {
    return open("/tmp/made-by-the-connector", O_RDONLY | O_CREAT, 0600);
}

static long read_other_file(void) {
    return open("/proc/self/maps", O_RDONLY);
}

static long remove_file(void) {
    return unlinkat(AT_FDCWD, "/tmp/made-by-the-connector", 0);
}

static long make_folder(void) {
    return mkdirat(AT_FDCWD, "/tmp/made-by-the-connector", 0700);
}

static long change_mode(void) {
    return fchmodat(AT_FDCWD, "/tmp", 01777, 0);
}

static long execute(void) {
    char *arguments[] = {"/bin/true", NULL}, *environment[] = {NULL};
    return execve(arguments[0], arguments, environment);
}

static long fork_process(void) {
    return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static long fork_thread(void) {
    return syscall(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
}

static long kill_parent(void) {
    return kill(getppid() > 1 ? getppid() : 1, 0);
}

static long trace(void) {
    return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long map_executable(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}

static long be_dumpable(void) {
    return prctl(PR_SET_DUMPABLE, 1L, 0L, 0L, 0L);
}

static long be_root(void) {
    return setuid(0);
}

static long listen_on_socket(void) {
    return listen(socket(AF_INET, SOCK_STREAM, 0), 1);
}

static long use_netlink(void) {
    return socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
}

static long use_packets(void) {
    return socket(AF_PACKET, SOCK_RAW, 0);
}

static long forge_source(void) {
    int on = 1;
    return setsockopt(socket(AF_INET, SOCK_STREAM, 0), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
}

static long connect_elsewhere(void) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(60001), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return connect(socket(AF_INET, SOCK_STREAM, 0), (const struct sockaddr *)&address, sizeof address);
}

static long bind_port(void) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(60002), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    return bind(socket(AF_INET, SOCK_STREAM, 0), (const struct sockaddr *)&address, sizeof address);
}

static long pass_descriptor(void) {
    struct msghdr message = {0};
    return sendmsg(-1, &message, 0);
}

static const struct {
    const char *name;
    long (*attempt)(void);
    bool by_dial_alone; /* the connector's filter of system calls does not refuse it */
} attempts[] = {
    {"open a file to write", open_to_write, false},
    {"open a device to write", open_device_to_write, false},
    {"create a file", create_file, false},
    {"read a file that no resolver needs", read_other_file, true},
    {"remove a file", remove_file, false},
    {"make a folder", make_folder, false},
    {"change a mode", change_mode, false},
    {"execve", execute, false},
    {"fork", fork_process, true},
    {"a process that shares memory", fork_thread, false},
    {"signal its parent", kill_parent, false},
    {"ptrace", trace, false},
    {"executable memory", map_executable, false},
    {"prctl", be_dumpable, false},
    {"setuid", be_root, false},
    {"listen", listen_on_socket, false},
    {"a netlink socket", use_netlink, false},
    {"a packet socket", use_packets, false},
    {"a socket option", forge_source, false},
    {"connect to a port that is not configured", connect_elsewhere, true},
    {"bind a TCP port", bind_port, true},
    {"pass a descriptor", pass_descriptor, true},
};

#define ATTEMPTS (sizeof attempts / sizeof attempts[0])
#define DIAL_ATTEMPTS (ATTEMPTS - 1) /* all but the last, which only an encrypted connection must not do */

int64_t dial_deadline(int64_t deadline) {
    return deadline;
}

int dial(const struct target *target, const int resolvers[FAMILIES], int64_t deadline, char reason[DIAL_REASON]) {
    (void)resolvers, (void)deadline;
    errno = 0;
    long result = attempts[target->port - 1].attempt();
    snprintf(reason, DIAL_REASON, "%s: %d", attempts[target->port - 1].name, result < 0 ? errno : 0);
    return -1;
}

/* Has the connector's processes try everything. */
static bool try_by_dialing(struct sentence *reason) {
    struct connector_plan *plan = calloc(1, connector_plan_size(DIAL_ATTEMPTS, 0));
    if (!plan)
        return false;
    plan->count = DIAL_ATTEMPTS;
    for (size_t i = 0; i < DIAL_ATTEMPTS; i++)
        plan->targets[i] = (struct target){.kind = TARGET_NUMERIC, .host = "127.0.0.1", .port = (uint16_t)(i + 1)};
    int connector = connector_start(plan, reason);
    free(plan);
    for (size_t i = 0; connector >= 0 && i < DIAL_ATTEMPTS; i++) {
        struct connector_answer answer;
        struct pollfd answered = {.fd = connector, .events = POLLIN};
        int fd;
        if (!connector_ask(connector, i, 0, 1000) || poll(&answered, 1, -1) != 1 ||
            connector_take(connector, &answer, &fd) != 1)
            return false;
        printf("%s\n", answer.reason);
    }
    return connector >= 0;
}

/* Whether a table must refuse an attempt. The connector leaves some to Landlock, and the acceptor forks. */
static bool is_refused_by(const struct seccomp_table *table, size_t attempt) {
    const bool forks = attempts[attempt].attempt == fork_process;
    if (attempt >= DIAL_ATTEMPTS)
        return table == &seccomp_tls || table == &seccomp_accepted;
    return table == &seccomp_connector  ? !attempts[attempt].by_dial_alone
           : table == &seccomp_resolve  ? forks || !attempts[attempt].by_dial_alone
           : table == &seccomp_acceptor ? !forks
                                        : true;
}

/* Restricts a process by a table, and tries there what that must refuse. */
static bool try_restricted(const char *who, const struct seccomp_table *table, struct sentence *reason) {
    int *errors = mmap(NULL, sizeof(int) * ATTEMPTS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = errors == MAP_FAILED ? -1 : fork();
    int how = -1;
    if (child == 0) {
        bool restricted = seccomp_restrict(table, reason);
        for (size_t i = 0; restricted && i < ATTEMPTS; i++) {
            errno = 0;
            if (is_refused_by(table, i))
                errors[i] = attempts[i].attempt() < 0 ? errno : 0;
        }
        _exit(restricted ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &how, 0) != child || how != 0)
        return false;
    for (size_t i = 0; i < ATTEMPTS; i++)
        if (is_refused_by(table, i))
            printf("%s, %s: %d\n", who, attempts[i].name, errors[i]);
    return true;
}

int main(void) {
    struct sentence reason = {0};
    bool tried = privileges_harden() && try_restricted("the connector", &seccomp_connector, &reason) &&
                 try_restricted("a resolver", &seccomp_resolve, &reason) &&
                 try_restricted("the acceptor", &seccomp_acceptor, &reason) &&
                 try_restricted("an encrypted connection", &seccomp_tls, &reason) &&
                 try_restricted("an accepted connection", &seccomp_accepted, &reason) && try_by_dialing(&reason);
    if (!tried)
        fprintf(stderr, "%s\n", reason.text);
    return tried ? 0 : 1;
}
