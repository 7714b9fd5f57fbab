#include "keeper/trial.h"

#include <stddef.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <time.h>

#include "base/descriptor.h"
#include "base/monotonic_clock.h"
#include "keeper/upgrade.h"

void trial_begin(struct trial *trial, int previous) {
    const int program = previous >= 0 ? previous : upgrade_open_previous((int64_t)time(NULL) - TRIAL_TIME / 1000);
    *trial = (struct trial){.previous = program, .until = monotonic_clock() + TRIAL_TIME};
}

void trial_started(struct trial *trial, bool expects_online) {
    const int64_t online_by = monotonic_clock() + ONLINE_TIME;
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

void trial_hung(struct trial *trial) {
    trial->is_hung = true;
}

const char *trial_failure(const struct trial *trial) {
    if (trial->previous < 0)
        return NULL;
    if (trial->is_hung)
        return "it did not start within a minute";
    if (trial->deaths >= MOST_TRIAL_DEATHS)
        return "it died three times within ten minutes";
    if (trial->online_by != 0 && monotonic_clock() >= trial->online_by)
        return "it did not reach its broker within two minutes";
    return NULL;
}

int trial_wait(struct trial *trial) {
    const int64_t now = monotonic_clock();
    if (trial->previous >= 0 && now >= trial->until)
        descriptor_close(trial_end(trial));
    if (trial->previous < 0)
        return -1;
    const int64_t next = trial->online_by != 0 ? trial->online_by : trial->until;
    return next > now ? (int)(next - now) : 0;
}

int trial_end(struct trial *trial) {
    const int previous = trial->previous;
    *trial = (struct trial){.previous = -1};
    return previous;
}
