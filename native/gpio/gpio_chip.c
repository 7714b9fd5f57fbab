#define _GNU_SOURCE 1
#include "gpio/gpio_chip.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The paths of the chips' devices, in the order of their numbers. */
struct chip_list {
    struct dirent **entries;
    int count;
};

static int is_chip(const struct dirent *entry) {
    /* A symbolic link, made by a udev rule, is only a second name of a chip. */
    return strncmp(entry->d_name, "gpiochip", strlen("gpiochip")) == 0 && entry->d_type != DT_LNK;
}

static struct chip_list list_chips(void) {
    struct chip_list list = {0};
    list.count = scandir("/dev", &list.entries, is_chip, versionsort);
    if (list.count < 0)
        list = (struct chip_list){0};
    return list;
}

static void free_chips(struct chip_list *list) {
    for (int i = 0; i < list->count; i++)
        free(list->entries[i]);
    free(list->entries);
}

/* Opens a device by its name in /dev. Returns NULL with errno set. */
static struct gpiod_chip *open_device(const char *name) {
    char path[sizeof "/dev/" + NAME_MAX];
    snprintf(path, sizeof path, "/dev/%s", name);
    return gpiod_chip_open(path);
}

static bool has_lines(struct gpiod_chip *chip) {
    struct gpiod_line_info *line = gpiod_chip_get_line_info(chip, 0);
    gpiod_line_info_free(line);
    return line != NULL;
}

bool gpio_chip_is_usable(void) {
    struct chip_list list = list_chips();
    bool usable = false;
    for (int i = 0; i < list.count && !usable; i++) {
        struct gpiod_chip *chip = open_device(list.entries[i]->d_name);
        usable = chip && has_lines(chip);
        gpiod_chip_close(chip);
    }
    free_chips(&list);
    return usable;
}

bool gpio_chip_is_present(void) {
    struct chip_list list = list_chips();
    bool present = list.count > 0;
    free_chips(&list);
    return present;
}

bool gpio_chip_each(gpio_chip_visit *visit, void *opaque) {
    struct chip_list list = list_chips();
    bool go_on = true;
    for (int i = 0; i < list.count && go_on; i++) {
        struct gpiod_chip *chip = open_device(list.entries[i]->d_name);
        go_on = visit(opaque, list.entries[i]->d_name, chip);
        gpiod_chip_close(chip);
    }
    free_chips(&list);
    return go_on;
}

static void add_permission(struct sentence *reason, const char *name) {
    sentence_add(reason,
                 "this user may not open /dev/%s: add the user to the group that may (often \"gpio\"), add a udev "
                 "rule, or run as root",
                 name);
}

static void say_unopened(struct sentence *reason, const char *path, int error) {
    sentence_say(reason, "cannot open %s: ", path);
    if ((error == EACCES || error == EPERM) && strncmp(path, "/dev/", 5) == 0) {
        reason->length = 0;
        add_permission(reason, path + 5);
    } else if (error == ENOENT) {
        sentence_add(reason, "there is no such device");
    } else if (error == ENODEV || error == ENOTTY) {
        sentence_add(reason, "it is not a GPIO chip");
    } else {
        sentence_add(reason, "%s", strerror(error));
    }
}

/* Adds the chips there are: gpiochip0 (pinctrl-bcm2835), gpiochip1. */
static void add_chips(struct sentence *reason, const struct chip_list *list) {
    for (int i = 0; i < list->count; i++) {
        const char *name = list->entries[i]->d_name;
        struct gpiod_chip *chip = open_device(name);
        struct gpiod_chip_info *info = chip ? gpiod_chip_get_info(chip) : NULL;
        sentence_add(reason, "%s%s", i > 0 ? ", " : "", name);
        if (info)
            sentence_add(reason, " (%s)", gpiod_chip_info_get_label(info));
        gpiod_chip_info_free(info);
        gpiod_chip_close(chip);
    }
}

static bool label_is(struct gpiod_chip *chip, const char *label) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    bool equal = info && strcmp(gpiod_chip_info_get_label(info), label) == 0;
    gpiod_chip_info_free(info);
    return equal;
}

static struct gpiod_chip *find_labelled(const struct chip_list *list, const char *label, struct sentence *reason) {
    struct gpiod_chip *found = NULL;
    const char *found_name = NULL, *denied = NULL;
    bool unique = true;
    for (int i = 0; i < list->count; i++) {
        const char *name = list->entries[i]->d_name;
        struct gpiod_chip *chip = open_device(name);
        if (!chip && (errno == EACCES || errno == EPERM))
            denied = name;
        if (!chip || !label_is(chip, label)) {
            gpiod_chip_close(chip);
        } else if (!found) {
            found = chip;
            found_name = name;
        } else {
            if (unique)
                sentence_say(reason, "the chip label \"%s\" is not unique: %s", label, found_name);
            sentence_add(reason, ", %s", name);
            unique = false;
            gpiod_chip_close(chip);
        }
    }
    if (!unique) {
        sentence_add(reason, "; give the chip's name");
        gpiod_chip_close(found);
        return NULL;
    }
    if (!found && denied) {
        reason->length = 0;
        add_permission(reason, denied);
    } else if (!found) {
        sentence_say(reason, "there is no GPIO chip \"%s\"; available: ", label);
        add_chips(reason, list);
    }
    return found;
}

