/* What the files of the module `nound:serial` share: its state and its class. */
#ifndef NOUND_SERIAL_H
#define NOUND_SERIAL_H

#include "engine/list.h"
#include "engine/runtime.h"

/* The state of the module. */
struct serial {
    JSClassID port_class;
    JSAtom on_bytes, on_drain, on_gone; /* a handler's methods */
    struct list_link *ports;            /* the open ones */
};

/* Registers the class SerialPort. Returns false when there is no memory. */
bool serial_port_register(struct runtime *runtime);

/* Makes the object of an open device. The object then owns the descriptor. If this fails, the descriptor is closed.
 * Returns the object, or an exception. */
JSValue serial_port_new(struct runtime *runtime, int fd, const char *path);

/* Closes all that is open, at the end of the program. */
void serial_port_close_all(struct serial *serial);

#endif
