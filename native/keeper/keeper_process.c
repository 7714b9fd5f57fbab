#define _GNU_SOURCE 1
#include "keeper/keeper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/ending_signals.h"
#include "base/log_output.h"
#include "base/monotonic_clock.h"
#include "base/passed_descriptor.h"
#include "keeper/command_line.h"
#include "keeper/keeper.h"
#include "keeper/keeper_helper.h"
#include "keeper/keeper_state.h"
#include "keeper/kept.h"
#include "keeper/reload_command.h"
#include "keeper/service_manager.h"
#include "keeper/trial.h"
#include "keeper/upgrade.h"

#define MOST_CRASHES 5       /* of servers one after the other */
#define STABLE_TIME 60       /* s after which a server that crashes is the first one again */
#define CHECK_TIME 60000     /* ms that a check may take */
#define HAND_OVER_TIME 30000 /* ms that a server has to hand over, besides the time that its requests may take */
#define MOST_CLOSING 3600000 /* ms of that time: the largest `shutdownTimeout` */
#define START_TIME 60000     /* ms that a new program has to start */
#define SILENCE 30           /* s that a client may be silent during a reload, and still be accepted */

/* What the keeper's process knows besides `keeper`, which it shares with servers. */
struct watch {
    int *argc;
    char ***argv;
    int signals, manager;
    int program;           /* the file that has replaced the program's, of the last check, or -1 */
    sigset_t mask;         /* of servers and checks */
    pid_t server, checker; /* or 0 */
    int64_t check_by;      /* ms on CLOCK_MONOTONIC until which the check must have ended */
    uint32_t closing;      /* ms that the server's requests may take when it hands over */
    int64_t server_by;     /* the same for a server that starts on trial, or hands over; 0 without a deadline */
    unsigned told;         /* the last server that a signal to end went to */
    bool checks_tokens;    /* the check is of the token file alone */
    bool is_ready;         /* the server has said READY */
    bool is_handing_over;  /* the server was told to hand over */
    bool is_admitting;     /* the server was told that there are new tokens, and has not said that they count */
    bool is_asked;         /* SIGHUP came, and no check has begun since */
    bool is_reloading;     /* from the check to the next server's READY, or to a failure */
    bool is_ending;
    struct reload_askers askers, next_askers; /* whose SIGHUP this reload answers, and the next one */
    struct timespec began;                    /* on CLOCK_MONOTONIC: the server's READY */
    int crashes;
    struct trial trial;
    bool is_going_back;                           /* `program` is the one before */
    struct keeper_helper helpers[KEEPER_HELPERS]; /* of the server */
};

/* The outcomes of the keeper's loop. */
enum outcome { GO_ON, IS_PROGRAM, IS_OVER };

static struct timespec read_clock(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now;
}

/* In a new process: leaves the keeper's things behind. It ends with the keeper, and no terminal's signal reaches it. */
static void become_child(const struct watch *watch) {
    const int files[] = {watch->signals, watch->manager, keeper.link, watch->trial.previous};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        descriptor_close(files[i]);
    setpgid(0, 0); /* fails only for a leader of a session, which a new process is not */
    sigprocmask(SIG_SETMASK, &watch->mask, NULL);
    keeper_end_with();
}

static void close_program(struct watch *watch) {
    descriptor_close(watch->program);
    watch->program = -1;
}

static enum outcome start_server(struct watch *watch) {
    int end = -1;
    keeper.generation++;
    watch->is_ready = watch->is_handing_over = watch->is_admitting = false;
    watch->server = passed_descriptor_fork(SOCK_SEQPACKET, &end);
    if (watch->server == 0) {
        keeper.is_server = true;
        close_program(watch);
        become_child(watch);
    }
    keeper.link = end;
    watch->server_by = watch->trial.previous >= 0 ? monotonic_clock() + START_TIME : 0;
    return watch->server > 0 ? GO_ON : watch->server == 0 ? IS_PROGRAM : IS_OVER;
}

