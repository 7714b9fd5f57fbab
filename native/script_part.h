/* The parts of the embedded script, which are read one by one. */
#ifndef NOUND_SCRIPT_PART_H
#define NOUND_SCRIPT_PART_H

#include <quickjs.h>

/* Returns the part of this name as a module that has not been linked yet, or an exception. */
JSValue script_part_read(JSContext *context, const char *name);

#endif
