/*
 * Blocks with their lengths before them, side by side in chunks from the kernel. Free neighbours are joined at once, so
 * that no two free blocks touch; free blocks are found by length in 64 lists. The pages of free blocks go back to the
 * kernel when enough of them have come together.
 */
#define _GNU_SOURCE 1
#include "engine/engine_heap.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/list.h"
#include "base/owner.h"
#include "engine/quota.h"

/* A block's length, its header included, is a multiple of UNIT, which leaves room for flags. So are payloads'
 * addresses.
 */
#define HEADER sizeof(size_t)
#define UNIT (2 * sizeof(size_t))
#define SHORTEST (4 * UNIT)
#define FLAGS (UNIT - 1)
#define IN_USE ((size_t)1)
#define AFTER_FREE ((size_t)2) /* the block before this one is free, and its length is directly before this header */
#define FIRST ((size_t)4)      /* nothing is before this block in its chunk */

#define LISTS 64
#define LOOKS 8 /* blocks of one list that are compared with the requested length, before a longer block is cut */

#define FIRST_CHUNK ((size_t)448 << 10) /* every start needs that much, so the kernel gives all its pages at once */
#define NEXT_CHUNK ((size_t)1 << 18)
#define LONG_FREE ((size_t)1 << 13)        /* free blocks that are worth a system call */
#define ENOUGH_LONG_FREE ((size_t)1 << 16) /* if free blocks reach this size, their pages go back to the kernel */

struct block {
    size_t tag; /* length and flags */
    /* The rest only while it is free, and at its end its length once more. */
    struct list_link link; /* in its list */
    size_t dirty;          /* at most so many bytes have pages that were not given back to the kernel */
};

/* What a mapping begins with. Blocks follow, and at its end a header with the length 0. */
struct chunk {
    size_t size;
    struct list_link link;
};

struct engine_heap {
    struct list_link *chunks;
    uint64_t filled; /* a bit for each list that is not empty */
    struct list_link *lists[LISTS];
    size_t dirty; /* at most so many bytes of long free blocks have pages that were not given back to the kernel */
    size_t page_size;
    struct quota quota; /* of the blocks in use, headers included */
};

static size_t length_of(const struct block *block) {
    return block->tag & ~FLAGS;
}

static struct block *after(struct block *block) {
    return (struct block *)((char *)block + length_of(block));
}

static void *payload(struct block *block) {
    return (char *)block + HEADER;
}

static struct block *block_of(void *pointer) {
    return (struct block *)((char *)pointer - HEADER);
}

/* Four lists for each doubling: the lengths in one differ by less than a quarter. */
static unsigned list_of(size_t length) {
    unsigned long units = length / UNIT;
    unsigned doublings = (unsigned)(8 * sizeof units - 1) - (unsigned)__builtin_clzl(units);
    unsigned list = (doublings - 2) * 4 + (unsigned)((units >> (doublings - 2)) & 3);
    return list < LISTS ? list : LISTS - 1;
}

/* Puts a block into its list, as free. Its neighbours are in use. */
static void insert(struct engine_heap *heap, struct block *block, size_t length, size_t dirty) {
    block->tag = length | (block->tag & FIRST);
    block->dirty = dirty;
    *(size_t *)((char *)block + length - HEADER) = length;
    after(block)->tag |= AFTER_FREE;
    unsigned list = list_of(length);
    list_add(&heap->lists[list], &block->link);
    heap->filled |= UINT64_C(1) << list;
    if (length >= LONG_FREE)
        heap->dirty += dirty;
}

static void take_out(struct engine_heap *heap, struct block *block) {
    size_t length = length_of(block);
    unsigned list = list_of(length);
    list_remove(&block->link);
    if (!heap->lists[list])
        heap->filled &= ~(UINT64_C(1) << list);
    if (length >= LONG_FREE)
        heap->dirty -= block->dirty;
}

/* Cuts a block to `length`, and marks it as in use. It must be in no list, and no free block may follow it. The rest
 * becomes a free block if it is long enough. At most `dirty` bytes of the rest are dirty. */
