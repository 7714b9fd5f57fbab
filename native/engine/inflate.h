/* Bytes that the build has deflated (RFC 1951). */
#ifndef NOUND_INFLATE_H
#define NOUND_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Inflates `packed` to exactly `size` bytes. Returns false if it holds fewer or more, or is damaged. */
bool inflate_bytes(const uint8_t *packed, size_t packed_size, uint8_t *bytes, size_t size);

#endif
