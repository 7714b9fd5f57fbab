/* Connects to a target. This waits, so only a process for the connection does it. */
#ifndef NOUND_DIAL_H
#define NOUND_DIAL_H

#include <stdint.h>

#include "connector/resolve.h"
#include "connector/target.h"

#define DIAL_REASON 256 /* bytes of a reason, with the NUL */

/* Returns when a target is given up whose time ends at `deadline`: after 10 s at most. Both on monotonic_clock. */
int64_t dial_deadline(int64_t deadline);

/*
 * Connects to the target's addresses as they become known, a quarter of a second apart, until one accepts or the
 * deadline has come (RFC 8305: an address that does not answer delays the others no longer).
 * resolvers: for each family, the end of the pair with the process that asks for the target's name, or -1. deadline: of
 * dial_deadline. Returns the descriptor, which does not block; or -1 with the reason, as the end of a sentence.
 */
int dial(const struct target *target, const int resolvers[FAMILIES], int64_t deadline, char reason[DIAL_REASON]);

#endif
