#define _GNU_SOURCE 1
#include "gpio/gpio_sysfs_chip.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/sysfs_attribute.h"

#define CHIP_PREFIX "gpiochip"

struct sysfs_chip {
    char name[NAME_MAX + 1]; /* gpiochip504 */
    char label[64];
    uint32_t base, count; /* its first line's number, and how many it has */
};

static bool has_prefix(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool read_number(int folder, const char *attribute, uint32_t *number) {
    char text[SYSFS_PAGE + 1];
    char *end;
    if (!sysfs_read(folder, attribute, text))
        return false;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return end != text && *end == '\0' && value <= INT32_MAX;
}

static bool read_chip(int class, const char *name, struct sysfs_chip *chip) {
    char label[SYSFS_PAGE + 1];
    int folder = openat(class, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    bool read = read_number(folder, "base", &chip->base) && read_number(folder, "ngpio", &chip->count);
    if (!sysfs_read(folder, "label", label))
        label[0] = '\0';
    close(folder);
    snprintf(chip->name, sizeof chip->name, "%s", name);
    snprintf(chip->label, sizeof chip->label, "%.63s", label);
    return read;
}

static int is_chip(const struct dirent *entry) {
    return has_prefix(entry->d_name, CHIP_PREFIX);
}

/* Returns how many chips there are. The caller frees the array; NULL without chips. */
static size_t list_chips(int class, struct sysfs_chip **chips) {
    struct dirent **entries = NULL;
    int count = scandir(GPIO_SYSFS_CLASS, &entries, is_chip, versionsort);
    size_t listed = 0;
    *chips = count > 0 ? calloc((size_t)count, sizeof **chips) : NULL;
    for (int i = 0; i < count; i++) {
        if (*chips && read_chip(class, entries[i]->d_name, &(*chips)[listed]))
            listed++;
        free(entries[i]);
    }
    free(entries);
    return listed;
}

/*
 * Returns whether the chip is the one of a character device. Both are children of the same device, and the chip in the
 * class has a link to that.
 */
static bool is_of_device(int class, const struct sysfs_chip *chip, const char *device) {
    char path[NAME_MAX + sizeof "/sys/bus/gpio/devices//.."];
    struct stat parent, device_parent;
    snprintf(path, sizeof path, "%s/device", chip->name);
    if (!sysfs_name_is_valid(device) || fstatat(class, path, &parent, 0) < 0)
        return false;
    snprintf(path, sizeof path, "/sys/bus/gpio/devices/%s/..", device);
    return stat(path, &device_parent) == 0 && parent.st_dev == device_parent.st_dev &&
           parent.st_ino == device_parent.st_ino;
}

static bool is_named(int class, const struct sysfs_chip *chip, const char *name) {
    (void)class;
    return strcmp(chip->name, name) == 0;
}

static bool is_labelled(int class, const struct sysfs_chip *chip, const char *name) {
    (void)class;
    return strcmp(chip->label, name) == 0;
}

/* Returns the one chip that fits, or NULL, with the reason when there are several. */
static const struct sysfs_chip *find_one(int class, const struct sysfs_chip *chips, size_t count, const char *name,
                                         bool (*fits)(int, const struct sysfs_chip *, const char *),
                                         struct sentence *reason) {
    const struct sysfs_chip *first = NULL;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (!fits(class, &chips[i], name))
            continue;
        found++;
        if (found == 1)
            first = &chips[i];
        else if (found == 2)
            sentence_say(reason, "the GPIO chip \"%s\" is not unique: %s, %s", name, first->name, chips[i].name);
        else
            sentence_add(reason, ", %s", chips[i].name);
    }
    if (found < 2)
        return first;
    sentence_add(reason, "; give one of these names");
    return NULL;
}

static const struct sysfs_chip *find_chip(int class, const struct sysfs_chip *chips, size_t count, const char *name,
                                          struct sentence *reason) {
    const char *last = strrchr(name, '/');
    bool is_device = has_prefix(name, "/dev/");
    const char *wanted = last ? last + 1 : name;
    const struct sysfs_chip *found = NULL;
    reason->length = 0;
    if (!is_device)
        found = find_one(class, chips, count, wanted, is_named, reason);
    if (!found && !last && reason->length == 0)
        found = find_one(class, chips, count, wanted, is_labelled, reason);
    if (!found && reason->length == 0)
        found = find_one(class, chips, count, wanted, is_of_device, reason);
    if (found || reason->length > 0)
        return found;
    sentence_say(reason,
                 "there is no GPIO chip \"%s\" in " GPIO_SYSFS_CLASS "; %s",
                 name,
                 count > 0 ? "available: " : "the folder has no chips");
    for (size_t i = 0; i < count; i++)
        sentence_add(reason, "%s%s (%s)", i > 0 ? ", " : "", chips[i].name, chips[i].label);
    return NULL;
}

static bool find_offset(int class, const struct gpio_address *address, struct gpio_sysfs_place *place,
                        struct sentence *reason) {
    struct sysfs_chip *chips;
    size_t count = list_chips(class, &chips);
    const struct sysfs_chip *chip = find_chip(class, chips, count, address->chip, reason);
    bool found = chip && address->offset < chip->count;
    if (found) {
        place->number = chip->base + address->offset;
        place->has_number = true;
        snprintf(place->folder, sizeof place->folder, "gpio%lu", (unsigned long)place->number);
        snprintf(place->description, sizeof place->description, "%s %lu", chip->name, (unsigned long)address->offset);
    } else if (chip) {
        sentence_say(reason,
                     "the GPIO chip %s has no line %lu: its offsets are 0 to %lu",
                     chip->name,
                     (unsigned long)address->offset,
                     (unsigned long)chip->count - 1);
    }
    free(chips);
    return found;
}

/* The kernel's interface has no list of names. Where a driver names its lines, an exported one's folder has that name.
 */
static bool find_name(int class, const char *name, struct gpio_sysfs_place *place, struct sentence *reason) {
    struct stat status;
    if (sysfs_name_is_valid(name) && !has_prefix(name, CHIP_PREFIX) && fstatat(class, name, &status, 0) == 0 &&
        S_ISDIR(status.st_mode)) {
        place->has_number = false;
        snprintf(place->folder, sizeof place->folder, "%s", name);
        snprintf(place->description, sizeof place->description, "\"%s\"", name);
        return true;
    }
    sentence_say(reason,
                 "the kernel's sysfs interface cannot look up the GPIO line name \"%s\"; give chip and offset, or take "
                 "the backend \"gpiod\"",
                 name);
    return false;
}

bool gpio_sysfs_find(int class, const struct gpio_address *address, struct gpio_sysfs_place *place,
                     struct sentence *reason) {
    return address->name ? find_name(class, address->name, place, reason) : find_offset(class, address, place, reason);
}

/* Ends a text at its last character that is no space. Returns whether anything is left. */
static bool trim(char *text) {
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
    return length > 0;
}

/*
 * Finds the consumer in a line like ` gpio-507 (NAME                |CONSUMER            ) out hi`, and ends it.
 * Returns NULL when the line is of another number, or has none.
 */
static char *consumer_in(char *line, uint32_t number) {
    char *text = strstr(line, "gpio-");
    char *end;
    if (!text || strtoul(text + strlen("gpio-"), &end, 10) != number)
        return NULL;
    char *consumer = strchr(end, '|');
    char *closing = consumer ? strchr(consumer, ')') : NULL;
    if (!closing)
        return NULL;
    *closing = '\0';
    return trim(consumer + 1) ? consumer + 1 : NULL;
}

bool gpio_sysfs_find_consumer(uint32_t number, char *consumer, size_t size) {
    FILE *listing = fopen(GPIO_SYSFS_LISTING, "re");
    if (!listing)
        return false;
    char line[256];
    const char *found = NULL;
    while (!found && fgets(line, sizeof line, listing))
        found = consumer_in(line, number);
    fclose(listing);
    if (found)
        snprintf(consumer, size, "%s", found);
    return found != NULL;
}
