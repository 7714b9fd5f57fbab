/*
 * The program itself: what the build made of ts/ and linked in, or an application that was put into a linked program
 * (payload.c).
 */
#ifndef NOUND_SCRIPT_H
#define NOUND_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An ES module. One named "<name>.script.js" is a script, whose value is a function (tools/bundle/passing.mjs). */
struct script_module {
    const char *name;     /* as it is imported: "nound.parts/hardware.js" */
    const uint8_t *bytes; /* a NUL follows, which the size does not count */
    size_t size;
    size_t inflated_size; /* of a part that the build has deflated; otherwise 0 */
};

struct nound_script {
    /* QuickJS bytecode, or the source text, as bytecode is not portable across byte order. */
    bool is_bytecode;
    /* The script, then its parts: what it imports, or loads when it needs it. The last has the name NULL. */
    const struct script_module *modules;
};

/* Returns the script, the same each time; NULL where the program has none. */
const struct nound_script *nound_script(void);

#endif
