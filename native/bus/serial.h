/* The class of the module `nound:serial`. */
#ifndef NOUND_SERIAL_H
#define NOUND_SERIAL_H

#include "engine/runtime.h"

/* Makes the object of an open device. The object then owns the descriptor. If this fails, the descriptor is closed.
 * Returns the object, or an exception. */
JSValue serial_port_new(struct runtime *runtime, int fd, const char *path);

#endif
