#include "engine/inflate.h"

#include <string.h>

#define LONGEST_CODE 15
#define LITERAL_CODES 288
#define DISTANCE_CODES 32
#define LENGTH_CODES 19 /* of the code lengths themselves */
#define END_OF_BLOCK 256
#define NOTHING (-1)

/* Codes of up to this many bits are found by one lookup in a table; few are longer. */
#define TABLE_BITS 9

/* A Huffman code (RFC 1951, 3.2.2). */
struct code {
    uint16_t table[1 << TABLE_BITS];  /* by the next bits: 16 times the symbol, plus its length; 0 for a longer code */
    uint16_t count[LONGEST_CODE + 1]; /* of codes, by their length */
    uint16_t symbols[LITERAL_CODES];  /* in the order of their codes */
};

struct inflater {
    const uint8_t *next, *end;
    uint64_t bits; /* read and not used yet, the lowest first; zeros follow the end of the input */
    unsigned bit_count;
    unsigned missing; /* zeros among them, in bytes */
    const struct inflate_input *input;
    uint8_t *output;
    size_t used, size;
    struct code literals, distances;
};

/* Has at least 32 bits ready. */
static void refill(struct inflater *inflater) {
    for (; inflater->bit_count <= 56; inflater->bit_count += 8) {
        if (inflater->next < inflater->end)
            inflater->bits |= (uint64_t)*inflater->next++ << inflater->bit_count;
        else
            inflater->missing++;
    }
}

static void drop_bits(struct inflater *inflater, unsigned count) {
    inflater->bits >>= count;
    inflater->bit_count -= count;
}

/* Returns up to 16 bits. */
static unsigned take_bits(struct inflater *inflater, unsigned count) {
    if (inflater->bit_count < count)
        refill(inflater);
    const unsigned value = (unsigned)(inflater->bits & ((1u << count) - 1));
    drop_bits(inflater, count);
    return value;
}

/* Whether bits were used that the stream does not have. */
static bool is_past_end(const struct inflater *inflater) {
    return inflater->missing > inflater->bit_count / 8;
}

static unsigned reversed(unsigned code, unsigned length) {
    unsigned result = 0;
    for (; length > 0; length--, code >>= 1)
        result = result << 1 | (code & 1);
    return result;
}

/* Makes the code from the lengths of its symbols; 0 means that a symbol is not used. Returns false when there are too
 * many.
 */
static bool make_code(struct code *code, const uint8_t *lengths, unsigned symbol_count) {
    memset(code, 0, sizeof *code);
    for (unsigned symbol = 0; symbol < symbol_count; symbol++)
        code->count[lengths[symbol]]++;
    code->count[0] = 0;
    uint16_t place[LONGEST_CODE + 2] = {0}, next[LONGEST_CODE + 2] = {0};
    unsigned left = 1; /* codes of this length that no shorter one takes */
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        left <<= 1;
        if (code->count[length] > left)
            return false;
        left -= code->count[length];
        place[length + 1] = place[length] + code->count[length];
        next[length + 1] = (uint16_t)((next[length] + code->count[length]) << 1);
    }
    for (unsigned symbol = 0; symbol < symbol_count; symbol++) {
        const unsigned length = lengths[symbol];
        if (length == 0)
            continue;
        code->symbols[place[length]++] = (uint16_t)symbol;
        const unsigned bits = reversed(next[length]++, length);
        for (unsigned entry = bits; length <= TABLE_BITS && entry < 1 << TABLE_BITS; entry += 1u << length)
            code->table[entry] = (uint16_t)(symbol << 4 | length);
    }
    return true;
}

/* Decodes bit by bit, for a code that is too long for the table. Returns NOTHING for a code that does not exist. */
static int long_symbol(struct inflater *inflater, const struct code *code) {
    int bits = 0, first = 0, index = 0;
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        bits |= (int)(inflater->bits >> (length - 1) & 1);
        const int count = code->count[length];
        if (bits - count < first) {
            drop_bits(inflater, length);
            return code->symbols[index + bits - first];
        }
        index += count;
        first = (first + count) << 1;
        bits <<= 1;
    }
    return NOTHING;
}

