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

#include "keeper/jail.h"

#define LONGEST_WAIT 60 /* s */

/* The values of the signals. */
enum { QUESTION = 0x6e6f, DONE, REFUSED };

/* A process that does not wait for it ignores it: the asker may have ended, and another process have its number. */
#define ANSWER SIGURG

pid_t reload_asker(const struct signalfd_siginfo *info) {
    return info->ssi_code == SI_QUEUE && info->ssi_int == QUESTION ? (pid_t)info->ssi_pid : 0;
}

void reload_answer(pid_t asker, bool is_reloaded) {
    const union sigval value = {.sival_int = is_reloaded ? DONE : REFUSED};
    (void)sigqueue(asker, ANSWER, value); /* fails if the command has ended */
}

static int complain(const char *process, const char *what) {
    fprintf(stderr, "nound: cannot reload process %s: %s\n", process, what);
    return EX_UNAVAILABLE;
}

/* Returns the status of the command, once the keeper has answered or ended. */
static int await_answer(const char *process, pid_t keeper, const sigset_t *answers) {
    const struct timespec moment = {.tv_sec = 1};
    siginfo_t info;
    for (int seconds = 0; seconds < LONGEST_WAIT;) {
        if (sigtimedwait(answers, &info, &moment) >= 0) {
            if (info.si_code != SI_QUEUE || info.si_pid != keeper)
                continue;
            return info.si_value.sival_int == DONE ? EX_OK : complain(process, "nothing has changed; its log says why");
        }
        if (errno != EAGAIN && errno != EINTR)
            return complain(process, strerror(errno));
        if (kill(keeper, 0) < 0 && errno == ESRCH) {
            complain(process, "it has ended");
            return EX_TEMPFAIL;
        }
        seconds += errno == EINTR ? 0 : 1;
    }
    return complain(process, "it has not answered within a minute");
}

/* user: becomes this process's, if it is root's. A keeper that is not root's can answer then: by the rules of kill(2),
   it may signal its own user's processes. */
static int ask(const char *process, pid_t keeper, uid_t user) {
    sigset_t answers;
    sigemptyset(&answers);
    sigaddset(&answers, ANSWER);
    if (geteuid() == 0)
        (void)setresuid(user, (uid_t)-1, (uid_t)-1);
    if (sigprocmask(SIG_BLOCK, &answers, NULL) < 0 ||
        sigqueue(keeper, SIGHUP, (union sigval){.sival_int = QUESTION}) < 0)
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
