/*
 * The memory of the JavaScript engine. The engine cuts small objects from blocks of 4 KB itself; what it asks for here
 * is those blocks and whatever is longer than half a kilobyte. zig's libc rounds each of these up to a power of two and
 * gives no page back: that cost 80 KB at rest, and 240 KB once there had been 128 connections at a time.
 *
 * For one engine on one thread.
 */
#ifndef NOUND_ENGINE_HEAP_H
#define NOUND_ENGINE_HEAP_H

#include <quickjs.h>

struct engine_heap;
struct quota;

/* For JS_NewRuntime2, with the heap as the opaque value. */
extern const JSMallocFunctions engine_heap_functions;

/* Returns an empty heap, or NULL with errno set. */
struct engine_heap *engine_heap_create(void);

/*
 * Returns how many bytes may be in use: as many as there are, until a limit is set. There is a reserve because an
 * engine that finds no memory for a function of its own when that is first used does without it for good.
 */
struct quota *engine_heap_quota(struct engine_heap *heap);

/* Gives back everything, what is still allocated as well where the heap is our own. */
void engine_heap_free(struct engine_heap *heap);

#endif
