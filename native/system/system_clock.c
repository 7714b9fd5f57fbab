#define _GNU_SOURCE 1
#include "system/system_clock.h"

#include <sys/timex.h>
#include <unistd.h>

/* In s since 1970. The build gives the date of the source (cmake/Version.cmake); without one it is 2026-11-25. */
#ifndef SOURCE_DATE
#define SOURCE_DATE 1795564800
#endif

int64_t system_clock_source_date(void) {
    return SOURCE_DATE;
}

/* systemd-timesyncd makes this file. Its units may be refused the system call. */
#define SYNCHRONIZED "/run/systemd/timesync/synchronized"

bool system_clock_is_synchronized(void) {
    struct timex state = {0}; /* sets nothing */
    const int answer = adjtimex(&state);
    const bool is_known = answer >= 0 && answer != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
    return is_known || access(SYNCHRONIZED, F_OK) == 0;
}