static void use(struct engine_heap *heap, struct block *block, size_t length, size_t dirty) {
    size_t whole = length_of(block), flags = (block->tag & (FIRST | AFTER_FREE)) | IN_USE;
    size_t rest = whole - length;
    if (rest < SHORTEST) {
        block->tag = whole | flags;
        after(block)->tag &= ~AFTER_FREE;
        return;
    }
    block->tag = length | flags;
    struct block *left = after(block);
    left->tag = 0;
    insert(heap, left, rest, dirty < rest ? dirty : rest);
}

/* Returns a new block that is in no list and holds at least `length` bytes, or NULL with errno set. */
static struct block *map_chunk(struct engine_heap *heap, size_t length) {
    bool is_first = !heap->chunks;
    size_t least = sizeof(struct chunk) + length + HEADER, usual = is_first ? FIRST_CHUNK : NEXT_CHUNK;
    size_t size = ((least > usual ? least : usual) + heap->page_size - 1) & ~(heap->page_size - 1);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (is_first ? MAP_POPULATE : 0);
    struct chunk *chunk = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (chunk == MAP_FAILED)
        return NULL;
    madvise(chunk, size, MADV_DONTFORK); /* if this fails, a process that was forked has a copy */
    chunk->size = size;
    list_add(&heap->chunks, &chunk->link);
    struct block *block = (struct block *)(chunk + 1);
    block->tag = (size - sizeof *chunk - HEADER) | FIRST;
    after(block)->tag = IN_USE;
    block->dirty = 0;
    return block;
}

static void unmap_chunk(struct block *block) {
    struct chunk *chunk = (struct chunk *)block - 1;
    list_remove(&chunk->link);
    munmap(chunk, chunk->size); /* cannot fail: it was mapped as one */
}

/* Gives the kernel the pages that lie wholly within a free block, apart from its own words. */
static void release_pages(struct engine_heap *heap, struct block *block) {
    uintptr_t mask = heap->page_size - 1;
    uintptr_t start = ((uintptr_t)(block + 1) + mask) & ~mask;
    uintptr_t end = ((uintptr_t)after(block) - HEADER) & ~mask;
    if (start < end)
        madvise((void *)start, end - start, MADV_DONTNEED); /* otherwise the pages stay, which does no harm */
    block->dirty = 0;
}

void engine_heap_give_back(struct engine_heap *heap) {
    for (unsigned list = list_of(LONG_FREE); list < LISTS; list++)
        for (struct list_link *link = heap->lists[list], *next; link; link = next) {
            struct block *block = owner_of(link, struct block, link);
            next = link->next;
            if ((block->tag & FIRST) && length_of(after(block)) == 0) {
                take_out(heap, block);
                unmap_chunk(block);
            } else if (block->dirty > 0) {
                release_pages(heap, block);
            }
        }
    heap->dirty = 0;
}

/* Returns a free block of at least this length, taken out of its list, or NULL with errno set. */
static struct block *find(struct engine_heap *heap, size_t length) {
    unsigned list = list_of(length);
    struct list_link *link = heap->lists[list];
    for (int looks = 0; link && length_of(owner_of(link, struct block, link)) < length; looks++)
        link = looks < LOOKS ? link->next : NULL;
    uint64_t longer = heap->filled & ~((UINT64_C(2) << list) - 1);
    if (!link && longer != 0)
        link = heap->lists[__builtin_ctzll(longer)];
    if (!link)
        return map_chunk(heap, length);
    struct block *block = owner_of(link, struct block, link);
    take_out(heap, block);
    return block;
}

/* Returns the length of a block that holds so many bytes, or 0 if that is too many. */
static size_t length_for(size_t size) {
    if (size > SIZE_MAX / 2)
        return 0;
    size_t length = (size + HEADER + UNIT - 1) & ~(UNIT - 1);
    return length < SHORTEST ? SHORTEST : length;
}

