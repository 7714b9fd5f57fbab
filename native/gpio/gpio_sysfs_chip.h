/*
 * Finds lines in /sys/class/gpio, where a chip is a folder gpiochipN of its first line's number N
 * (Documentation/admin-guide/gpio/sysfs.rst).
 */
#ifndef NOUND_GPIO_SYSFS_CHIP_H
#define NOUND_GPIO_SYSFS_CHIP_H

#include <limits.h>

#include "gpio/gpio_backend.h"

#define GPIO_SYSFS_CLASS "/sys/class/gpio"
#define GPIO_SYSFS_LISTING "/sys/kernel/debug/gpio" /* of lines in use; as a rule only root may read it */

/* A line that was found. */
struct gpio_sysfs_place {
    uint32_t number;                     /* what the kernel counts it by over all chips */
    bool has_number;                     /* false when it was found by its name: it has been exported already */
    char folder[NAME_MAX + 1];           /* in the class's; another one where the driver names its lines */
    char description[NAME_MAX + 1 + 16]; /* for people: gpiochip504 3 */
};

/*
 * Finds the line of an address in the open folder of the class. Returns false with the reason.
 * A chip is also known by the name of its character device, gpiochip0, where the kernel tells which one that is.
 */
bool gpio_sysfs_find(int class, const struct gpio_address *address, struct gpio_sysfs_place *place,
                     struct sentence *reason);

/* Finds who has a line, by the kernel's listing. Returns false when that cannot be read or does not say. */
bool gpio_sysfs_find_consumer(uint32_t number, char *consumer, size_t size);

#endif
