/* What `nound:script` needs of `nound:system`. */
#ifndef NOUND_MOD_SYSTEM_H
#define NOUND_MOD_SYSTEM_H

#include "engine/runtime_state.h"

/* Gives `args` of nound:system another value, for an application that runs instead of the program. Returns false
 * with an exception. */
bool mod_system_replace_args(struct runtime *runtime, JSValueConst args);

#endif
