#include "text/sha256.h"

#include <string.h>

#define BLOCK 64 /* bytes */
#define ROUNDS 64

/* FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* 5.3.3: the same of the square roots of the first eight primes. */
static const uint32_t initial_state[8] = {
    0x6a09e667,
    0xbb67ae85,
    0x3c6ef372,
    0xa54ff53a,
    0x510e527f,
    0x9b05688c,
    0x1f83d9ab,
    0x5be0cd19,
};

static uint32_t rotate(uint32_t word, unsigned bits) {
    return word >> bits | word << (32 - bits);
}

static uint32_t word_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* 6.2.2, step 1. */
static void prepare_schedule(uint32_t schedule[ROUNDS], const uint8_t *block) {
    for (int t = 0; t < 16; t++)
        schedule[t] = word_at(block + 4 * t);
    for (int t = 16; t < ROUNDS; t++) {
        uint32_t w2 = schedule[t - 2], w15 = schedule[t - 15];
        uint32_t sigma1 = rotate(w2, 17) ^ rotate(w2, 19) ^ w2 >> 10;
        uint32_t sigma0 = rotate(w15, 7) ^ rotate(w15, 18) ^ w15 >> 3;
        schedule[t] = sigma1 + schedule[t - 7] + sigma0 + schedule[t - 16];
    }
}

/* 6.2.2, steps 2 to 4. */
static void take_block(uint32_t state[8], const uint8_t *block) {
    uint32_t schedule[ROUNDS];
    prepare_schedule(schedule, block);
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
        uint32_t choice = (e & f) ^ (~e & g);
        uint32_t t1 = h + sum1 + choice + round_constants[t] + schedule[t];
        uint32_t sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
        uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g, g = f, f = e, e = d + t1;
        d = c, c = b, b = a, a = t1 + sum0 + majority;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

void sha256(const uint8_t *bytes, size_t length, uint8_t hash[SHA256_LENGTH]) {
    uint32_t state[8];
    memcpy(state, initial_state, sizeof state);
    size_t whole = length - length % BLOCK;
    for (size_t start = 0; start < whole; start += BLOCK)
        take_block(state, bytes + start);

    /* 5.1.1: the rest, a one, zeros, and the length in bits, in one block or two. */
    uint8_t last[2 * BLOCK] = {0};
    size_t rest = length - whole, end = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    if (rest > 0)
        memcpy(last, bytes + whole, rest);
    last[rest] = 0x80;
    uint64_t bits = (uint64_t)length * 8;
    for (int i = 0; i < 8; i++)
        last[end - 1 - i] = (uint8_t)(bits >> 8 * i);
    for (size_t start = 0; start < end; start += BLOCK)
        take_block(state, last + start);

    for (int i = 0; i < SHA256_LENGTH; i++)
        hash[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}
