#define _GNU_SOURCE 1
#include "gpio/gpio_chip.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_chip(const struct dirent *entry) {
    /* A symbolic link, made by a udev rule, is only a second name of a chip. */
    return strncmp(entry->d_name, "gpiochip", strlen("gpiochip")) == 0 && entry->d_type != DT_LNK;
}

void gpio_chip_each(gpio_chip_visit *visit, void *opaque) {
    struct dirent **entries = NULL;
    const int count = scandir("/dev", &entries, is_chip, versionsort);
    for (int i = 0; i < count; i++) {
        char path[sizeof "/dev/" + NAME_MAX];
        snprintf(path, sizeof path, "/dev/%s", entries[i]->d_name);
        struct gpiod_chip *chip = gpiod_chip_open(path);
        visit(opaque, entries[i]->d_name, chip);
        gpiod_chip_close(chip);
        free(entries[i]);
    }
    free(entries);
}

struct gpiod_chip *gpio_chip_find(const struct gpio_address *address, struct failure *failure) {
    char path[PATH_MAX];
    const char *name = address->chip ? address->chip : "";
    snprintf(path, sizeof path, "%s%s", name[0] == '/' ? "" : "/dev/", name);
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_chip_info *info = chip ? gpiod_chip_get_info(chip) : NULL;
    const int error = errno;
    const size_t count = info ? gpiod_chip_info_get_num_lines(info) : 0;
    gpiod_chip_info_free(info);
    if (address->offset < count)
        return chip;
    if (info)
        failure_note(
            failure, "gpioOffset", 0, "%s" AND "%lu" AND "%zu", name, (unsigned long)address->offset, count - 1);
    else
        failure_note(failure, "gpioChip", error, "%.256s", path);
    gpiod_chip_close(chip);
    return NULL;
}
