#include "engine/inflate.h"

#include <string.h>

enum {
    LONGEST_CODE = 15,    /* bits */
    LITERALS = 288,       /* symbols of literals and lengths */
    DISTANCES = 30,       /* symbols of distances */
    END_OF_BLOCK = 256,   /* the symbol that ends a block */
    LENGTH_SYMBOLS = 29,  /* symbols behind END_OF_BLOCK, each a range of lengths */
    LENGTHS_OF_CODES = 19 /* symbols that describe the codes of a block */
};

/* A canonical Huffman code: how many symbols have each length, and the symbols in the order of their codes. */
struct code {
    uint16_t counts[LONGEST_CODE + 1];
    uint16_t symbols[LITERALS];
};

struct inflation {
    const uint8_t *packed;
    size_t left; /* bytes of packed */
    uint32_t bits;
    unsigned bit_count;
    uint8_t *bytes;
    size_t size, at;
    bool damaged; /* whether more bits were asked for than there are, or a code is none */
};

static unsigned take_bits(struct inflation *it, unsigned count) {
    while (it->bit_count < count) {
        if (it->left == 0) {
            it->damaged = true;
            return 0;
        }
        it->bits |= (uint32_t)*it->packed++ << it->bit_count;
        it->left--;
        it->bit_count += 8;
    }
    const unsigned taken = it->bits & ((1U << count) - 1);
    it->bits >>= count;
    it->bit_count -= count;
    return taken;
}

static void make_code(struct code *code, const uint8_t *lengths, unsigned count) {
    memset(code->counts, 0, sizeof code->counts);
    for (unsigned symbol = 0; symbol < count; symbol++)
        code->counts[lengths[symbol]]++;
    code->counts[0] = 0;
    uint16_t next[LONGEST_CODE + 1] = {0};
    for (unsigned length = 1; length < LONGEST_CODE; length++)
        next[length + 1] = next[length] + code->counts[length];
    for (unsigned symbol = 0; symbol < count; symbol++)
        if (lengths[symbol] != 0)
            code->symbols[next[lengths[symbol]]++] = (uint16_t)symbol;
}

/* Codes of the same length are consecutive numbers, and those of each length begin at twice the end of the last. */
static unsigned take_symbol(struct inflation *it, const struct code *code) {
    int number = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= LONGEST_CODE && !it->damaged; length++) {
        number |= (int)take_bits(it, 1);
        const int count = code->counts[length];
        if (number - count < first)
            return code->symbols[index + number - first];
        index += count;
        first = (first + count) * 2;
        number *= 2;
    }
    it->damaged = true;
    return END_OF_BLOCK;
}

/* The first value of a range, where the ranges begin at `least` and `each` consecutive ones have as many extra bits. */
static unsigned take_ranged(struct inflation *it, unsigned symbol, unsigned each, unsigned least) {
    if (symbol < 2 * each)
        return least + symbol;
    const unsigned extra = symbol / each - 1;
    return least + ((each + symbol % each) << extra) + take_bits(it, extra);
}

static void take_copy(struct inflation *it, unsigned symbol, const struct code *distances) {
    const unsigned range = symbol - END_OF_BLOCK - 1;
    if (range >= LENGTH_SYMBOLS) {
        it->damaged = true;
        return;
    }
    size_t length = range == LENGTH_SYMBOLS - 1 ? 258 : take_ranged(it, range, 4, 3);
    const unsigned far = take_symbol(it, distances);
    const size_t distance = take_ranged(it, far < DISTANCES ? far : 0, 2, 1);
    it->damaged |= far >= DISTANCES || distance > it->at || length > it->size - it->at;
    for (; !it->damaged && length > 0; length--, it->at++)
        it->bytes[it->at] = it->bytes[it->at - distance]; /* one by one: the two may overlap */
}

static void take_coded(struct inflation *it, const struct code *literals, const struct code *distances) {
    while (!it->damaged) {
        const unsigned symbol = take_symbol(it, literals);
        if (symbol == END_OF_BLOCK)
            return;
        if (symbol > END_OF_BLOCK)
            take_copy(it, symbol, distances);
        else if (it->at < it->size)
            it->bytes[it->at++] = (uint8_t)symbol;
        else
            it->damaged = true;
    }
}

static void take_fixed(struct inflation *it) {
    uint8_t lengths[LITERALS];
    memset(lengths, 8, sizeof lengths);
    memset(lengths + 144, 9, 112);
    memset(lengths + 256, 7, 24);
    struct code literals, distances;
    make_code(&literals, lengths, LITERALS);
    memset(lengths, 5, DISTANCES);
    make_code(&distances, lengths, DISTANCES);
    take_coded(it, &literals, &distances);
}

static void take_dynamic(struct inflation *it) {
    static const uint8_t order[LENGTHS_OF_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    const unsigned literal_count = take_bits(it, 5) + 257, distance_count = take_bits(it, 5) + 1;
    const unsigned length_count = take_bits(it, 4) + 4, all = literal_count + distance_count;
    uint8_t lengths[LITERALS + 32 + 138] = {0}; /* and a longest repetition behind the last */
    for (unsigned i = 0; i < length_count; i++)
        lengths[order[i]] = (uint8_t)take_bits(it, 3);
    struct code literals, distances;
    make_code(&literals, lengths, LENGTHS_OF_CODES);
    memset(lengths, 0, sizeof lengths);
    for (unsigned i = 0; i < all && !it->damaged;) {
        const unsigned symbol = take_symbol(it, &literals);
        if (symbol < 16) {
            lengths[i++] = (uint8_t)symbol;
            continue;
        }
        it->damaged |= symbol == 16 && i == 0;
        const uint8_t repeated = symbol == 16 && i > 0 ? lengths[i - 1] : 0;
        const unsigned times = symbol == 16   ? 3 + take_bits(it, 2)
                               : symbol == 17 ? 3 + take_bits(it, 3)
                                              : 11 + take_bits(it, 7);
        memset(lengths + i, repeated, times);
        i += times;
        it->damaged |= i > all;
    }
    if (it->damaged)
        return;
    make_code(&distances, lengths + literal_count, distance_count);
    make_code(&literals, lengths, literal_count);
    take_coded(it, &literals, &distances);
}

static void take_stored(struct inflation *it) {
    it->bits = it->bit_count = 0;
    const unsigned size = take_bits(it, 16), complement = take_bits(it, 16);
    it->damaged |= (size ^ complement) != 0xffff || size > it->left || size > it->size - it->at;
    if (it->damaged)
        return;
    memcpy(it->bytes + it->at, it->packed, size);
    it->packed += size;
    it->left -= size;
    it->at += size;
}

bool inflate_bytes(const uint8_t *packed, size_t packed_size, uint8_t *bytes, size_t size) {
    struct inflation it = {.packed = packed, .left = packed_size, .bytes = bytes, .size = size};
    for (bool is_last = false; !is_last && !it.damaged;) {
        is_last = take_bits(&it, 1);
        switch (take_bits(&it, 2)) {
        case 0:
            take_stored(&it);
            break;
        case 1:
            take_fixed(&it);
            break;
        case 2:
            take_dynamic(&it);
            break;
        default:
            it.damaged = true;
        }
    }
    return !it.damaged && it.at == size && it.left == 0;
}
