/*
 * Tries native/engine/engine_heap.c with allocations of all lengths in an order that looks random and is always the
 * same. Each holds bytes of its own, which nothing else may change. Prints nothing when all went as it must.
 */
#define _GNU_SOURCE 1
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine_heap.h"
#include "engine/quota.h"

#define HELD 512
#define STEPS 60000

struct allocation {
    unsigned char *bytes;
    size_t size;
    unsigned char fill;
};

static struct engine_heap *heap;
static struct allocation held[HELD];

static uint32_t random_number(void) {
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* Mostly the engine's own lengths, now and then one of any magnitude. */
static size_t random_size(void) {
    uint32_t number = random_number();
    switch (number % 8) {
    case 0:
        return (size_t)1 << (number >> 8) % 20;
    case 1:
        return (number >> 8) % 300000;
    case 2:
    case 3:
    case 4:
        return 3960 + (number >> 8) % 137;
    default:
        return (number >> 8) % 1500;
    }
}

static void fail(const char *sentence) {
    fprintf(stderr, "engine-heap-test: %s\n", sentence);
    exit(EXIT_FAILURE);
}

static void expect_filled(const struct allocation *allocation, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (allocation->bytes[i] != allocation->fill)
            fail("bytes of an allocation were changed by others");
}

static void fill(struct allocation *allocation, void *bytes, size_t size) {
    if (!bytes)
        fail("there was no memory");
    if ((uintptr_t)bytes % (2 * sizeof(size_t)) != 0)
        fail("an address is not aligned");
    if (engine_heap_functions.js_malloc_usable_size(bytes) < size)
        fail("an allocation is shorter than asked for");
    *allocation = (struct allocation){.bytes = bytes, .size = size, .fill = (unsigned char)random_number()};
    memset(bytes, allocation->fill, size);
}

static void allocate(struct allocation *allocation, size_t size) {
    if (random_number() % 2 == 0) {
        fill(allocation, engine_heap_functions.js_malloc(heap, size), size);
        return;
    }
    unsigned char *bytes = engine_heap_functions.js_calloc(heap, size, 1);
    for (size_t i = 0; bytes && i < size; i++)
        if (bytes[i] != 0)
            fail("memory that must be zero is not");
    fill(allocation, bytes, size);
}

static void release(struct allocation *allocation) {
    expect_filled(allocation, allocation->size);
    engine_heap_functions.js_free(heap, allocation->bytes);
    *allocation = (struct allocation){0};
}

static void reallocate(struct allocation *allocation, size_t size) {
    unsigned char *bytes = engine_heap_functions.js_realloc(heap, allocation->bytes, size);
    if (!bytes)
        fail("there was no memory");
    allocation->bytes = bytes;
    expect_filled(allocation, size < allocation->size ? size : allocation->size);
    fill(allocation, bytes, size);
}

static void work(void) {
    for (int step = 0; step < STEPS; step++) {
        struct allocation *allocation = &held[random_number() % HELD];
        if (!allocation->bytes)
            allocate(allocation, random_size());
        else if (random_number() % 4 == 0)
            reallocate(allocation, random_size());
        else
            release(allocation);
    }
    for (int i = 0; i < HELD; i++)
        if (held[i].bytes)
            release(&held[i]);
}

/* Pages of this process that are in memory. */
static long resident_pages(void) {
    long resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &resident) != 1)
        fail("/proc/self/statm cannot be read");
    fclose(file);
    return resident;
}

/* Allocates blocks of 4 KB until there are no more. Returns how many. */
static int take_all(void **taken, int most) {
    int count = 0;
    while (count < most && (taken[count] = engine_heap_functions.js_malloc(heap, 4096)))
        count++;
    return count;
}

/* What reaches the limit is refused, then there is a reserve of 64 blocks, and it is back once enough was freed.
 */
static void expect_limit(void) {
    static void *taken[512];
    enum { LIMIT = 256, RESERVE = 64, PART = 140 };
    size_t length = 4096 + 2 * sizeof(size_t);
    struct quota *quota = engine_heap_quota(heap);
    quota_set_limit(quota, LIMIT * length);
    int count = take_all(taken, 512);
    if (count != LIMIT)
        fail("the limit is not where it was set");
    if (take_all(&taken[count], 512 - count) != 0)
        fail("the reserve is open before control is back in C");
    quota_leave(quota, 0);
    size_t reserve = quota_enter(quota);
    count += take_all(&taken[count], 512 - count);
    if (count > LIMIT + RESERVE / 2)
        fail("a noun gets of the reserve what is not for nouns");
    quota_leave(quota, reserve);
    if (engine_heap_functions.js_realloc(heap, taken[0], 1 << 20))
        fail("a longer allocation goes beyond limit and reserve");
    count += take_all(&taken[count], 512 - count);
    if (count < LIMIT + RESERVE - 2 || count > LIMIT + RESERVE)
        fail("there is no reserve, or no end of it");
    for (int i = 0; i < PART; i++)
        engine_heap_functions.js_free(heap, taken[--count]);
    if (count + take_all(&taken[count], 512 - count) != LIMIT || quota->reserve != 0)
        fail("what was freed cannot be used, or more than that");
    for (count = LIMIT; count > 0;)
        engine_heap_functions.js_free(heap, taken[--count]);
    quota_set_limit(quota, SIZE_MAX);
}

int main(int argc, char **argv) {
    bool memory_counts = argc < 2 || strcmp(argv[1], "--memory-not-judged") != 0;
    heap = engine_heap_create();
    if (!heap)
        fail("there is no heap");
    if (engine_heap_functions.js_malloc(heap, SIZE_MAX) || engine_heap_functions.js_malloc(heap, SIZE_MAX - 100) ||
        engine_heap_functions.js_calloc(heap, SIZE_MAX / 2, 3))
        fail("there is memory that cannot be");
    expect_limit();
    long before = resident_pages();
    work();
    long kept = (resident_pages() - before) * sysconf(_SC_PAGESIZE);
    /* What may stay: free memory too little to be worth a system call, and the C library's and the stack's pages. */
    if (memory_counts && kept > 320 * 1024)
        fail("free memory has not gone back to the kernel");
    engine_heap_free(heap);
    return EXIT_SUCCESS;
}
