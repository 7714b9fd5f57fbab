/* Connects to a target. This waits, so only the connector does it. */
#ifndef NOUND_DIAL_H
#define NOUND_DIAL_H

#include "connector/target.h"

#define DIAL_REASON 128 /* bytes of a reason, with the NUL */

/*
 * Resolves the target's name and connects to its addresses in turn, until one accepts or 10 s have passed. Returns the
 * descriptor, which does not block; or -1 with the reason, as the end of a sentence.
 */
int dial(const struct target *target, char reason[DIAL_REASON]);

#endif
