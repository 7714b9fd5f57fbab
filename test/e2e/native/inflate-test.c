/* Inflates standard input to so many bytes, and writes them to standard output. Exit status 3: it is damaged. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/inflate.h"

int main(int argc, char **argv) {
    const size_t size = argc == 2 ? strtoul(argv[1], NULL, 10) : 0, most = 1 << 20;
    uint8_t *packed = malloc(most), *bytes = malloc(size + 1);
    if (!packed || !bytes)
        return EXIT_FAILURE;
    const size_t packed_size = fread(packed, 1, most, stdin);
    /* Of its own size, so that a sanitizer sees each byte that is read behind the end. */
    uint8_t *exact = realloc(packed, packed_size + 1);
    if (!exact)
        return EXIT_FAILURE;
    const bool whole = inflate_bytes(exact, packed_size, bytes, size);
    const bool written = !whole || fwrite(bytes, 1, size, stdout) == size;
    free(exact);
    free(bytes);
    return !written ? EXIT_FAILURE : whole ? EXIT_SUCCESS : 3;
}
