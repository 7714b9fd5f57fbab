#define _GNU_SOURCE 1
#include "tls/tls_clock.h"

#include <time.h>

#include "system/system_clock.h"

#define MOST_YEARS (10LL * 365 * 86400) /* s */

struct tls_clock tls_clock_read(int64_t earliest) {
    struct timespec time = {0};
    clock_gettime(CLOCK_REALTIME, &time); /* cannot fail */
    const int64_t source = system_clock_source_date();
    const bool is_wrong = earliest > source + MOST_YEARS || (earliest > time.tv_sec && system_clock_is_synchronized());
    if (earliest < source || is_wrong)
        earliest = source;
    const bool is_late = time.tv_sec < earliest;
    return (struct tls_clock){.now = is_late ? earliest : time.tv_sec, .is_late = is_late};
}

/* Counts from the first of March, so that the day of a leap year is the last of its year. */
int64_t tls_clock_seconds(const mbedtls_x509_time *date) {
    const bool is_from_march = date->mon > 2;
    const int64_t from_march = is_from_march ? date->mon - 3 : date->mon + 9;
    const int64_t years = is_from_march ? date->year : date->year - 1;
    const int64_t leap_days = years / 4 - years / 100 + years / 400;
    const int64_t days = years * 365 + leap_days + (from_march * 153 + 2) / 5 + date->day - 1 - 719468;
    return ((days * 24 + date->hour) * 60 + date->min) * 60 + date->sec;
}
