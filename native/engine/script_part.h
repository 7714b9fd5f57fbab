/* The embedded script and its parts, which are read one by one. */
#ifndef NOUND_SCRIPT_PART_H
#define NOUND_SCRIPT_PART_H

#include <quickjs.h>

/* Returns the script as a module that has not been linked yet, or an exception. There must be one (script.h). */
JSValue script_read(JSContext *context);

/* Returns the part of this name as a module that has not been linked yet, or an exception. */
JSValue script_part_read(JSContext *context, const char *name);

#endif
