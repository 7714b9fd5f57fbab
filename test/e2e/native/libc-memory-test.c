/* Tries the functions of native/libc/libc_memory.c at every alignment and many lengths. Prints nothing when all is
 * right. */
#include <stdbool.h>
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

int main(void) {
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
