/* The program itself: what the build made of ts/ and linked in. The file that defines these is generated. */
#ifndef NOUND_SCRIPT_H
#define NOUND_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One ES module that imports `nound:net`, `nound:loop` and `nound:system`. Its source text is followed by a NUL. */
extern const uint8_t nound_script[];
/* In bytes, the NUL not counted. */
extern const size_t nound_script_size;
/* QuickJS bytecode, or the source text, as bytecode is not portable across byte order. That goes for its parts, too. */
extern const bool nound_script_is_bytecode;

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
/* The last has the name NULL. */
extern const struct nound_script_part nound_script_parts[];

#endif