static int next_symbol(struct inflater *inflater, const struct code *code) {
    if (inflater->bit_count < LONGEST_CODE)
        refill(inflater);
    const unsigned entry = code->table[inflater->bits & ((1 << TABLE_BITS) - 1)];
    if (entry == 0)
        return long_symbol(inflater, code);
    drop_bits(inflater, entry & 15);
    return (int)(entry >> 4);
}

/* A block without compression (3.2.4). */
static bool copy_stored(struct inflater *inflater) {
    drop_bits(inflater, inflater->bit_count % 8);
    const unsigned length = take_bits(inflater, 16), complement = take_bits(inflater, 16);
    if ((length ^ complement) != 0xffff || length > inflater->size - inflater->used)
        return false;
    for (unsigned i = 0; i < length; i++)
        inflater->output[inflater->used++] = (uint8_t)take_bits(inflater, 8);
    return !is_past_end(inflater);
}

/* Repeats the bytes from `distance` bytes before. They may be in the dictionary, and may overlap with the bytes that
 * are being written. */
static bool copy_back(struct inflater *inflater, size_t distance, size_t length) {
    const struct inflate_input *input = inflater->input;
    if (length > inflater->size - inflater->used || distance > inflater->used + input->dictionary_size)
        return false;
    for (; length > 0 && distance > inflater->used; length--, inflater->used++)
        inflater->output[inflater->used] = input->dictionary[input->dictionary_size - (distance - inflater->used)];
    for (; length > 0; length--, inflater->used++)
        inflater->output[inflater->used] = inflater->output[inflater->used - distance];
    return true;
}

/* The meaning of a symbol (3.2.5): this many bytes, plus the number in its extra bits. */
struct range {
    uint16_t base;
    uint8_t extra_bits;
};

/* The lengths of the symbols from 257 on. */
static const struct range length_ranges[] = {
    {3, 0},  {4, 0},  {5, 0},  {6, 0},   {7, 0},   {8, 0},   {9, 0},   {10, 0},  {11, 1},  {13, 1},
    {15, 1}, {17, 1}, {19, 2}, {23, 2},  {27, 2},  {31, 2},  {35, 3},  {43, 3},  {51, 3},  {59, 3},
    {67, 4}, {83, 4}, {99, 4}, {115, 4}, {131, 5}, {163, 5}, {195, 5}, {227, 5}, {258, 0},
};
static const struct range distance_ranges[] = {
    {1, 0},     {2, 0},     {3, 0},     {4, 0},      {5, 1},      {7, 1},      {9, 2},     {13, 2},
    {17, 3},    {25, 3},    {33, 4},    {49, 4},     {65, 5},     {97, 5},     {129, 6},   {193, 6},
    {257, 7},   {385, 7},   {513, 8},   {769, 8},    {1025, 9},   {1537, 9},   {2049, 10}, {3073, 10},
    {4097, 11}, {6145, 11}, {8193, 12}, {12289, 12}, {16385, 13}, {24577, 13},
};

static bool copy_repetition(struct inflater *inflater, unsigned symbol) {
    if (symbol >= sizeof length_ranges / sizeof length_ranges[0])
        return false;
    const size_t length = length_ranges[symbol].base + take_bits(inflater, length_ranges[symbol].extra_bits);
    const int code = next_symbol(inflater, &inflater->distances);
    if (code < 0 || code >= (int)(sizeof distance_ranges / sizeof distance_ranges[0]))
        return false;
    return copy_back(
        inflater, distance_ranges[code].base + take_bits(inflater, distance_ranges[code].extra_bits), length);
}

