/*
 * The memory of the JavaScript engine. The engine cuts small objects from blocks of 4 KB itself; what it asks for here
 * is those blocks and whatever is longer than half a kilobyte. zig's libc rounds each of these up to a power of two and
 * returns no page to the kernel.
 *
 * For one engine on one thread. A process that is forked does not have this memory.
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
 * Returns how many bytes may be in use. Without a limit, that is all memory. There is a reserve, because the engine
 * makes some of its own functions when they are first used. If it finds no memory then, it does without the function
 * for good.
 */
struct quota *engine_heap_quota(struct engine_heap *heap);

/* Gives the kernel the pages of long free blocks. */
void engine_heap_give_back(struct engine_heap *heap);

/* Frees everything. If the heap is our own, that includes what is still allocated. */
void engine_heap_free(struct engine_heap *heap);

#endif
