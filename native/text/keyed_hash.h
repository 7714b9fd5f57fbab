/* A hash for tables whose keys strangers choose: SipHash-1-3 with 128 bits. */
#ifndef NOUND_KEYED_HASH_H
#define NOUND_KEYED_HASH_H

#include <stddef.h>
#include <stdint.h>

#define KEYED_HASH_LENGTH 16 /* bytes of a hash, and of its key */

/* Computes the hash of the bytes with a key. */
void keyed_hash(const uint8_t key[KEYED_HASH_LENGTH], const uint8_t *bytes, size_t length,
                uint8_t hash[KEYED_HASH_LENGTH]);

#endif
