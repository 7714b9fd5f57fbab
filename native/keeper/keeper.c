#define _GNU_SOURCE 1
#include "keeper/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "engine/log_output.h"

#define MOST_KEPT 128
#define MOST_STATES (16 * 1024 * 1024) /* bytes */
#define MOST_CRASHES 5                 /* of servers one after the other */
#define STABLE_TIME 60                 /* s after which a server that crashes is the first one again */

enum message { KEEP = 'K', CLAIM = 'C', READY = 'R' };

/* What a server has kept. */
struct kept {
    int fd;           /* or -1: the key alone */
    unsigned born;    /* the server that kept it; 0 for a free place */
    unsigned claimed; /* the last server that claimed it */
    char key[KEEPER_KEY_SIZE];
};

/* Before the text of the states. It is written last, so that a server that is killed leaves no half of them. */
struct states_header {
    uint32_t magic, length;
};
#define STATES_MAGIC 0x6e6f756eU

struct keeper {
    struct kept kept[MOST_KEPT];
    unsigned generation; /* of the server, from 1 */
    unsigned told;       /* the last server that a signal to end went to */
    int link;            /* the keeper's end, until the R; in a server its own; or -1 */
    int states;          /* the file in memory, or -1 */
    int signals;
    sigset_t mask;         /* before the keeper's */
    pid_t server, checker; /* or 0 */
    bool is_ready;         /* the server has said R */
    bool is_reloading;     /* the server was told to hand over */
    bool is_asked;         /* SIGHUP came meanwhile */
    bool is_ending;
    bool is_fallback;
    bool is_server; /* this process is one */
    bool is_handing_over;
    time_t began; /* s on CLOCK_MONOTONIC: the server's R */
    int crashes;
    keeper_unclaimed *unclaimed;
};

/* One for the process: it outlives the fork that makes a server of it. Without values, it takes no room in the file. */
static struct keeper keeper;

static void say(const char *text) {
    log_output_line(text, strlen(text));
}

/* Returns whether a command line may serve: it neither asks for help nor for a check. */
static bool may_serve(int argc, char **argv) {
    static const char *const others[] = {"--help", "-h", "--version", "--check", "--avahi", "--new-token"};
    const char *wanted = getenv("NOUND_KEEPER");
    if (wanted && strcmp(wanted, "0") == 0)
        return false;
    for (int i = 1; i < argc; i++)
        for (size_t j = 0; j < sizeof others / sizeof others[0]; j++)
            if (strncmp(argv[i], others[j], strlen(others[j])) == 0)
                return false;
    return true;
}

/* Inserts --check where the program that serves reads its own options: behind the -- of `--run FILE --`. */
static bool ask_for_check(int *argc, char ***argv) {
    char **words = calloc((size_t)*argc + 3, sizeof *words);
    if (!words)
        return false;
    int count = 0, at = 1;
    bool runs_file = false;
    for (int i = 1; i < *argc; i++) {
        runs_file = runs_file || strncmp((*argv)[i], "--run", strlen("--run")) == 0;
        if (runs_file && strcmp((*argv)[i], "--") == 0) {
            at = i + 1;
            break;
        }
    }
    if (runs_file && at == 1)
        at = *argc;
    for (int i = 0; i <= *argc; i++) {
        if (i == at) {
            if (runs_file && at == *argc && strcmp((*argv)[at - 1], "--") != 0)
                words[count++] = "--";
            words[count++] = "--check";
        }
        if (i < *argc)
            words[count++] = (*argv)[i];
    }
    *argc = count;
    *argv = words;
    return true;
}

/* In a new process: leaves the keeper's things behind. It ends with the keeper, and no terminal's signal reaches it. */
static void become_child(void) {
    close(keeper.signals);
    setpgid(0, 0); /* fails only for a leader of a session, which a new process is not */
    prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
    sigprocmask(SIG_SETMASK, &keeper.mask, NULL);
}

/* What became of the keeper's loop. */
enum outcome { GO_ON, IS_PROGRAM, IS_OVER };

