/*
 * How much memory the script may have, and what is done before it has taken all of it: an engine whose allocations fail
 * goes ways that hardly anybody tests. From three quarters of the limit on the script is told to refuse new work
 * (memory_is_scarce), and garbage is collected: each time that mark is reached again, and at most once a second while
 * collecting does not help.
 *
 * The engine itself collects once half as much again is in use as its last collection left. With a limit, that may be
 * more than there is. And it only looks when it allocates: what a burst left behind would stay. So whenever
 * half a megabyte more has come into use, garbage is collected two seconds later as well.
 */
#ifndef NOUND_MEMORY_H
#define NOUND_MEMORY_H

#include "runtime.h"

/* To be called once, when there is an engine. There is no limit yet. */
void memory_watch(struct runtime *runtime);

/* Sets the limit: bytes, or 0 for none. */
void memory_set_limit(struct runtime *runtime, size_t limit);

/*
 * Returns whether three quarters of the limit or more are in use. Collects garbage before it says so, at most once a
 * second while that does not help. It is a comparison while there is plenty.
 */
bool memory_is_scarce(struct runtime *runtime);

/* Lets the script have a little beyond the limit, as it is to end the program. */
void memory_grant_ending(struct runtime *runtime);

#endif
