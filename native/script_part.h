/* The parts of the embedded script, which are read one by one. */
#ifndef NOUND_SCRIPT_PART_H
#define NOUND_SCRIPT_PART_H

#include <stddef.h>
#include <stdint.h>

#include <quickjs.h>

/* Returns the part of this name as a module that has not been linked yet, or an exception. */
JSValue script_part_read(JSContext *context, const char *name);

/*
 * Gives back the pages of a script that the engine has read: it keeps a copy. The kernel reads them from the file again
 * if somebody should need them.
 */
void script_release_pages(const uint8_t *script, size_t size);

#endif
