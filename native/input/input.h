/* The class InputSource of `nound:input`. */
#ifndef NOUND_INPUT_H
#define NOUND_INPUT_H

#include "engine/runtime.h"
#include "input/evdev.h"

/*
 * Makes the object of an open descriptor. The object then owns it. If this fails, the descriptor is closed.
 * code: of the input device; NULL for the socket of the kernel's hotplug events.
 * Returns the object, or an exception.
 */
JSValue input_source_new(struct runtime *runtime, int fd, const struct evdev_code *code);

#endif
