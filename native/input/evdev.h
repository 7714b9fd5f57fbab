/*
 * Input devices of the kernel: /dev/input/event* (Documentation/input/input.rst and event-codes.rst). A device reports
 * events of a type (a key, a switch, an axis), each with a code and a value.
 */
#ifndef NOUND_EVDEV_H
#define NOUND_EVDEV_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "text/failure.h"

#define EVDEV_ANY 0

struct evdev_code {
    uint16_t type; /* EV_KEY, EV_REL or EV_SW; EVDEV_ANY for all codes */
    uint16_t code;
    const char *name; /* for people: KEY_POWER */
};

/* As the kernel writes it (struct input_event): both times are long, whatever time_t is. */
struct evdev_event {
    unsigned long seconds, microseconds; /* on CLOCK_MONOTONIC */
    uint16_t type, code;
    int32_t value;
};

#define EVDEV_PATH_SIZE (sizeof "/dev/input/" + NAME_MAX)

/*
 * Opens the device with this name, or at this path, that has the code. Only the events of the code come from it.
 * Returns its descriptor, or -1 with a failure.
 */
int evdev_open(const char *device, const struct evdev_code *code, struct failure *failure);

/* Returns the value of a key or a switch, 0 or 1, and 0 for others; -1 with errno set. Drops the unread events. */
int evdev_value(int fd, const struct evdev_code *code);

#endif
