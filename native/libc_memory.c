/*
 * memset and memcmp of the C library. zig's go byte by byte, with seven instructions for a byte compared: for a
 * browser's request that was a fifth of all, as it is looked up by its bytes. Those of other toolchains are good; there
 * this file is not compiled. Its own flags keep the compiler from making calls of these loops to the functions they
 * are.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WORD sizeof(size_t)

/* Loads and stores of words at any address. The compiler makes one instruction of each where the processor has it. */
static size_t word_at(const unsigned char *bytes) {
    size_t word;
    __builtin_memcpy(&word, bytes, WORD);
    return word;
}

static void put_word(unsigned char *bytes, size_t word) {
    __builtin_memcpy(bytes, &word, WORD);
}

void *memset(void *target, int value, size_t length) {
    unsigned char *bytes = target, *end = bytes + length;
    if (length >= 2 * WORD) {
        size_t word = (size_t)-1 / 0xff * (unsigned char)value;
        for (; end - bytes >= (ptrdiff_t)(4 * WORD); bytes += 4 * WORD) {
            put_word(bytes, word);
            put_word(bytes + WORD, word);
            put_word(bytes + 2 * WORD, word);
            put_word(bytes + 3 * WORD, word);
        }
        for (; end - bytes >= (ptrdiff_t)WORD; bytes += WORD)
            put_word(bytes, word);
        put_word(end - WORD, word); /* the rest, and again some of what is before it */
        return target;
    }
    while (bytes < end)
        *bytes++ = (unsigned char)value;
    return target;
}

int memcmp(const void *left, const void *right, size_t length) {
    const unsigned char *one = left, *other = right;
    for (; length >= WORD && word_at(one) == word_at(other); length -= WORD) {
        one += WORD;
        other += WORD;
    }
    /* At most one word, in which the first byte that differs decides; its place in the word depends on the processor.
     */
    for (; length > 0; length--, one++, other++)
        if (*one != *other)
            return *one < *other ? -1 : 1;
    return 0;
}
