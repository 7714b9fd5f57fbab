/*
 * The system calls of a table (seccomp_table.h) as a filter of the kernel's
 * (Documentation/userspace-api/seccomp_filter.rst).
 */
#ifndef NOUND_SECCOMP_FILTER_H
#define NOUND_SECCOMP_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guard/seccomp_table.h"

#define SECCOMP_FILTER_LIMIT 512 /* instructions */

/* Returns whether there is a filter for the processor that this is compiled for. */
bool seccomp_filter_exists(void);

/*
 * Builds the filter for the processor that this is compiled for. Calls that are not allowed fail with EPERM; a call by
 * another processor's table of calls ends the process.
 * process: the id of the process, which may send signals to itself.
 * Returns the number of instructions.
 */
size_t seccomp_filter_build(struct sock_filter filter[SECCOMP_FILTER_LIMIT], const struct seccomp_table *table,
                            uint32_t process);

#endif
