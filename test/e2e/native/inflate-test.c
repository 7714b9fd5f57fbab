/*
 * Inflates what comes on standard input, case after case: three sizes of four bytes each, the lowest first, of the
 * stream, of the dictionary and of what is expected; then the stream and the dictionary. For each case it writes 1 and
 * the bytes, or 0 when the stream is refused. Each is in memory of its own, so that a sanitizer sees what is read
 * beside it.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/inflate.h"

static void *memory(size_t size) {
    void *bytes = malloc(size > 0 ? size : 1);
    if (!bytes)
        exit(EXIT_FAILURE);
    return bytes;
}

static uint8_t *read_bytes(size_t size) {
    uint8_t *bytes = memory(size);
    if (fread(bytes, 1, size, stdin) != size)
        exit(EXIT_FAILURE);
    return bytes;
}

static size_t size_at(const uint8_t *bytes) {
    return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

static void try_case(const uint8_t *sizes) {
    const size_t size = size_at(sizes), dictionary_size = size_at(sizes + 4), expected = size_at(sizes + 8);
    uint8_t *stream = read_bytes(size), *dictionary = read_bytes(dictionary_size), *output = memory(expected);
    bool done = inflate_bytes(
        &(struct inflate_input){
            .stream = stream, .size = size, .dictionary = dictionary, .dictionary_size = dictionary_size},
        output,
        expected);
    putchar(done);
    if (done && fwrite(output, 1, expected, stdout) != expected)
        exit(EXIT_FAILURE);
    free(output);
    free(dictionary);
    free(stream);
}

int main(void) {
    uint8_t sizes[12];
    while (fread(sizes, 1, sizeof sizes, stdin) == sizeof sizes)
        try_case(sizes);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