static enum outcome start_server(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return IS_OVER;
    keeper.generation++;
    keeper.is_ready = false;
    keeper.server = fork();
    if (keeper.server == 0) {
        become_child();
        close(pair[0]);
        keeper.link = pair[1];
        keeper.is_server = true;
        return IS_PROGRAM;
    }
    close(pair[1]);
    keeper.link = pair[0];
    return keeper.server > 0 ? GO_ON : IS_OVER;
}

static enum outcome start_check(int *argc, char ***argv) {
    keeper.is_asked = false;
    keeper.checker = fork();
    if (keeper.checker < 0) {
        keeper.checker = 0;
        say("nound: cannot reload: there is no other process to check the configuration");
    } else if (keeper.checker == 0) {
        become_child();
        int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || !ask_for_check(argc, argv))
            _exit(EX_OSERR);
        return IS_PROGRAM;
    }
    return GO_ON;
}

static void drop(struct kept *kept) {
    if (kept->fd >= 0)
        close(kept->fd);
    kept->born = 0;
}

/* Ends the keeping of a server: if it has started, of what it did not claim; otherwise of what it brought. */
static void settle(bool has_started) {
    for (size_t i = 0; i < MOST_KEPT; i++) {
        struct kept *kept = &keeper.kept[i];
        if (kept->born != 0 && (has_started ? kept->claimed != keeper.generation : kept->born == keeper.generation))
            drop(kept);
    }
}

static struct kept *find(const char *prefix, size_t length) {
    for (size_t i = 0; i < MOST_KEPT; i++)
        if (keeper.kept[i].born != 0 && strncmp(keeper.kept[i].key, prefix, length) == 0)
            return &keeper.kept[i];
    return NULL;
}

/* Keeps a descriptor, or a key alone. Owns the descriptor. */
static void keep(const char *key, int fd) {
    for (size_t i = 0; i < MOST_KEPT; i++) {
        if (keeper.kept[i].born != 0)
            continue;
        keeper.kept[i] = (struct kept){.fd = fd, .born = keeper.generation, .claimed = keeper.generation};
        snprintf(keeper.kept[i].key, sizeof keeper.kept[i].key, "%s", key);
        return;
    }
    if (fd >= 0)
        close(fd);
}

