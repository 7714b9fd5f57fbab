/*
 * The program itself: what the build made of ts/ and linked in, or an application that was put into a linked program
 * (payload.c).
 */
#ifndef NOUND_SCRIPT_H
#define NOUND_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <quickjs.h>

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
    /* Whether the bytes are in memory, and not in the program's file, from which released pages come back. */
    bool in_memory;
    /* Adds what the script needs of the engine beside what that of nound uses (program.c), as JS_AddIntrinsicEval adds
     * the parser. NULL where it needs no more: the linker leaves out what nobody adds. */
    int (*add_intrinsics)(JSContext *context);
    /* The script, then its parts: what it imports, or loads when it needs it. The last has the name NULL. */
    const struct script_module *modules;
};

/* For `add_intrinsics`: an application may use all that the engine has. Returns -1 with an exception. */
int add_whole_engine(JSContext *context);

/* Returns the script, the same each time; NULL where the program has none. */
const struct nound_script *nound_script(void);

#endif
