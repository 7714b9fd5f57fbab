/* Finds lines on the character devices of GPIO chips, by libgpiod. */
#ifndef NOUND_GPIO_CHIP_H
#define NOUND_GPIO_CHIP_H

#include <gpiod.h>

#include "gpio/gpio_backend.h"

/* Takes one chip of gpio_chip_each: its device's name in /dev, and the open chip, or NULL with errno set. */
typedef void gpio_chip_visit(void *opaque, const char *name, struct gpiod_chip *chip);

/* Shows all chips, in the order of their numbers. Requests no line. */
void gpio_chip_each(gpio_chip_visit *visit, void *opaque);

/* Opens the chip of an address, which has no name and must have its line. Returns NULL with a failure. */
struct gpiod_chip *gpio_chip_find(const struct gpio_address *address, struct failure *failure);

#endif