static void *heap_malloc(void *opaque, size_t size) {
    struct engine_heap *heap = opaque;
    size_t length = length_for(size);
    struct block *block = length > 0 && quota_admits(&heap->quota, length) ? find(heap, length) : NULL;
    if (!block)
        return NULL;
    use(heap, block, length, block->dirty);
    quota_take(&heap->quota, length_of(block));
    return payload(block);
}

static void *heap_calloc(void *opaque, size_t count, size_t size) {
    size_t bytes;
    void *pointer = __builtin_mul_overflow(count, size, &bytes) ? NULL : heap_malloc(opaque, bytes);
    return pointer ? memset(pointer, 0, bytes) : NULL;
}

static void heap_free(void *opaque, void *pointer) {
    if (!pointer)
        return;
    struct engine_heap *heap = opaque;
    struct block *block = block_of(pointer), *next = after(block);
    assert(block->tag & IN_USE);
    size_t length = length_of(block), dirty = length;
    quota_give(&heap->quota, length);
    if (!(next->tag & IN_USE)) {
        take_out(heap, next);
        length += length_of(next);
        dirty += next->dirty;
    }
    if (block->tag & AFTER_FREE) {
        size_t before = *((size_t *)block - 1);
        block = (struct block *)((char *)block - before);
        take_out(heap, block);
        length += before;
        dirty += block->dirty;
    }
    insert(heap, block, length, dirty);
    if (heap->dirty > ENOUGH_LONG_FREE)
        engine_heap_give_back(heap);
}

/* Changes the length of a block in use without moving it. Returns false if there is no room. */
static bool resize(struct engine_heap *heap, struct block *block, size_t length) {
    struct block *next = after(block);
    size_t whole = length_of(block), dirty = length < whole ? whole - length : 0;
    bool grows = !(next->tag & IN_USE);
    if (whole + (grows ? length_of(next) : 0) < length ||
        (length > whole && !quota_has_room(&heap->quota, length - whole)))
        return false;
    if (grows) {
        take_out(heap, next);
        dirty += next->dirty;
        block->tag += length_of(next);
    }
    use(heap, block, length, dirty);
    quota_take(&heap->quota, length_of(block) - whole); /* or adds: unsigned arithmetic is modular */
    return true;
}

static void *heap_realloc(void *opaque, void *pointer, size_t size) {
    if (!pointer)
        return heap_malloc(opaque, size);
    struct block *block = block_of(pointer);
    size_t length = length_for(size), old = length_of(block) - HEADER;
    if (length == 0)
        return NULL;
    if (resize(opaque, block, length))
        return pointer;
    void *moved = heap_malloc(opaque, size);
    if (!moved)
        return NULL;
    memcpy(moved, pointer, old);
    heap_free(opaque, pointer);
    return moved;
}

static size_t heap_usable_size(const void *pointer) {
    return pointer ? (*((const size_t *)pointer - 1) & ~FLAGS) - HEADER : 0;
}

const JSMallocFunctions engine_heap_functions = {
    .js_calloc = heap_calloc,
    .js_malloc = heap_malloc,
    .js_free = heap_free,
    .js_realloc = heap_realloc,
    .js_malloc_usable_size = heap_usable_size,
};

struct engine_heap *engine_heap_create(void) {
    long page_size = sysconf(_SC_PAGESIZE);
    struct engine_heap *heap = page_size > 0 ? calloc(1, sizeof *heap) : NULL;
    if (!heap)
        return NULL;
    heap->page_size = (size_t)page_size;
    heap->quota.limit = heap->quota.alarm = SIZE_MAX;
    struct block *block = map_chunk(heap, SHORTEST);
    if (!block) {
        free(heap);
        return NULL;
    }
    insert(heap, block, length_of(block), 0);
    return heap;
}

struct quota *engine_heap_quota(struct engine_heap *heap) {
    return &heap->quota;
}

void engine_heap_free(struct engine_heap *heap) {
    for (struct list_link *link = heap->chunks, *next; link; link = next) {
        struct chunk *chunk = owner_of(link, struct chunk, link);
        next = link->next;
        munmap(chunk, chunk->size);
    }
    free(heap);
}
