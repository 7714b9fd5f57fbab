/* How far the clock on the wall can be trusted. */
#ifndef NOUND_SYSTEM_CLOCK_H
#define NOUND_SYSTEM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the date of this program's source, in s since 1970. It has passed. */
int64_t system_clock_source_date(void);

/*
 * Returns whether the kernel, or systemd-timesyncd, calls the clock synchronized: a time server has set it. A container
 * or a virtual machine may say "no" of a right clock.
 */
bool system_clock_is_synchronized(void);

#endif
