#include "text/keyed_hash.h"

#include <stdbool.h>
#include <string.h>

#define WORD sizeof(uint64_t)

/* The words of the state. They are variables, not fields, so that a compiler for size keeps them in registers. */
#define ROUND(a, b, c, d)                                                                                              \
    do {                                                                                                               \
        a += b, b = ROTATED(b, 13) ^ a, a = ROTATED(a, 32);                                                            \
        c += d, d = ROTATED(d, 16) ^ c;                                                                                \
        a += d, d = ROTATED(d, 21) ^ a;                                                                                \
        c += b, b = ROTATED(b, 17) ^ c, c = ROTATED(c, 32);                                                            \
    } while (0)
#define ROTATED(word, bits) ((word) << (bits) | (word) >> (64 - (bits)))

/* In little-endian order. */
static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static void write_word(uint8_t *to, uint64_t word) {
    for (size_t i = 0; i < WORD; i++)
        to[i] = (uint8_t)(word >> (8 * i));
}

void keyed_hash(const uint8_t key[KEYED_HASH_LENGTH], const uint8_t *bytes, size_t length,
                uint8_t hash[KEYED_HASH_LENGTH]) {
    const uint64_t low = word_at(key), high = word_at(key + WORD);
    uint64_t a = low ^ 0x736f6d6570736575, b = high ^ 0x646f72616e646f6d ^ 0xee;
    uint64_t c = low ^ 0x6c7967656e657261, d = high ^ 0x7465646279746573;
    uint8_t rest[WORD] = {0};
    rest[WORD - 1] = (uint8_t)length;
    const uint8_t *end = bytes + length - length % WORD;
    memcpy(rest, end, length % WORD);
    for (bool is_last = false; !is_last; bytes += WORD) {
        is_last = bytes == end;
        const uint64_t word = word_at(is_last ? rest : bytes);
        d ^= word;
        ROUND(a, b, c, d);
        a ^= word;
    }
    c ^= 0xee;
    for (int half = 0; half < 2; half++) {
        for (int round = 0; round < 3; round++)
            ROUND(a, b, c, d);
        write_word(hash + (size_t)half * WORD, a ^ b ^ c ^ d);
        b ^= 0xdd;
    }
}