/* Opens a chip by its path, name or label. Returns NULL with the reason. */
static struct gpiod_chip *open_chip(const struct chip_list *list, const char *chip, struct sentence *reason) {
    if (chip[0] == '/') {
        struct gpiod_chip *opened = gpiod_chip_open(chip);
        if (!opened)
            say_unopened(reason, chip, errno);
        return opened;
    }
    for (int i = 0; i < list->count; i++) {
        if (strcmp(list->entries[i]->d_name, chip) != 0)
            continue;
        struct gpiod_chip *opened = open_device(chip);
        if (!opened) {
            char path[sizeof "/dev/" + NAME_MAX];
            snprintf(path, sizeof path, "/dev/%s", chip);
            say_unopened(reason, path, errno);
        }
        return opened;
    }
    return find_labelled(list, chip, reason);
}

static bool find_offset(const struct chip_list *list, const struct gpio_address *address, struct gpio_place *place,
                        struct sentence *reason) {
    struct gpiod_chip *chip = open_chip(list, address->chip, reason);
    struct gpiod_chip_info *info = chip ? gpiod_chip_get_info(chip) : NULL;
    if (!chip)
        return false;
    if (info && address->offset < gpiod_chip_info_get_num_lines(info)) {
        gpiod_chip_info_free(info);
        *place = (struct gpio_place){.chip = chip, .offset = address->offset};
        return true;
    }
    if (!info)
        sentence_say(reason, "cannot ask the GPIO chip %s for its lines: %s", address->chip, strerror(errno));
    else
        sentence_say(reason,
                     "the GPIO chip %s has no line %lu: its offsets are 0 to %zu",
                     address->chip,
                     (unsigned long)address->offset,
                     gpiod_chip_info_get_num_lines(info) - 1);
    gpiod_chip_info_free(info);
    gpiod_chip_close(chip);
    return false;
}

struct name_search {
    const char *name;
    struct gpio_place place;
    char chip[NAME_MAX + 1]; /* the name of the found line */
    int found;
};

/* Notes a line with the name. From the second line on, it also adds the line to the sentence that lists them. */
static void note_line(struct name_search *search, const char *chip, unsigned int offset, struct sentence *reason) {
    search->found++;
    if (search->found == 1) {
        search->place.offset = offset;
        snprintf(search->chip, sizeof search->chip, "%s", chip);
        return;
    }
    if (search->found == 2)
        sentence_say(
            reason, "the line name \"%s\" is not unique: %s %u", search->name, search->chip, search->place.offset);
    sentence_add(reason, ", %s %u", chip, offset);
}

static void search_chip(struct name_search *search, const char *name, struct gpiod_chip *chip,
                        struct sentence *reason) {
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    size_t count = info ? gpiod_chip_info_get_num_lines(info) : 0;
    gpiod_chip_info_free(info);
    int before = search->found;
    for (unsigned int offset = 0; offset < count; offset++) {
        struct gpiod_line_info *line = gpiod_chip_get_line_info(chip, offset);
        const char *line_name = line ? gpiod_line_info_get_name(line) : NULL;
        if (line_name && strcmp(line_name, search->name) == 0)
            note_line(search, name, offset, reason);
        gpiod_line_info_free(line);
    }
    if (before == 0 && search->found > 0)
        search->place.chip = chip;
    else
        gpiod_chip_close(chip);
}

static bool find_name(const struct chip_list *list, const char *name, struct gpio_place *place,
                      struct sentence *reason) {
    struct name_search search = {.name = name};
    const char *denied = NULL;
    for (int i = 0; i < list->count; i++) {
        const char *chip_name = list->entries[i]->d_name;
        struct gpiod_chip *chip = open_device(chip_name);
        if (chip)
            search_chip(&search, chip_name, chip, reason);
        else if (errno == EACCES || errno == EPERM)
            denied = chip_name;
    }
    if (search.found == 1) {
        *place = search.place;
        return true;
    }
    if (search.found > 1) {
        sentence_add(reason, "; give chip and offset");
        gpiod_chip_close(search.place.chip);
        return false;
    }
    sentence_say(reason, "no GPIO line has the name \"%s\"", name);
    if (denied) {
        sentence_add(reason, " on the chips that this user may read; ");
        add_permission(reason, denied);
    } else {
        sentence_add(reason, "; `nound --find` lists the names");
    }
    return false;
}

bool gpio_chip_find(const struct gpio_address *address, struct gpio_place *place, struct sentence *reason) {
    struct chip_list list = list_chips();
    bool found = false;
    if (list.count == 0)
        sentence_say(reason, "this system has no GPIO character device: there is no /dev/gpiochip0 or the like");
    else if (address->name)
        found = find_name(&list, address->name, place, reason);
    else
        found = find_offset(&list, address, place, reason);
    free_chips(&list);
    return found;
}