/* The symbols of a compressed block, up to its end. */
static bool read_symbols(struct inflater *inflater) {
    for (;;) {
        const int symbol = next_symbol(inflater, &inflater->literals);
        if (symbol < 0 || is_past_end(inflater))
            return false;
        if (symbol == END_OF_BLOCK)
            return true;
        if (symbol > END_OF_BLOCK) {
            if (!copy_repetition(inflater, (unsigned)symbol - END_OF_BLOCK - 1))
                return false;
        } else if (inflater->used < inflater->size) {
            inflater->output[inflater->used++] = (uint8_t)symbol;
        } else {
            return false;
        }
    }
}

/* The fixed codes (3.2.6). */
static bool make_fixed_codes(struct inflater *inflater) {
    uint8_t code_lengths[LITERAL_CODES];
    memset(code_lengths, 8, 144);
    memset(code_lengths + 144, 9, 112);
    memset(code_lengths + 256, 7, 24);
    memset(code_lengths + 280, 8, 8);
    bool made = make_code(&inflater->literals, code_lengths, LITERAL_CODES);
    memset(code_lengths, 5, DISTANCE_CODES);
    return made && make_code(&inflater->distances, code_lengths, DISTANCE_CODES);
}

/* Reads `count` code lengths, which are themselves compressed (3.2.7). */
static bool read_lengths(struct inflater *inflater, uint8_t *code_lengths, unsigned count) {
    for (unsigned i = 0; i < count;) {
        const int symbol = next_symbol(inflater, &inflater->distances);
        if (symbol < 0)
            return false;
        if (symbol < 16) {
            code_lengths[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16 && i == 0)
            return false;
        const uint8_t repeated = symbol == 16 ? code_lengths[i - 1] : 0;
        unsigned repetitions = symbol == 16   ? 3 + take_bits(inflater, 2)
                               : symbol == 17 ? 3 + take_bits(inflater, 3)
                                              : 11 + take_bits(inflater, 7);
        if (repetitions > count - i)
            return false;
        for (; repetitions > 0; repetitions--)
            code_lengths[i++] = repeated;
    }
    return true;
}

/* The codes that the stream contains before a block. */
static bool read_codes(struct inflater *inflater) {
    static const uint8_t order[LENGTH_CODES] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t code_lengths[LITERAL_CODES + DISTANCE_CODES] = {0};
    const unsigned literal_count = 257 + take_bits(inflater, 5);
    const unsigned distance_count = 1 + take_bits(inflater, 5);
    const unsigned length_count = 4 + take_bits(inflater, 4);
    if (literal_count > 286 || distance_count > 30)
        return false;
    for (unsigned i = 0; i < length_count; i++)
        code_lengths[order[i]] = (uint8_t)take_bits(inflater, 3);
    /* The memory for the distances' code is unused until that code is known. */
    if (!make_code(&inflater->distances, code_lengths, LENGTH_CODES) ||
        !read_lengths(inflater, code_lengths, literal_count + distance_count))
        return false;
    return make_code(&inflater->literals, code_lengths, literal_count) &&
           make_code(&inflater->distances, code_lengths + literal_count, distance_count);
}

static bool read_block(struct inflater *inflater, unsigned type) {
    switch (type) {
    case 0:
        return copy_stored(inflater);
    case 1:
        return make_fixed_codes(inflater) && read_symbols(inflater);
    case 2:
        return read_codes(inflater) && read_symbols(inflater);
    default:
        return false;
    }
}

bool inflate_bytes(const struct inflate_input *input, uint8_t *output, size_t size) {
    struct inflater inflater = {
        .next = input->stream, .end = input->stream + input->size, .input = input, .output = output, .size = size};
    bool is_last;
    do {
        is_last = take_bits(&inflater, 1) == 1;
        if (!read_block(&inflater, take_bits(&inflater, 2)) || is_past_end(&inflater))
            return false;
    } while (!is_last);
    return inflater.used == size;
}
