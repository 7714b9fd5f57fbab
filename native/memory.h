/*
 * How much memory the script may have, and what is done before it has taken all of it: an engine whose allocations fail
 * goes ways that hardly anybody tests. So garbage is collected at three quarters of the limit, and the script is told
 * to refuse new work there (memory_is_scarce).
 */
#ifndef NOUND_MEMORY_H
#define NOUND_MEMORY_H

#include "runtime.h"

/* Sets the limit: bytes, or 0 for none. */
void memory_set_limit(struct runtime *runtime, size_t limit);

/*
 * Returns whether three quarters of the limit or more are in use. Collects garbage before it says so, at most once a
 * second. It is a comparison while there is plenty.
 */
bool memory_is_scarce(struct runtime *runtime);

/* Lets the script have a little beyond the limit, as it is to end the program. */
void memory_grant_ending(struct runtime *runtime);

#endif
