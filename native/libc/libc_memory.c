/*
 * memcpy, memmove, memset and memcmp of the C library. zig's go byte by byte, with seven instructions for a byte
 * compared: for a browser's request that was a fifth of all, as it is looked up by its bytes. (Linked at -O2, zig's
 * memcpy is fast, but all else that zig adds is larger by 13 KB.) Those of other toolchains are good; there this file
 * is not compiled. Its own flags keep the compiler from making calls of these loops to the functions they are.
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

/* As above, for addresses that are a multiple of a word's length: not every processor loads a word from any address. */
static size_t aligned_word_at(const unsigned char *bytes) {
    size_t word;
    __builtin_memcpy(&word, __builtin_assume_aligned(bytes, WORD), WORD);
    return word;
}

static void put_aligned_word(unsigned char *bytes, size_t word) {
    __builtin_memcpy(__builtin_assume_aligned(bytes, WORD), &word, WORD);
}

static int are_aligned(const unsigned char *one, const unsigned char *other) {
    return (((uintptr_t)one | (uintptr_t)other) & (WORD - 1)) == 0;
}

/*
 * Copies whole words, the first ones first, and returns how many bytes. The places may overlap where the target is
 * before the source: a word is read before anything of it is written.
 */
static size_t copy_words(unsigned char *to, const unsigned char *from, size_t length) {
    size_t done = 0;
    if (are_aligned(to, from))
        for (; length - done >= 2 * WORD; done += 2 * WORD) {
            const size_t first = aligned_word_at(from + done), second = aligned_word_at(from + done + WORD);
            put_aligned_word(to + done, first);
            put_aligned_word(to + done + WORD, second);
        }
    for (; length - done >= 2 * WORD; done += 2 * WORD) {
        const size_t first = word_at(from + done), second = word_at(from + done + WORD);
        put_word(to + done, first);
        put_word(to + done + WORD, second);
    }
    for (; length - done >= WORD; done += WORD)
        put_word(to + done, word_at(from + done));
    return done;
}

void *memcpy(void *restrict target, const void *restrict source, size_t length) {
    unsigned char *to = target;
    const unsigned char *from = source;
    if (length >= WORD) {
        copy_words(to, from, length);
        put_word(to + length - WORD, word_at(from + length - WORD)); /* the rest, and again some of what is before it */
        return target;
    }
    for (; length > 0; length--)
        *to++ = *from++;
    return target;
}

void *memmove(void *target, const void *source, size_t length) {
    unsigned char *to = target;
    const unsigned char *from = source;
    if ((uintptr_t)to - (uintptr_t)from >= length) { /* also where it is before the source */
        for (size_t done = copy_words(to, from, length); done < length; done++)
            to[done] = from[done];
        return target;
    }
    for (; length >= WORD; length -= WORD)
        put_word(to + length - WORD, word_at(from + length - WORD));
    for (; length > 0; length--)
        to[length - 1] = from[length - 1];
    return target;
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