/* Returns s on CLOCK_MONOTONIC. */
static time_t read_clock(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* Takes a message of the server, if there is one. Anything else than the three ends the listening. */
static bool take_message(void) {
    char text[KEEPER_KEY_SIZE + 1];
    struct iovec part = {.iov_base = text, .iov_len = sizeof text - 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    const ssize_t length = recvmsg(keeper.link, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (length < 0 && (errno == EINTR || errno == EAGAIN))
        return false;
    int fd = -1;
    const struct cmsghdr *header = length > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof fd))
        memcpy(&fd, CMSG_DATA(header), sizeof fd);
    text[length > 0 ? length : 0] = '\0';
    if (length > 1 && text[0] == KEEP) {
        keep(text + 1, fd);
        return true;
    }
    if (fd >= 0)
        close(fd);
    struct kept *kept = length > 1 && text[0] == CLAIM ? find(text + 1, (size_t)length) : NULL;
    if (kept) {
        kept->claimed = keeper.generation;
        return true;
    }
    close(keeper.link);
    keeper.link = -1;
    if (length != 1 || text[0] != READY)
        return false;
    settle(true);
    keeper.is_ready = true;
    keeper.began = read_clock();
    if (keeper.is_reloading)
        keeper.crashes = 0;
    keeper.is_reloading = keeper.is_fallback = false;
    if (keeper.states >= 0 && ftruncate(keeper.states, 0) < 0)
        say("nound: cannot forget the states of the last reload");
    if (keeper.is_ending && keeper.told != keeper.generation)
        kill(keeper.server, SIGTERM);
    return false;
}

static bool has_states(void) {
    struct states_header header;
    return keeper.states >= 0 && pread(keeper.states, &header, sizeof header, 0) == (ssize_t)sizeof header &&
           header.magic == STATES_MAGIC;
}

/* Returns whether the end of a server is one after which the next one is to come. */
static bool is_to_continue(int how) {
    if (keeper.is_ending)
        return keeper.is_reloading && has_states();
    if (!keeper.is_ready)
        return keeper.generation > 1 && !keeper.is_fallback;
    if (keeper.is_reloading || keeper.checker > 0 || has_states())
        return true;
    if (read_clock() - keeper.began >= STABLE_TIME)
        keeper.crashes = 0;
    return WIFSIGNALED(how) && ++keeper.crashes <= MOST_CRASHES;
}

static enum outcome server_ended(int how, int *status) {
    const bool was_ready = keeper.is_ready;
    /* What it sent before its end is still to be read. */
    while (keeper.link >= 0 && take_message())
        ;
    if (keeper.link >= 0)
        close(keeper.link);
    keeper.link = -1;
    if (!was_ready && !keeper.is_ready)
        settle(false);
    keeper.server = 0;
    if (is_to_continue(how)) {
        if (!was_ready) {
            say("nound: the new configuration could not be served; the previous one is served again");
            keeper.is_fallback = true;
        } else if (!keeper.is_reloading) {
            say("nound: the process with the nouns has crashed; another one takes over its outputs");
        }
        if (keeper.checker > 0) /* the next server reads the configuration itself */
            kill(keeper.checker, SIGKILL);
        keeper.checker = 0;
        return start_server();
    }
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    if (WIFSIGNALED(how)) { /* ends as it did */
        signal(WTERMSIG(how), SIG_DFL);
        sigprocmask(SIG_SETMASK, &keeper.mask, NULL);
        raise(WTERMSIG(how));
    }
    return IS_OVER;
}

static void check_ended(int how) {
    keeper.checker = 0;
    if (keeper.is_ending)
        return;
    if (how != 0) {
        say("nound: not reloaded: the configuration is refused, and the previous one is served on");
        return;
    }
    keeper.is_reloading = true;
    kill(keeper.server, SIGHUP);
}

static enum outcome reap(int *status) {
    int how;
    pid_t ended;
    while ((ended = waitpid(-1, &how, WNOHANG)) > 0) {
        if (ended == keeper.checker)
            check_ended(how);
        else if (ended == keeper.server) {
            enum outcome outcome = server_ended(how, status);
            if (outcome != GO_ON)
                return outcome;
        }
    }
    return GO_ON;
}

static enum outcome signalled(int *argc, char ***argv, int *status) {
    struct signalfd_siginfo info;
    if (read(keeper.signals, &info, sizeof info) != (ssize_t)sizeof info)
        return GO_ON;
    if (info.ssi_signo == SIGCHLD)
        return reap(status);
    if (info.ssi_signo == SIGHUP) {
        keeper.is_asked = true;
    } else {
        keeper.is_ending = true;
        keeper.told = keeper.generation;
        kill(keeper.server, (int)info.ssi_signo);
    }
    (void)argc, (void)argv;
    return GO_ON;
}

static bool open_keeper(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGCHLD);
    keeper.states = memfd_create("nound-states", MFD_CLOEXEC); /* without it, a reload keeps lines, but no states */
    keeper.signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    return keeper.signals >= 0 && sigprocmask(SIG_BLOCK, &set, &keeper.mask) == 0;
}

bool keeper_run(int *argc, char ***argv, int *status) {
    keeper.link = keeper.states = keeper.signals = -1;
    if (!may_serve(*argc, *argv))
        return true;
    enum outcome outcome = open_keeper() ? start_server() : IS_OVER;
    *status = EX_OSERR;
    while (outcome == GO_ON) {
        struct pollfd files[] = {{.fd = keeper.signals, .events = POLLIN}, {.fd = keeper.link, .events = POLLIN}};
        if (poll(files, 2, -1) < 0 && errno != EINTR)
            return false;
        if (files[1].revents != 0 && keeper.link >= 0)
            (void)take_message();
        else if (files[0].revents != 0)
            outcome = signalled(argc, argv, status);
        if (outcome == GO_ON && keeper.is_asked && keeper.is_ready && keeper.checker == 0 && !keeper.is_reloading)
            outcome = start_check(argc, argv);
    }
    return outcome == IS_PROGRAM;
}

/* In a server. */

bool keeper_exists(void) {
    return keeper.is_server;
}

