/* Requests of the character device: a descriptor that holds one line of a chip, or the two of a pair. */
#ifndef NOUND_GPIO_REQUEST_H
#define NOUND_GPIO_REQUEST_H

#include "gpio/gpio_backend.h"
#include "gpio/gpio_chip.h"

/* The two lines of a pair (gpio_backend.h), on one chip. */
struct gpio_pair {
    struct gpiod_chip *chip;
    unsigned offsets[2];
    const struct gpio_settings *settings; /* of both */
};

/*
 * Takes a line over from an earlier server, or requests it. chip: its name. is_output_already: whether it has a level
 * to keep. Returns the descriptor, or -1 with errno set.
 */
int gpio_request_obtain(const struct gpio_place *place, const char *chip, const struct gpio_settings *settings,
                        bool is_output_already);

/* The same of both lines of a pair, in one request. Both are inactive then, unless they were taken over as they are. */
int gpio_request_obtain_pair(const struct gpio_pair *pair, const char *chip);

/* Returns the level of one line of a request, or -1 with errno set. place: 0 for the first line. */
int gpio_request_get(int fd, unsigned place);

/* Sets levels of lines of a request, in one call. bits, mask: bit 0 is its first line. Returns false with errno set. */
bool gpio_request_set(int fd, uint64_t bits, uint64_t mask);

/* Gives a request of one line these settings. level: that of an output. Returns false with errno set. */
bool gpio_request_configure(int fd, const struct gpio_settings *settings, bool level);

#endif
