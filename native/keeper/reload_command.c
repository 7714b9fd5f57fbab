#define _GNU_SOURCE 1
#include "keeper/reload_command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic_clock.h"
#include "keeper/jail.h"

#define LONGEST_WAIT 60000 /* ms */

#define ASKING_TIME 200 /* ms until a command that was not heard asks again, at least */

/* The values of the signals. */
enum { QUESTION = 0x6e6f, DONE, REFUSED };

/* A process that does not wait for them ignores them: the asker may have ended, and another process have its number.
 * Each is a signal of its own, as the kernel makes one of two that are pending. */
#define ANSWER SIGURG
#define HEARD SIGWINCH
#define ASK_AGAIN SIGCHLD

/* Fails if the command has ended. */
static void tell(pid_t asker, int signal, int value) {
    (void)sigqueue(asker, signal, (union sigval){.sival_int = value});
}

void reload_hear(struct reload_askers *askers, const struct signalfd_siginfo *info) {
    const pid_t asker = (pid_t)info->ssi_pid;
    bool is_known = false;
    if (info->ssi_code != SI_QUEUE || info->ssi_int != QUESTION)
        return;
    for (unsigned i = 0; i < askers->count; i++)
        is_known = is_known || askers->processes[i] == asker;
    if (!is_known && askers->count == MOST_ASKERS)
        return;
    if (!is_known)
        askers->processes[askers->count++] = asker;
    tell(asker, HEARD, QUESTION);
}

void reload_answer(struct reload_askers *askers, bool is_reloaded) {
    for (unsigned i = 0; i < askers->count; i++)
        tell(askers->processes[i], ANSWER, is_reloaded ? DONE : REFUSED);
    askers->count = 0;
}

pid_t reload_last_asker(struct reload_askers *askers, struct reload_askers *next) {
    for (unsigned i = 1; i < askers->count; i++)
        tell(askers->processes[i], ASK_AGAIN, QUESTION);
    for (unsigned i = 0; i < next->count; i++)
        tell(next->processes[i], ASK_AGAIN, QUESTION);
    askers->count = askers->count > 0 ? 1 : 0;
    next->count = 0;
    return askers->count > 0 ? askers->processes[0] : 0;
}

static int complain(const char *process, const char *what) {
    fprintf(stderr, "nound: cannot reload process %s: %s\n", process, what);
    return EX_UNAVAILABLE;
}

static bool send_question(pid_t keeper) {
    return sigqueue(keeper, SIGHUP, (union sigval){.sival_int = QUESTION}) == 0;
}

/* Forgets that the earlier question was heard, which the kernel may tell later, and asks again. */
static bool ask_again(pid_t keeper) {
    const struct timespec nothing = {0};
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, HEARD);
    (void)sigtimedwait(&heard, NULL, &nothing); /* fails if it was told already */
    return send_question(keeper);
}

/* Returns the status of the command, once the keeper has answered or ended. */
static int await_answer(const char *process, pid_t keeper, const sigset_t *answers) {
    /* Commands that ask at once do not ask again at once. */
    const struct timespec moment = {.tv_nsec = (ASKING_TIME + getpid() % 16 * 40) * 1000000L};
    const int64_t until = monotonic_clock() + LONGEST_WAIT;
    siginfo_t info;
    bool is_heard = false;
    while (monotonic_clock() < until) {
        if (sigtimedwait(answers, &info, &moment) >= 0) {
            if (info.si_code != SI_QUEUE || info.si_pid != keeper)
                continue;
            if (info.si_signo != ANSWER) {
                is_heard = info.si_signo == HEARD || !ask_again(keeper);
                continue;
            }
            return info.si_value.sival_int == DONE ? EX_OK : complain(process, "nothing has changed; its log says why");
        }
        if (errno != EAGAIN && errno != EINTR)
            return complain(process, strerror(errno));
        if (kill(keeper, 0) < 0 && errno == ESRCH) {
            complain(process, "it has ended");
            return EX_TEMPFAIL;
        }
        if (errno == EAGAIN && !is_heard)
            (void)send_question(keeper); /* fails if the keeper has ended, which the next look shows */
    }
    return complain(process, "it has not answered within a minute");
}

/* user: becomes this process's, if it is root's. A keeper that is not root's can answer then: by the rules of kill(2),
   it may signal its own user's processes. */
static int ask(const char *process, pid_t keeper, uid_t user) {
    sigset_t answers;
    sigemptyset(&answers);
    sigaddset(&answers, ANSWER);
    sigaddset(&answers, HEARD);
    sigaddset(&answers, ASK_AGAIN);
    if (geteuid() == 0)
        (void)setresuid(user, (uid_t)-1, (uid_t)-1);
    if (sigprocmask(SIG_BLOCK, &answers, NULL) < 0 || !send_question(keeper))
        return complain(process, strerror(errno));
    return await_answer(process, keeper, &answers);
}

/* Asks from within the jail, as a keeper cannot answer a process outside of it. */
static int ask_jailed(const char *process, const struct jailed_process *keeper) {
    int how;
    if (!jail_join(keeper))
        return complain(process, errno == EPERM ? "it is in a jail, which only root can enter" : strerror(errno));
    const pid_t child = fork();
    if (child == 0)
        _exit(ask(process, (pid_t)keeper->number, (uid_t)keeper->user));
    if (child < 0 || waitpid(child, &how, 0) < 0)
        return complain(process, strerror(errno));
    return WIFEXITED(how) ? WEXITSTATUS(how) : EX_OSERR;
}

int reload_command(const char *process) {
    char *end;
    const long id = strtol(process, &end, 10);
    struct jailed_process self, keeper;
    if (*end != '\0' || id < 2 || id != (pid_t)id)
        return complain(process, "that is not the number of a process");
    /* A service manager may hide /proc/<id>: then the keeper is in the same jail, and of the same user. */
    if (!jail_read_process(id, &keeper) || !jail_read_process(getpid(), &self))
        return ask(process, (pid_t)id, geteuid());
    jail_enter(&keeper);
    return keeper.depth > self.depth ? ask_jailed(process, &keeper)
                                     : ask(process, (pid_t)keeper.id, (uid_t)keeper.user);
}
