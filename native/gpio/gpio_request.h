/* Requests of the character device: a descriptor that holds one line of a chip, or the two of a pair. */
#ifndef NOUND_GPIO_REQUEST_H
#define NOUND_GPIO_REQUEST_H

#include <gpiod.h>

#include "gpio/gpio_backend.h"

/* What is requested: one line of a chip, or the two of a pair (gpio_backend.h). */
struct gpio_request {
    struct gpiod_chip *chip;
    const char *chip_name;
    size_t count;                         /* of lines */
    unsigned offsets[2];                  /* of each */
    const struct gpio_settings *settings; /* of each */
    bool is_output_already;               /* a single line has a level to keep */
};

/*
 * Takes lines over from an earlier server, or requests them. Those of a pair are inactive then, unless they were taken
 * over as they are. Returns the descriptor, or -1 with errno set.
 */
int gpio_request_obtain(const struct gpio_request *request);

/* Returns the level of one line of a request, or -1 with errno set. place: 0 for the first line. */
int gpio_request_get(int fd, unsigned place);

/* Sets levels of lines of a request, in one call. bits, mask: bit 0 is its first line. Returns false with errno set. */
bool gpio_request_set(int fd, uint64_t bits, uint64_t mask);

/* Gives a request of so many lines these settings. level: that of its first output. Returns false with errno set. */
bool gpio_request_configure(int fd, const struct gpio_settings *settings, size_t count, bool level);

#endif
