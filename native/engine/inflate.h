/* Decompresses raw deflate (RFC 1951), which Node.js writes by zlib.deflateRawSync. */
#ifndef NOUND_INFLATE_H
#define NOUND_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far back a stream may refer, in bytes. Only so many bytes at the end of a dictionary are useful. */
#define INFLATE_WINDOW 32768

/* A stream, and the preset dictionary that it was made with. */
struct inflate_input {
    const uint8_t *stream;
    size_t size;
    const uint8_t *dictionary; /* what the stream may refer to before its own beginning; NULL for none */
    size_t dictionary_size;
};

/*
 * Returns true when the stream is complete, follows the RFC and gives exactly `size` bytes, which are in `output` then.
 * It never reads or writes outside its arguments. Bytes after the end of the stream are ignored.
 */
bool inflate_bytes(const struct inflate_input *input, uint8_t *output, size_t size);

#endif
