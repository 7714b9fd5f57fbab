/*
 * The program itself: what the build made of ts/ and linked in, or an application that was put into a linked program
 * (payload.c).
 */
#ifndef NOUND_SCRIPT_H
#define NOUND_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A module that the script imports, or loads when it needs it: compressed as raw deflate (RFC 1951), with up to 32 KB
 * from the script's beginning as the preset dictionary.
 */
struct nound_script_part {
    const char *name; /* as it is imported by the script: "nound.parts/hardware.js" */
    const uint8_t *bytes;
    size_t size;          /* of the compressed bytes */
    size_t inflated_size; /* of bytecode or text */
};

/* One ES module that imports `nound:net`, `nound:loop` and `nound:system`, and its parts. */
struct nound_script {
    const char *name;
    const uint8_t *bytes; /* a NUL follows, which the size does not count */
    size_t size;
    /* QuickJS bytecode, or the source text, as bytecode is not portable across byte order. That goes for its parts,
     * too.
     */
    bool is_bytecode;
    const struct nound_script_part *parts; /* the last has the name NULL */
};

/* Returns the script, the same each time; NULL where the program has none. */
const struct nound_script *nound_script(void);

#endif
