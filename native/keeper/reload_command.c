#define _GNU_SOURCE 1
#include "keeper/reload_command.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

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

/* Lets a keeper that is not root's answer root: by the rules of kill(2), it may signal its own user's processes. */
static void take_user_of(long process) {
    char path[64], line[128];
    unsigned long user;
    snprintf(path, sizeof path, "/proc/%ld/status", process);
    FILE *status = geteuid() == 0 ? fopen(path, "re") : NULL;
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "Uid: %lu", &user) == 1)
            (void)setresuid((uid_t)user, (uid_t)-1, (uid_t)-1);
    if (status)
        fclose(status);
}

static int complain(const char *process, const char *what) {
    fprintf(stderr, "nound: cannot reload process %s: %s\n", process, what);
    return EX_UNAVAILABLE;
}

int reload_command(const char *process) {
    char *end;
    const long id = strtol(process, &end, 10);
    const struct timespec longest = {.tv_sec = LONGEST_WAIT};
    siginfo_t info;
    sigset_t answers;
    if (*end != '\0' || id < 2 || id != (pid_t)id)
        return complain(process, "that is not the number of a process");
    sigemptyset(&answers);
    sigaddset(&answers, ANSWER);
    take_user_of(id);
    if (sigprocmask(SIG_BLOCK, &answers, NULL) < 0 ||
        sigqueue((pid_t)id, SIGHUP, (union sigval){.sival_int = QUESTION}) < 0)
        return complain(process, strerror(errno));
    do
        if (sigtimedwait(&answers, &info, &longest) < 0 && errno != EINTR)
            return complain(process, errno == EAGAIN ? "it has not answered within a minute" : strerror(errno));
    while (info.si_code != SI_QUEUE || info.si_pid != id);
    return info.si_value.sival_int == DONE ? EX_OK : complain(process, "nothing has changed; its log says why");
}
