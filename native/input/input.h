/* What the files of the module `nound:input` share: its state and its class. */
#ifndef NOUND_INPUT_H
#define NOUND_INPUT_H

#include "engine/list.h"
#include "engine/runtime.h"
#include "input/evdev.h"

/* The state of the module. It is made when a script first imports the module. */
struct input {
    JSClassID source_class;
    struct list_link *sources; /* the open ones */
};

/* Registers the class InputSource. Returns false when there is no memory. */
bool input_source_register(struct runtime *runtime);

/*
 * Makes the object of an open descriptor. The object then owns it. If this fails, the descriptor is closed.
 * code: of the input device; NULL for the socket of the kernel's hotplug events.
 * Returns the object, or an exception.
 */
JSValue input_source_new(struct runtime *runtime, int fd, const struct evdev_code *code);

/* Closes all that is open, at the end of the program. */
void input_source_close_all(struct input *input);

#endif
