/* The time of processes without an event loop. */
#ifndef NOUND_MONOTONIC_CLOCK_H
#define NOUND_MONOTONIC_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns ms on CLOCK_MONOTONIC. */
static inline int64_t monotonic_clock(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time); /* cannot fail */
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

#endif
