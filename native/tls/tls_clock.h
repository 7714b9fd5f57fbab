/* The date that certificates are compared with. The clock of a device without a battery starts in 1970. */
#ifndef NOUND_TLS_CLOCK_H
#define NOUND_TLS_CLOCK_H

#include <mbedtls/x509.h>
#include <stdbool.h>
#include <stdint.h>

struct tls_clock {
    int64_t now;  /* s since 1970: that of the clock, or a date that has passed for certain if that is later */
    bool is_late; /* whether the clock is earlier than that date, so nobody knows how late it is */
};

/*
 * earliest: a date that was kept, in s since 1970, and has passed. The date of this program's source has passed, too.
 * A kept date is wrong, and does not count, if it is more than ten years later than the source, or later than a clock
 * that the kernel calls synchronized: the clock was wrong when the date was kept.
 */
struct tls_clock tls_clock_read(int64_t earliest);

/* Returns s since 1970 at a date of a certificate, which is in UTC. */
int64_t tls_clock_seconds(const mbedtls_x509_time *date);

#endif