/*
 * Has the kernel hold clients that are silent after they have connected (TCP_DEFER_ACCEPT of tcp(7)): during a reload,
 * the server that ends would accept and close them, although the next one can answer them.
 */
static void hold_silent_clients(bool holds) {
    const int seconds = holds ? SILENCE : 0;
    for (size_t i = 0; i < keeper.places; i++)
        if (keeper.kept[i].born != 0 && keeper.kept[i].thing.kind == KEEPER_LISTENER)
            (void)setsockopt(keeper.kept[i].fd, IPPROTO_TCP, TCP_DEFER_ACCEPT, &seconds, sizeof seconds);
}

/* Ends a reload: the command that has asked for it learns how. */
static void conclude(struct watch *watch, bool is_reloaded) {
    hold_silent_clients(false);
    if (!watch->is_reloading)
        return;
    watch->is_reloading = false;
    reload_answer(&watch->askers, is_reloaded);
}

/* Tells the server to look at what a check has left. One that hangs is ended when the time is over. */
static void tell_server(struct watch *watch, uint32_t time) {
    watch->server_by = monotonic_clock() + time;
    kill(watch->server, SIGHUP);
}

static void tell_to_hand_over(struct watch *watch) {
    watch->is_handing_over = true;
    tell_server(watch, watch->closing + HAND_OVER_TIME);
}

/* Returns whether a reload is under way that another one must wait for. */
static bool is_busy(const struct watch *watch) {
    return watch->checker > 0 || watch->is_handing_over || watch->is_admitting;
}

/* The server goes on that has run before the reload. */
static void go_on(struct watch *watch, bool is_reloaded) {
    conclude(watch, is_reloaded);
    service_manager_tell(watch->manager, "READY=1");
}

/*
 * Forks a check, by the program that has replaced this one, or by this one. Of tokens, it is by this one, with the
 * configuration that is served.
 */
static enum outcome fork_check(struct watch *watch, bool checks_tokens) {
    watch->checks_tokens = checks_tokens;
    watch->checker = fork();
    if (watch->checker < 0) {
        log_output_print("nound: cannot reload: there is no other process to check the configuration");
        watch->checker = 0;
        go_on(watch, false);
    } else if (watch->checker > 0) {
        watch->check_by = monotonic_clock() + CHECK_TIME;
    } else {
        keeper.is_checker = true;
        keeper.is_fallback = checks_tokens;
        become_child(watch);
        int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
        keeper.words = command_line_of_check(watch->argc, *watch->argv);
        if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || !keeper.words)
            _exit(EX_OSERR);
        *watch->argv = keeper.words;
        if (watch->program < 0 || checks_tokens)
            return IS_PROGRAM;
        upgrade_run(watch->program, keeper.words);
        log_output_print("nound: the new program cannot be run");
        _exit(EX_OSERR);
    }
    return GO_ON;
}

/* After a refusal: the server goes on, but a token that was withdrawn ends. */
static enum outcome check_tokens(struct watch *watch) {
    if (keeper_find(KEEPER_CONFIGURATION, NULL, 0))
        return fork_check(watch, true);
    go_on(watch, false);
    return GO_ON;
}

