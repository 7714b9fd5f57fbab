/* Tries the functions of native/libc/libc_memory.c at every alignment and many lengths, and those of libc_heap.c in an
 * order that is the same each time. Prints nothing when all is right. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 200
#define ROOM (LONGEST + 64)

static unsigned char left[ROOM], right[ROOM];

/* Called by pointers that the compiler knows nothing of, so that it does not compute the results itself. */
static void *(*volatile set)(void *, int, size_t) = memset;
static int (*volatile compare)(const void *, const void *, size_t) = memcmp;

static void *(*volatile copy)(void *restrict, const void *restrict, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile take)(size_t) = malloc;
static void *(*volatile take_clear)(size_t, size_t) = calloc;
static void *(*volatile take_again)(void *, size_t) = realloc;

static void fail(const char *what, size_t offset, size_t length) {
    fprintf(stderr, "libc-memory-test: %s, at the offset %zu with the length %zu\n", what, offset, length);
    exit(EXIT_FAILURE);
}

static void try_set(size_t offset, size_t length) {
    for (size_t i = 0; i < ROOM; i++)
        left[i] = 0x55;
    if (set(left + offset, 0x1a7, length) != left + offset)
        fail("memset returns another address", offset, length);
    for (size_t i = 0; i < ROOM; i++)
        if (left[i] != (i >= offset && i < offset + length ? 0xa7 : 0x55))
            fail("memset has set a wrong byte", offset, length);
}

/* Both differ at `place`, and all behind it says the opposite. */
static void try_compare(size_t offset, size_t length, size_t place) {
    for (size_t i = 0; i < ROOM; i++)
        left[i] = right[i] = (unsigned char)i;
    for (size_t i = place + 1; i < LONGEST; i++)
        left[offset + i] = 0xff, right[i] = 0;
    for (size_t i = 0; i < place; i++)
        right[i] = left[offset + i];
    left[offset + place] = 0x01, right[place] = 0x80;
    int result = compare(left + offset, right, length);
    if (place >= length ? result != 0 : result >= 0)
        fail("memcmp is wrong", offset, length);
    result = compare(right, left + offset, length);
    if (place >= length ? result != 0 : result <= 0)
        fail("memcmp is wrong the other way round", offset, length);
}

static void try_copy(size_t offset, size_t from, size_t length) {
    for (size_t i = 0; i < ROOM; i++)
        left[i] = 0x55, right[i] = (unsigned char)(i * 7 + 1);
    if (copy(left + offset, right + from, length) != left + offset)
        fail("memcpy returns another address", offset, length);
    for (size_t i = 0; i < ROOM; i++)
        if (left[i] != (i >= offset && i < offset + length ? right[from + i - offset] : 0x55))
            fail("memcpy has copied a wrong byte", offset, length);
}

/* Within one array, so that the places overlap. */
static void try_move(size_t to, size_t from, size_t length) {
    for (size_t i = 0; i < ROOM; i++)
        left[i] = right[i] = (unsigned char)(i * 7 + 1);
    if (move(left + to, left + from, length) != left + to)
        fail("memmove returns another address", to, length);
    for (size_t i = 0; i < ROOM; i++)
        if (left[i] != (i >= to && i < to + length ? right[from + i - to] : right[i]))
            fail("memmove has copied a wrong byte", to, length);
}

#define HELD 200
#define STEPS 100000

/* What a thread has allocated. Each byte of a block is its `mark`. */
struct holding {
    unsigned char *bytes[HELD], mark[HELD];
    size_t length[HELD];
    uint32_t random;
};

static uint32_t next(struct holding *held) {
    held->random = held->random * 1664525 + 1013904223;
    return held->random >> 8;
}

/* Mostly short, and as long as a mapping of its own now and then. */
static size_t any_length(struct holding *held) {
    const uint32_t kind = next(held) % 100, bits = kind < 80 ? 8 : kind < 97 ? 13 : 17;
    return next(held) % ((size_t)1 << bits);
}

static void check(const struct holding *held, size_t place, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (held->bytes[place][i] != held->mark[place])
            fail("a block has another one's bytes", place, length);
}

static void allocate(struct holding *held, size_t place) {
    const size_t length = any_length(held), had = held->length[place];
    const bool is_clear = next(held) % 4 == 0 && !held->bytes[place];
    unsigned char *bytes = is_clear ? take_clear(length, 1) : take_again(held->bytes[place], length + 1);
    if (!bytes || (uintptr_t)bytes % (2 * sizeof(size_t)) != 0)
        fail("a block has a wrong address", place, length);
    held->bytes[place] = bytes;
    held->length[place] = length;
    if (is_clear) {
        held->mark[place] = 0;
        check(held, place, length);
    } else {
        check(held, place, had < length ? had : length);
    }
    held->mark[place] = (unsigned char)next(held);
    set(bytes, held->mark[place], length);
}

static void *hold_and_free(void *opaque) {
    struct holding *held = opaque;
    for (int step = 0; step < STEPS; step++) {
        const size_t place = next(held) % HELD;
        if (next(held) % 2 == 0) {
            allocate(held, place);
            continue;
        }
        if (held->bytes[place])
            check(held, place, held->length[place]);
        free(held->bytes[place]);
        held->bytes[place] = NULL;
        held->length[place] = 0;
    }
    return NULL;
}

/* Two threads at once. */
static void try_heap(void) {
    static struct holding holdings[2] = {{.random = 1}, {.random = 2}};
    pthread_t other;
    if (pthread_create(&other, NULL, hold_and_free, &holdings[1]) != 0)
        fail("there is no thread", 0, 0);
    hold_and_free(&holdings[0]);
    pthread_join(other, NULL);
    errno = 0;
    if (take(SIZE_MAX - 3) || take_clear(SIZE_MAX / 2, 3) || take_again(NULL, SIZE_MAX / 2) || errno != ENOMEM)
        fail("there is a block that no memory has room for", 0, 0);
}

int main(void) {
    try_heap();
    for (size_t offset = 0; offset < 16; offset++)
        for (size_t from = 0; from < 48; from++)
            for (size_t length = 0; length < LONGEST; length += 1 + length / 40) {
                try_copy(offset, from, length);
                try_move(offset, from, length);
                try_move(from, offset, length);
            }
    for (size_t offset = 0; offset < 16; offset++)
        for (size_t length = 0; length < LONGEST; length++) {
            try_set(offset, length);
            for (size_t place = 0; place < LONGEST; place += 1 + place / 20)
                try_compare(offset, length, place);
        }
    return EXIT_SUCCESS;
}
