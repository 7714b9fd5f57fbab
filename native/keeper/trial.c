#include "keeper/trial.h"

#include <limits.h>
#include <stddef.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>

#include "engine/descriptor.h"
#include "keeper/upgrade.h"

static int64_t read_seconds(clockid_t clock) {
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return now.tv_sec;
}

void trial_begin(struct trial *trial, int previous) {
    const int program = previous >= 0 ? previous : upgrade_open_previous(read_seconds(CLOCK_REALTIME) - TRIAL_TIME);
    *trial = (struct trial){.previous = program, .until = read_seconds(CLOCK_MONOTONIC) + TRIAL_TIME};
}

void trial_started(struct trial *trial, bool expects_online) {
    const int64_t online_by = read_seconds(CLOCK_MONOTONIC) + ONLINE_TIME;
    if (trial->previous >= 0 && expects_online && trial->deaths == 0 && online_by < trial->until)
        trial->online_by = online_by;
}

void trial_online(struct trial *trial) {
    trial->online_by = 0;
}

bool trial_ended(struct trial *trial, int how) {
    /* A mistake of the configuration, or an address that is not there yet, is not the program's. */
    const bool is_death = WIFSIGNALED(how) || (WIFEXITED(how) && WEXITSTATUS(how) == EX_SOFTWARE);
    if (trial_wait(trial) < 0 || !is_death)
        return false;
    trial->deaths++;
    return true;
}

const char *trial_failure(const struct trial *trial) {
    if (trial->previous < 0)
        return NULL;
    if (trial->deaths >= MOST_TRIAL_DEATHS)
        return "it died three times within ten minutes";
    if (trial->online_by != 0 && read_seconds(CLOCK_MONOTONIC) >= trial->online_by)
        return "it did not reach its broker within two minutes";
    return NULL;
}

int trial_wait(struct trial *trial) {
    const int64_t now = read_seconds(CLOCK_MONOTONIC);
    if (trial->previous >= 0 && now >= trial->until)
        descriptor_close(trial_end(trial));
    if (trial->previous < 0)
        return -1;
    const int64_t next = trial->online_by != 0 ? trial->online_by : trial->until;
    return next > now ? (int)((next - now) * 1000) : 0;
}

int trial_end(struct trial *trial) {
    const int previous = trial->previous;
    *trial = (struct trial){.previous = -1};
    return previous;
}
