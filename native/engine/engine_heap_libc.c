/* The engine's memory from the C library, for sanitizers: they see what happens in their own allocator alone. */
#include <malloc.h>
#include <stdlib.h>

#include "engine/engine_heap.h"
#include "engine/quota.h"

struct engine_heap {
    struct quota quota;
};

static void *counted(struct engine_heap *heap, void *pointer) {
    quota_take(&heap->quota, malloc_usable_size(pointer));
    return pointer;
}

static void *libc_malloc(void *opaque, size_t size) {
    struct engine_heap *heap = opaque;
    return quota_admits(&heap->quota, size) ? counted(heap, malloc(size)) : NULL;
}

static void *libc_calloc(void *opaque, size_t count, size_t size) {
    struct engine_heap *heap = opaque;
    size_t bytes;
    bool fits = !__builtin_mul_overflow(count, size, &bytes) && quota_admits(&heap->quota, bytes);
    return fits ? counted(heap, calloc(count, size)) : NULL;
}

static void libc_free(void *opaque, void *pointer) {
    struct engine_heap *heap = opaque;
    quota_give(&heap->quota, malloc_usable_size(pointer));
    free(pointer);
}

static void *libc_realloc(void *opaque, void *pointer, size_t size) {
    struct engine_heap *heap = opaque;
    size_t old = malloc_usable_size(pointer);
    if (size > old && !quota_admits(&heap->quota, size - old))
        return NULL;
    void *moved = realloc(pointer, size);
    if (!moved)
        return NULL;
    quota_give(&heap->quota, old);
    return counted(heap, moved);
}

static size_t libc_usable_size(const void *pointer) {
    return malloc_usable_size((void *)pointer);
}

const JSMallocFunctions engine_heap_functions = {
    .js_calloc = libc_calloc,
    .js_malloc = libc_malloc,
    .js_free = libc_free,
    .js_realloc = libc_realloc,
    .js_malloc_usable_size = libc_usable_size,
};

struct engine_heap *engine_heap_create(void) {
    struct engine_heap *heap = calloc(1, sizeof *heap);
    if (heap)
        heap->quota.limit = heap->quota.alarm = SIZE_MAX;
    return heap;
}

struct quota *engine_heap_quota(struct engine_heap *heap) {
    return &heap->quota;
}

void engine_heap_give_back(struct engine_heap *heap) {
    (void)heap;
}

void engine_heap_free(struct engine_heap *heap) {
    free(heap);
}
