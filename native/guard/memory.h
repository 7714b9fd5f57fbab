/*
 * How much memory the script may have, and what is done before it has taken all of it: an engine whose allocations fail
 * uses code that is hardly ever tested. From three quarters of the limit on, the script is told to refuse new work
 * (memory_is_scarce), and garbage is collected. That happens each time that mark is reached again, and at most once a
 * second while collecting does not help.
 *
 * The engine itself collects when memory use has grown by half since its last collection. With a limit, that may be
 * more than there is. And it checks only when it allocates, so the garbage of a burst would stay. So two seconds after
 * memory use has grown by half a megabyte, garbage is collected as well.
 */
#ifndef NOUND_MEMORY_H
#define NOUND_MEMORY_H

#include "engine/runtime_state.h"

/* To be called once, when there is an engine. There is no limit yet. Returns false when there is no memory. */
bool memory_watch(struct runtime *runtime);

/* Ends it. Nothing else ends before: the engine still allocates. */
void memory_release(struct runtime *runtime);

/* Sets the limit: bytes, or 0 for none. */
void memory_set_limit(struct runtime *runtime, size_t limit);

/*
 * Returns whether three quarters of the limit or more are in use. Collects garbage before it says so, at most once a
 * second while that does not help. It is a comparison while there is plenty.
 */
bool memory_is_scarce(struct runtime *runtime);

/* Collects garbage, and gives the kernel the pages that are free then. */
void memory_collect(struct runtime *runtime);

#endif
