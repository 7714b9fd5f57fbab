/*
 * The harness's own time. The loop's clock stands still but for virtual_time_advance, and epoll_wait never waits: the
 * linker puts these in place of clock_gettime(2) and epoll_wait(2).
 */
#ifndef NOUND_FUZZ_VIRTUAL_TIME_H
#define NOUND_FUZZ_VIRTUAL_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* Lets time pass: ms. */
void virtual_time_advance(uint64_t milliseconds);

/* Whether the last epoll_wait had nothing to report and would have waited for longer than a moment. */
bool virtual_time_would_wait(void);

/* The descriptor of the loop's epoll: to wait in real time for what the kernel hands over late. -1 before the first
 * turn. */
int virtual_time_descriptor(void);

#endif
