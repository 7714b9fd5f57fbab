/* SHA-256 (FIPS 180-4). It does not interpret the bytes. */
#ifndef NOUND_SHA256_H
#define NOUND_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_LENGTH 32 /* bytes of a hash */

/* Computes the hash of the bytes. */
void sha256(const uint8_t *bytes, size_t length, uint8_t hash[SHA256_LENGTH]);

#endif
