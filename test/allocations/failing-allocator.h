/*
 * An allocator that fails on demand. The linker puts it in place of malloc, calloc and realloc for all that is compiled
 * into this program, the engine and the native layer alike.
 */
#ifndef NOUND_FAILING_ALLOCATOR_H
#define NOUND_FAILING_ALLOCATOR_H

#include <stdbool.h>

/* Has `count` allocations fail from the `first` one on, counted from 1 from now on; 0 for none. */
void failing_allocator_arm(unsigned long first, unsigned long count);

/* Counts on, or stands aside: what the harness itself allocates is neither counted nor refused. */
void failing_allocator_watch(bool watched);

/* Returns how many allocations there were since it was armed. */
unsigned long failing_allocator_count(void);

#endif
