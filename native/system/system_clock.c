#define _GNU_SOURCE 1
#include "system/system_clock.h"

#include <sys/timex.h>

/* In s since 1970. The build gives the date of the source (cmake/Version.cmake); without one it is 2026-11-25. */
#ifndef SOURCE_DATE
#define SOURCE_DATE 1795564800
#endif

int64_t system_clock_source_date(void) {
    return SOURCE_DATE;
}

bool system_clock_is_synchronized(void) {
    struct timex state = {0}; /* sets nothing */
    const int answer = adjtimex(&state);
    return answer >= 0 && answer != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}