void keeper_end_with(void) {
    if (keeper.is_server)
        prctl(PR_SET_PDEATHSIG, (long)SIGKILL, 0L, 0L, 0L);
}

bool keeper_has_history(void) {
    return keeper.is_server && keeper.generation > 1;
}

bool keeper_is_fallback(void) {
    return keeper.is_server && keeper.is_fallback;
}

/* A keeper that is gone has ended this process as well. The filter of system calls does not allow this any more. */
static void send_message(enum message type, const char *key, int fd) {
    char text[KEEPER_KEY_SIZE + 1];
    const int length = snprintf(text, sizeof text, "%c%s", type, key);
    struct iovec part = {.iov_base = text, .iov_len = (size_t)length};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (!keeper.is_server || keeper.link < 0 || length < 1 || length >= (int)KEEPER_KEY_SIZE)
        return;
    if (fd >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
        memcpy(CMSG_DATA(header), &fd, sizeof fd);
    }
    while (sendmsg(keeper.link, &message, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}

void keeper_keep(const char *key, int fd) {
    send_message(KEEP, key, fd);
}

bool keeper_claim(const char *key) {
    const bool is_known = keeper.is_server && find(key, strlen(key) + 1) != NULL;
    send_message(is_known ? CLAIM : KEEP, key, -1);
    return is_known;
}

int keeper_take(const char *prefix, char *key) {
    struct kept *kept = keeper.is_server && keeper.link >= 0 ? find(prefix, strlen(prefix) + (key ? 0 : 1)) : NULL;
    if (!kept || kept->fd < 0)
        return -1;
    if (key)
        memcpy(key, kept->key, KEEPER_KEY_SIZE);
    else
        send_message(CLAIM, kept->key, -1);
    const int fd = kept->fd;
    kept->fd = -1;
    return fd;
}

void keeper_on_unclaimed(keeper_unclaimed *unclaimed) {
    keeper.unclaimed = unclaimed;
}

void keeper_ready(void) {
    if (!keeper.is_server || keeper.link < 0)
        return;
    for (size_t i = 0; i < MOST_KEPT; i++) {
        const struct kept *kept = &keeper.kept[i];
        if (kept->born == 0 || kept->fd < 0)
            continue;
        if (keeper.unclaimed)
            keeper.unclaimed(kept->key, kept->fd);
        close(kept->fd);
    }
    /* By a call that the filter of system calls allows; if it fails, the keeper is gone. */
    const char ready = READY;
    while (write(keeper.link, &ready, sizeof ready) < 0 && errno == EINTR)
        ;
    close(keeper.link);
    keeper.link = -1;
}

bool keeper_has_started(void) {
    return keeper.is_server && (keeper.link < 0 || keeper.generation == 1);
}

void keeper_begin_handing_over(void) {
    keeper.is_handing_over = true;
}

bool keeper_is_handing_over(void) {
    return keeper.is_handing_over;
}

void keeper_hand_over(const char *text, size_t length) {
    const struct states_header header = {.magic = STATES_MAGIC, .length = (uint32_t)length};
    size_t written = 0;
    while (length <= MOST_STATES && written < length) {
        ssize_t more = pwrite(keeper.states, text + written, length - written, (off_t)(sizeof header + written));
        if (more <= 0)
            return;
        written += (size_t)more;
    }
    if (written < length || pwrite(keeper.states, &header, sizeof header, 0) != (ssize_t)sizeof header)
        return;
    _exit(0);
}

char *keeper_states(size_t *length) {
    struct states_header header;
    struct stat status;
    if (!keeper_has_history() || !has_states() || fstat(keeper.states, &status) < 0 ||
        pread(keeper.states, &header, sizeof header, 0) != (ssize_t)sizeof header || header.length > MOST_STATES ||
        (off_t)(sizeof header + header.length) > status.st_size)
        return NULL;
    char *text = malloc((size_t)header.length + 1);
    if (text && pread(keeper.states, text, header.length, sizeof header) != (ssize_t)header.length) {
        free(text);
        return NULL;
    }
    if (text)
        text[header.length] = '\0';
    *length = header.length;
    return text;
}