static enum outcome start_check(struct watch *watch) {
    char text[64];
    const struct timespec now = read_clock();
    watch->is_asked = false;
    watch->is_reloading = true;
    watch->askers = watch->next_askers;
    watch->next_askers.count = 0;
    hold_silent_clients(true);
    snprintf(
        text, sizeof text, "RELOADING=1\nMONOTONIC_USEC=%lld", (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000);
    service_manager_tell(watch->manager, text);
    close_program(watch);
    bool is_refused;
    watch->program = upgrade_open(&is_refused);
    return is_refused ? check_tokens(watch) : fork_check(watch, false);
}

static void keep(struct watch *watch, const union keeper_message *message, int fd) {
    (void)watch;
    kept_add(&message->keep.thing, message->keep.has_descriptor, fd);
}

/* Owns the descriptor, which it closes last. */
static void release(struct watch *watch, const union keeper_message *message, int fd) {
    (void)watch;
    kept_release(&message->release.thing);
    descriptor_close(fd);
}

/* The status is cut off at a line feed, behind which another state could be. */
static void server_started(struct watch *watch, const union keeper_message *message, int fd) {
    const struct keeper_ready *ready = &message->ready;
    char text[sizeof ready->status + 32];
    (void)fd;
    kept_settle(true);
    watch->is_ready = true;
    watch->server_by = 0;
    watch->closing = ready->closing < MOST_CLOSING ? ready->closing : MOST_CLOSING;
    trial_started(&watch->trial, ready->expects_online != 0);
    watch->began = read_clock();
    if (watch->is_reloading)
        watch->crashes = 0;
    conclude(watch, true);
    keeper.is_fallback = false;
    if (keeper.left >= 0 && ftruncate(keeper.left, 0) < 0)
        log_output_print("nound: cannot delete the states of the last reload");
    const int length = (int)strnlen(ready->status, sizeof ready->status);
    snprintf(text, sizeof text, "READY=1\nSTATUS=%.*s", length, ready->status);
    char *end = strchr(strchr(text, '\n') + 1, '\n');
    if (end)
        *end = '\0';
    service_manager_tell(watch->manager, text);
    if (watch->is_ending && watch->told != keeper.generation)
        kill(watch->server, SIGTERM);
}

static void feed_manager(struct watch *watch, const union keeper_message *message, int fd) {
    (void)message, (void)fd;
    if (keeper.feeding_interval > 0)
        service_manager_tell(watch->manager, "WATCHDOG=1");
}

static void went_online(struct watch *watch, const union keeper_message *message, int fd) {
    (void)message, (void)fd;
    trial_online(&watch->trial);
}

/* Owns the descriptor. */
static void begin_helper(struct watch *watch, const union keeper_message *message, int fd) {
    if ((unsigned)message->help.helper < KEEPER_HELPERS)
        keeper_helper_begin(&watch->helpers[message->help.helper], fd);
    else
        descriptor_close(fd);
}

/* The server goes on. */
static void refuse(struct watch *watch, const union keeper_message *message, int fd) {
    (void)message, (void)fd;
    if (!watch->is_handing_over)
        return;
    watch->is_handing_over = false;
    watch->server_by = 0;
    if (keeper.left >= 0 && ftruncate(keeper.left, 0) < 0)
        log_output_print("nound: cannot delete the states of a reload that was refused");
    log_output_print("nound: not reloaded: it cannot hand over; the previous configuration remains in force");
    go_on(watch, false);
}

/* New tokens count: until then, who asked for the reload must not believe that the old ones do not. */
static void admitted(struct watch *watch, const union keeper_message *message, int fd) {
    (void)message, (void)fd;
    if (!watch->is_admitting)
        return;
    watch->is_admitting = false;
    watch->server_by = 0;
    if (watch->checks_tokens)
        log_output_print("nound: the tokens are those of the token file all the same");
    go_on(watch, !watch->checks_tokens);
}

enum when { DURING_START = 1, WHILE_READY = 2 };

/* The requests to the keeper. It reads nothing else from a server. */
static const struct request {
    size_t size; /* of the message */
    unsigned when;
    void (*perform)(struct watch *watch, const union keeper_message *message, int fd);
    bool owns_descriptor; /* `perform` */
} requests[] = {
    [KEEPER_KEEP] = {sizeof(struct keeper_keep), DURING_START, keep, true},
    [KEEPER_RELEASE] = {sizeof(struct keeper_release), DURING_START, release, true},
    [KEEPER_HELP] = {sizeof(struct keeper_help), DURING_START, begin_helper, true},
    [KEEPER_READY] = {sizeof(struct keeper_ready), DURING_START, server_started, false},
    [KEEPER_FEED] = {sizeof(enum keeper_message_type), DURING_START | WHILE_READY, feed_manager, false},
    [KEEPER_REFUSE] = {sizeof(enum keeper_message_type), WHILE_READY, refuse, false},
    [KEEPER_ONLINE] = {sizeof(enum keeper_message_type), WHILE_READY, went_online, false},
    [KEEPER_ADMIT] = {sizeof(enum keeper_message_type), WHILE_READY, admitted, false},
};

/* Returns what a message asks for, or NULL if it is none of those that a server may send now. */
static const struct request *find_request(const struct watch *watch, const union keeper_message *message,
                                          ssize_t size) {
    if (size < (ssize_t)sizeof message->type || (unsigned)message->type >= sizeof requests / sizeof requests[0])
        return NULL;
    const struct request *request = &requests[message->type];
    const unsigned now = watch->is_ready ? WHILE_READY : DURING_START;
    return request->size == (size_t)size && (request->when & now) ? request : NULL;
}

/* Takes a message of the server. Returns false without one. Anything else than a message ends the channel. */
static bool take_message(struct watch *watch) {
    union keeper_message message;
    int fd;
    const ssize_t size =
        passed_descriptor_receive(keeper.link, &message, sizeof message, &fd, MSG_DONTWAIT | MSG_TRUNC);
    if (size < 0 && errno == EAGAIN)
        return false;
    const struct request *request = find_request(watch, &message, size);
    if (fd >= 0 && (!request || !request->owns_descriptor)) {
        close(fd);
        fd = -1;
    }
    if (request) {
        request->perform(watch, &message, fd);
        return true;
    }
    close(keeper.link);
    keeper.link = -1;
    return false;
}

/* Returns whether the end of a server is one after which the next one is to come. */
static bool is_to_continue(struct watch *watch, int how) {
    if (watch->is_ending)
        return watch->is_handing_over && keeper_has_left(STATES_MAGIC);
    if (!watch->is_handing_over && trial_ended(&watch->trial, how))
        return true;
    if (!watch->is_ready)
        return keeper.generation > 1 && !keeper.is_fallback;
    if (watch->is_reloading || watch->is_asked || keeper_has_left(STATES_MAGIC))
        return true;
    if (read_clock().tv_sec - watch->began.tv_sec >= STABLE_TIME)
        watch->crashes = 0;
    return WIFSIGNALED(how) && ++watch->crashes <= MOST_CRASHES;
}

/* Gives the program up that is on trial, if it has failed: the log has a line, and the one before is to run. Returns
 * whether it does. */
static bool gives_up(struct watch *watch) {
    const char *reason = trial_failure(&watch->trial);
    if (!reason)
        return false;
    log_output_print("nound: the new program is given up: %s; the previous one runs again", reason);
    close_program(watch);
    watch->program = trial_end(&watch->trial);
    return watch->is_going_back = true;
}

/* Has the next server take over. */
static enum outcome continue_server(struct watch *watch, bool was_ready) {
    if (gives_up(watch) || watch->is_going_back) {
        watch->is_handing_over = true;
    } else if (!was_ready && !keeper_find(KEEPER_CONFIGURATION, NULL, 0)) {
        log_output_print("nound: the process with the nouns has died during its start; another one is started");
    } else if (!was_ready) {
        log_output_print("nound: the new configuration could not be served; serving the previous one again");
        keeper.is_fallback = true;
        conclude(watch, false);
    } else if (!watch->is_handing_over && !keeper_has_left(STATES_MAGIC)) {
        log_output_print("nound: the process with the nouns has crashed; another one takes over its outputs");
    }
    if (watch->checker > 0) /* the next server reads the configuration itself */
        kill(watch->checker, SIGKILL);
    watch->checker = 0;
    if ((was_ready || watch->is_going_back) && watch->is_handing_over && watch->program >= 0)
        upgrade_keeper(watch->program,
                       *watch->argv,
                       watch->is_reloading ? reload_last_asker(&watch->askers, &watch->next_askers) : 0,
                       watch->is_going_back);
    watch->is_going_back = false;
    return start_server(watch);
}

static enum outcome server_ended(struct watch *watch, int how, int *status) {
    /* What it sent before its end is still to be read. */
    while (keeper.link >= 0 && take_message(watch))
        ;
    descriptor_close(keeper.link);
    keeper.link = -1;
    for (size_t i = 0; i < KEEPER_HELPERS; i++)
        keeper_helper_end(&watch->helpers[i]);
    if (!watch->is_ready)
        kept_settle(false);
    watch->server = 0;
    const bool was_ready = watch->is_ready;
    if (is_to_continue(watch, how)) {
        watch->is_ready = false;
        return continue_server(watch, was_ready);
    }
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    if (WIFSIGNALED(how)) { /* ends as it did */
        signal(WTERMSIG(how), SIG_DFL);
        sigprocmask(SIG_SETMASK, &watch->mask, NULL);
        raise(WTERMSIG(how));
    }
    return IS_OVER;
}

static enum outcome check_ended(struct watch *watch, int how) {
    const bool has_tokens = WIFEXITED(how) && WEXITSTATUS(how) == TOKENS_STATUS;
    watch->checker = 0;
    if (watch->is_ending)
        return GO_ON;
    if (how == 0 && !watch->checks_tokens) {
        tell_to_hand_over(watch);
    } else if (has_tokens) {
        watch->is_admitting = true;
        tell_server(watch, HAND_OVER_TIME);
    } else if (watch->checks_tokens) {
        go_on(watch, false);
    } else {
        log_output_print("nound: not reloaded: the new configuration is refused; the previous one remains in force");
        return check_tokens(watch);
    }
    return GO_ON;
}

static enum outcome reap(struct watch *watch, int *status) {
    int how;
    pid_t ended;
    while ((ended = waitpid(-1, &how, WNOHANG)) > 0) {
        if (keeper_helper_ended(&watch->helpers[KEEPER_CONNECTOR], ended) ||
            keeper_helper_ended(&watch->helpers[KEEPER_ACCEPTOR], ended))
            continue;
        const enum outcome outcome = ended == watch->checker  ? check_ended(watch, how)
                                     : ended == watch->server ? server_ended(watch, how, status)
                                                              : GO_ON;
        if (outcome != GO_ON)
            return outcome;
    }
    return GO_ON;
}

static enum outcome signalled(struct watch *watch, int *status) {
    struct signalfd_siginfo info;
    if (read(watch->signals, &info, sizeof info) != (ssize_t)sizeof info)
        return GO_ON;
    if (info.ssi_signo == SIGCHLD)
        return reap(watch, status);
    if (info.ssi_signo == SIGHUP) {
        watch->is_asked = true;
        reload_hear(&watch->next_askers, &info);
        return GO_ON;
    }
    if (!watch->is_ending)
        service_manager_tell(watch->manager, "STOPPING=1\nSTATUS=ending");
    watch->is_ending = true;
    watch->told = keeper.generation;
    kill(watch->server, (int)info.ssi_signo);
    return GO_ON;
}

static bool open_keeper(struct watch *watch) {
    const sigset_t set = ending_signals(SIGCHLD);
    int previous;
    pid_t asker;
    keeper.process = getpid();
    if (!upgrade_take_over(&asker, &previous)) {
        log_output_print("nound: cannot take over from the other version: restart nound");
        return false;
    }
    if (keeper.failed_file == 0)
        trial_begin(&watch->trial, previous);
    watch->is_reloading = asker > 0;
    if (asker > 0)
        watch->askers = (struct reload_askers){.count = 1, .processes = {asker}};
    if (keeper.left < 0) /* without it, a reload keeps lines, but no states */
        keeper.left = memfd_create("nound-left", MFD_CLOEXEC);
    watch->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    watch->manager = service_manager_open();
    keeper.feeding_interval = watch->manager >= 0 ? service_manager_feeding_interval() : 0;
    if (watch->signals < 0 || sigprocmask(SIG_BLOCK, &set, &watch->mask) != 0)
        return false;
    for (int number = 1; number <= SIGCHLD; number++)
        if (sigismember(&set, number) == 1) /* blocked already in a keeper that was replaced by its upgrade */
            sigdelset(&watch->mask, number);
    return true;
}

/* Returns the shorter of two waits, in ms; -1 is for ever. */
static int shorter(int one, int other) {
    return one < 0 || (other >= 0 && other < one) ? other : one;
}

/* Returns ms until a moment, in ms on CLOCK_MONOTONIC. */
static int wait_until(int64_t moment) {
    const int64_t now = monotonic_clock();
    return moment > now ? (int)(moment - now) : 0;
}

/* Returns ms until something is to be done that no descriptor tells of, or -1. */
static int wait_of(struct watch *watch) {
    const int trial = watch->is_handing_over ? -1 : trial_wait(&watch->trial);
    const int helper = keeper_helper_wait(&watch->helpers[KEEPER_CONNECTOR]);
    const int check = watch->checker > 0 ? wait_until(watch->check_by) : -1;
    const int server = watch->server > 0 && watch->server_by != 0 ? wait_until(watch->server_by) : -1;
    return shorter(shorter(trial, helper), shorter(check, server));
}

/* Ends what hangs: a check, or a server whose time is over. What follows is as after a crash. */
static void end_hanging(struct watch *watch) {
    if (watch->checker > 0 && wait_until(watch->check_by) == 0) {
        log_output_print("nound: the check of the configuration has not ended within a minute, so nound ends it");
        watch->check_by += CHECK_TIME;
        kill(-watch->checker, SIGKILL);
    }
    if (watch->server <= 0 || watch->server_by == 0 || wait_until(watch->server_by) > 0)
        return;
    log_output_print("nound: the process with the nouns does not answer, so nound ends it");
    if (!watch->is_ready)
        trial_hung(&watch->trial);
    watch->server_by = 0;
    kill(watch->server, SIGKILL);
}

/* Goes back while the server runs, which hands over its states. */
static void go_back(struct watch *watch) {
    if (!watch->is_ready || watch->is_ending || is_busy(watch))
        return;
    if (gives_up(watch))
        tell_to_hand_over(watch);
}

static enum outcome turn(struct watch *watch, int *status) {
    struct pollfd files[] = {{.fd = watch->signals, .events = POLLIN}, {.fd = keeper.link, .events = POLLIN}};
    if (poll(files, sizeof files / sizeof files[0], wait_of(watch)) < 0)
        return errno == EINTR ? GO_ON : IS_OVER;
    end_hanging(watch);
    go_back(watch);
    if (files[1].revents != 0)
        (void)take_message(watch);
    /* After the end of a server, which the helper may have seen first, nobody asks for another one. */
    keeper_helper_continue(&watch->helpers[KEEPER_CONNECTOR]);
    enum outcome outcome = files[0].revents != 0 ? signalled(watch, status) : GO_ON;
    /* While the server hands over, the one before it is still to be answered. */
    const bool may_check = watch->is_ready && !is_busy(watch) && !watch->is_going_back;
    if (outcome == GO_ON && watch->is_asked && may_check)
        outcome = start_check(watch);
    return outcome;
}

bool keeper_run(int *argc, char ***argv, keeper_run_helper *const run_helpers[KEEPER_HELPERS], int *status) {
    struct watch watch = {
        .argc = argc, .argv = argv, .signals = -1, .manager = -1, .program = -1, .trial = {.previous = -1}};
    for (unsigned i = 0; i < KEEPER_HELPERS; i++)
        watch.helpers[i] =
            (struct keeper_helper){.kind = (enum keeper_helper_kind)i, .plan = -1, .run = run_helpers[i]};
    keeper.link = keeper.left = -1;
    if (*argc == 3 && strcmp((*argv)[1], "--reload") == 0) {
        *status = reload_command((*argv)[2]);
        return false;
    }
    if (!command_line_serves(*argc, *argv))
        return true;
    enum outcome outcome = open_keeper(&watch) ? start_server(&watch) : IS_OVER;
    *status = EX_OSERR;
    while (outcome == GO_ON)
        outcome = turn(&watch, status);
    return outcome == IS_PROGRAM;
}
