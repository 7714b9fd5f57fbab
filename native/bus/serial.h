/* The parts of the module `nound:serial` that its files share: its state and its class. */
#ifndef NOUND_SERIAL_H
#define NOUND_SERIAL_H

#include "engine/runtime.h"

/* The state of the module. */
struct serial {
    JSAtom on_bytes, on_drain, on_gone; /* a handler's methods */
};

/* Registers the class SerialPort. Returns false when there is no memory. */
bool serial_port_register(struct runtime *runtime);

/* Makes the object of an open device. The object then owns the descriptor. If this fails, the descriptor is closed.
 * Returns the object, or an exception. */
JSValue serial_port_new(struct runtime *runtime, int fd, const char *path);

#endif
