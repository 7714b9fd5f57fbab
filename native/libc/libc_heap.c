/*
 * malloc, calloc, realloc and free of the C library. zig's takes 64 KB of addresses for each of its lengths, and so a
 * page at least: 32 KB for the 8 KB that the process with the nouns has at rest. Here blocks of all lengths are side by
 * side, and a free block is for others of its length, as with zig's. The engine has a heap of its own (engine_heap.c).
 * The program calls no function that asks for an alignment. Where the C library is not zig's, this file is not
 * compiled.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A block's length is a multiple of UNIT, and so is the address of what it holds. Its first UNIT is `struct block`. */
#define UNIT (2 * sizeof(size_t))
#define SHORT (128 * UNIT)           /* up to this length, there is a list for each */
#define DOUBLINGS 4                  /* from there on, for each doubling of it */
#define LONGEST (SHORT << DOUBLINGS) /* a longer block is a mapping of its own */
#define LISTS (SHORT / UNIT + DOUBLINGS + 1)
#define CHUNK ((size_t)1 << 16)

struct block {
    size_t length;
    struct block *next; /* in its list, while it is free */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *lists[LISTS];
static char *unused, *end; /* what is left of the chunk */

/* Returns the length of a block that holds so many bytes, and its list in `list`; 0 if that is too many. */
static size_t length_for(size_t size, size_t *list) {
    if (size > SIZE_MAX / 4)
        return 0;
    size_t length = (size + 2 * UNIT - 1) & ~(UNIT - 1);
    *list = length / UNIT;
    if (length > SHORT) {
        size_t doubled = SHORT;
        for (*list = SHORT / UNIT; doubled < length && doubled < LONGEST; ++*list)
            doubled *= 2;
        length = length < doubled ? doubled : length;
    }
    return length;
}

static void *map(size_t length) {
    void *pages = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

/* Returns a block of the rest of the chunk, or of a new one. What is left of a chunk is not used again. */
static struct block *cut(size_t length) {
    if ((size_t)(end - unused) < length) {
        const size_t size = length > CHUNK ? length : CHUNK;
        char *chunk = map(size);
        if (!chunk)
            return NULL;
        unused = chunk;
        end = chunk + size;
    }
    struct block *block = (struct block *)unused;
    unused += length;
    return block;
}

void *malloc(size_t size) {
    size_t list, length = length_for(size, &list);
    struct block *block = NULL;
    if (length > LONGEST) {
        block = map(length);
    } else if (length > 0) {
        pthread_mutex_lock(&lock);
        block = lists[list];
        if (block)
            lists[list] = block->next;
        else
            block = cut(length);
        pthread_mutex_unlock(&lock);
    }
    if (!block) {
        errno = ENOMEM;
        return NULL;
    }
    block->length = length;
    return (char *)block + UNIT;
}

void free(void *pointer) {
    if (!pointer)
        return;
    struct block *block = (struct block *)((char *)pointer - UNIT);
    if (block->length > LONGEST) {
        const int error = errno;
        munmap(block, block->length);
        errno = error;
        return;
    }
    size_t list;
    (void)length_for(block->length - UNIT, &list);
    pthread_mutex_lock(&lock);
    block->next = lists[list];
    lists[list] = block;
    pthread_mutex_unlock(&lock);
}

void *calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *pointer = malloc(bytes);
    const bool is_new = bytes >= LONGEST; /* a mapping, which the kernel has cleared */
    return pointer && !is_new ? memset(pointer, 0, bytes) : pointer;
}

void *realloc(void *pointer, size_t size) {
    if (!pointer)
        return malloc(size);
    const size_t had = ((struct block *)((char *)pointer - UNIT))->length - UNIT;
    size_t list;
    if (length_for(size, &list) == had + UNIT)
        return pointer;
    void *moved = malloc(size);
    if (!moved)
        return NULL;
    memcpy(moved, pointer, had < size ? had : size);
    free(pointer);
    return moved;
}
