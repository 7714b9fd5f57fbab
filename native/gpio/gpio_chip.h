/* Finds lines on the character devices of GPIO chips, by libgpiod. */
#ifndef NOUND_GPIO_CHIP_H
#define NOUND_GPIO_CHIP_H

#include <gpiod.h>

#include "gpio/gpio_backend.h"

/* A line that was found. */
struct gpio_place {
    struct gpiod_chip *chip; /* open; the caller closes it */
    unsigned int offset;
};

/* Returns whether a chip's device with lines can be opened, by a kernel that libgpiod 2 can speak to (5.10 or later).
 */
bool gpio_chip_is_usable(void);

/* Returns whether there is a chip's device. */
bool gpio_chip_is_present(void);

/* Finds the line of an address. Returns false with the reason. */
bool gpio_chip_find(const struct gpio_address *address, struct gpio_place *place, struct sentence *reason);

#endif
