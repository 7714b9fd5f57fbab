/* Connects to a target. This waits, so only a process for the connection does it. */
#ifndef NOUND_DIAL_H
#define NOUND_DIAL_H

#include <stdint.h>

#include "connector/target.h"

#define DIAL_REASON 256 /* bytes of a reason, with the NUL */

/*
 * Resolves the target's name and connects to its addresses in turn, until one accepts, the deadline has come or 10 s
 * have passed. If the name is not resolved by then, SIGALRM ends the process.
 * deadline: on monotonic_clock. Returns the descriptor, which does not block; or -1 with the reason, as the end of a
 * sentence.
 */
int dial(const struct target *target, int64_t deadline, char reason[DIAL_REASON]);

#endif
