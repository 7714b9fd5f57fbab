/*
 * The GPIO backend of /sys/class/gpio, for systems without a usable character device.
 *
 * An export outlives the process that asked for it, and does not show which program that was. So this backend takes
 * over a line that is already exported: a boot script may have prepared it for its group, or a killed nound may have
 * left it. flock(2) on the line's `value` keeps two programs of this kind, and two lines of one program, from using the
 * same line. The kernel releases the lock when the process ends.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "files/sysfs_attribute.h"
#include "gpio/gpio_backend.h"
#include "keeper/keeper.h"

#define CLASS "/sys/class/gpio"

struct sysfs_line {
    struct gpio_line line;
    int class, folder, value; /* descriptors, or -1; a line's own folder is in the class's */
    uint32_t number;
    bool exported; /* by us */
    bool is_output;
    char polarity; /* the text of `active_low` before it was written; 0 if it was not */
    uint64_t sequence;
};

/* Where a line is. */
struct place {
    const struct gpio_address *address;
    char folder[NAME_MAX + 1];           /* in the class's; another one where the driver names its lines */
    char description[NAME_MAX + 1 + 16]; /* for people: gpiochip504 3 */
};

static struct sysfs_line *sysfs_line_of(struct gpio_line *line) {
    return (struct sysfs_line *)(void *)line;
}

/* Returns the name of a setting that this interface does not have, or NULL. */
static const char *unsupported(const struct gpio_settings *settings) {
    return settings->bias != GPIO_BIAS_AS_IS                           ? "bias"
           : settings->drive != GPIO_DRIVE_PUSH_PULL                   ? "drive"
           : settings->debounce > 0                                    ? "debounce"
           : settings->edges != GPIO_EDGES_NONE && settings->is_output ? "edges"
                                                                       : NULL;
}

static bool write_number(int folder, const char *attribute, uint32_t number) {
    char text[16];
    snprintf(text, sizeof text, "%lu", (unsigned long)number);
    return sysfs_write(folder, attribute, text);
}

/* Notes that an attribute could not be written, of the line's folder once that is open. Returns false. */
static bool refuse(struct failure *failure, const struct sysfs_line *line, const struct place *place,
                   const char *attribute) {
    failure_note(failure,
                 "gpioAttribute",
                 errno,
                 "%s" AND "%s" AND "%s" AND "%lu",
                 attribute,
                 place->description,
                 line->folder < 0 ? "" : place->folder,
                 (unsigned long)line->number);
    return false;
}

/* Exports the line unless it is, and opens its folder. Returns false with a failure. */
static bool open_folder(struct sysfs_line *line, const struct place *place, struct failure *failure) {
    if (!place->address->name && faccessat(line->class, place->folder, F_OK, 0) < 0) {
        if (!write_number(line->class, "export", line->number))
            return refuse(failure, line, place, "export");
        line->exported = true;
        if (faccessat(line->class, place->folder, F_OK, 0) < 0) {
            failure_note(failure, "gpioExported", 0, "%s", place->description);
            return false;
        }
    }
    line->folder = sysfs_await_folder(line->class, place->folder);
    if (line->folder < 0)
        failure_note(failure, "gpioFolder", errno, "%s", place->folder);
    return line->folder >= 0;
}

/* The keeper holds `value`, with its lock (keeper.h). */
static void keep(const struct sysfs_line *line, const struct place *place, const struct gpio_settings *settings) {
    const struct gpio_note note = gpio_note_of(settings, line->exported);
    const struct keeper_thing kept = keeper_thing_of(KEEPER_SYSFS_LINE, place->folder, 0, &note, sizeof note);
    keeper_keep(&kept, line->value);
}

/*
 * Takes over a line of a server before this one. Returns whether there is one.
 * is_same: whether it has the same settings. After a start that failed, it may have had others meanwhile.
 */
static bool take_over(struct sysfs_line *line, const struct place *place, const struct gpio_settings *settings,
                      bool *is_same) {
    const struct keeper_thing *found = keeper_find(KEEPER_SYSFS_LINE, place->folder, 0);
    line->value = keeper_take(found);
    if (line->value < 0)
        return false;
    const struct gpio_note before = gpio_note_read(found);
    line->exported = before.is_exported;
    const struct gpio_note note = gpio_note_of(settings, line->exported);
    *is_same = memcmp(&before, &note, sizeof note) == 0 && !keeper_is_fallback();
    keep(line, place, settings);
    return true;
}

/* Opens the value and makes the line ours. Returns false with a failure. */
static bool hold(struct sysfs_line *line, const struct place *place, struct failure *failure) {
    line->value = openat(line->folder, "value", O_RDWR | O_CLOEXEC);
    if (line->value < 0)
        return refuse(failure, line, place, "value");
    if (flock(line->value, LOCK_EX | LOCK_NB) == 0)
        return true;
    failure_note(failure, "gpioHeld", 0, "%s", place->description);
    return false;
}

/* Returns the level, or -1 with errno set. */
static int read_level(int fd) {
    char digit;
    ssize_t count = pread(fd, &digit, 1, 0);
    if (count == 1)
        return digit == '1';
    if (count == 0)
        errno = EIO;
    return -1;
}

static bool is_output_already(const struct sysfs_line *line) {
    char direction[SYSFS_PAGE + 1];
    return sysfs_read(line->folder, "direction", direction) && strcmp(direction, "out") == 0;
}

/* Returns whether a level could be written. */
static bool set_level(int fd, bool level) {
    return pwrite(fd, level ? "1" : "0", 1, 0) == 1;
}

/*
 * Makes the line active-low or not. A line that a device tree has exported under a name keeps the polarity that its
 * scripts know, unless another one is asked for. Returns whether the line is active-low, or -1 with errno set.
 */
static int set_polarity(struct sysfs_line *line, const struct place *place, const struct gpio_settings *settings) {
    char text[SYSFS_PAGE + 1];
    if (!sysfs_read(line->folder, "active_low", text))
        return -1;
    const bool is_low = text[0] == '1';
    if (is_low == settings->active_low || (place->address->name && !settings->active_low))
        return is_low;
    line->polarity = text[0];
    return sysfs_write(line->folder, "active_low", settings->active_low ? "1" : "0") ? settings->active_low : -1;
}

/* After a start that failed: the polarity is as it was. */
static void restore_polarity(const struct sysfs_line *line) {
    const char text[] = {line->polarity, '\0'};
    if (line->polarity)
        (void)sysfs_write(line->folder, "active_low", text); /* the first failure is the one to report */
}

/* Sets direction and level together. Returns the attribute that could not be set, with errno, or NULL. */
static const char *set_direction(struct sysfs_line *line, const struct place *place,
                                 const struct gpio_settings *settings) {
    /* A line that was taken over may have this set. The kernel would then refuse to make the line an output. Not every
     * line has the attribute. */
    if (!sysfs_write(line->folder, "edge", "none") && errno != ENOENT && errno != EIO)
        return "edge";
    const int is_low = set_polarity(line, place, settings);
    if (is_low < 0)
        return "active_low";
    /* A line of a fixed direction has no such attribute (Documentation/admin-guide/gpio/sysfs.rst). */
    if (faccessat(line->folder, "direction", F_OK, 0) < 0)
        return !settings->is_output || settings->keep_value || set_level(line->value, settings->value) ? NULL : "value";
    if (!settings->is_output)
        return sysfs_write(line->folder, "direction", "in") ? NULL : "direction";
    if (settings->keep_value && is_output_already(line))
        return NULL;
    /* "high" and "low" are voltages, whatever active_low says. */
    bool is_high = settings->value != (is_low == 1);
    return sysfs_write(line->folder, "direction", is_high ? "high" : "low") ? NULL : "direction";
}

/* Begins to report edges. Returns the attribute that could not be set, with errno, or NULL. */
static const char *set_edges(struct sysfs_line *line, enum gpio_edges edges) {
    static const char *const words[] = {
        [GPIO_EDGES_RISING] = "rising", [GPIO_EDGES_FALLING] = "falling", [GPIO_EDGES_BOTH] = "both"};
    if (edges == GPIO_EDGES_NONE)
        return NULL;
    if (!sysfs_write(line->folder, "edge", words[edges]))
        return "edge";
    /* A second descriptor, besides the one for reading levels, because reading a value clears the report of an edge. */
    line->line.event_fd = openat(line->folder, "value", O_RDONLY | O_CLOEXEC);
    if (line->line.event_fd < 0 || read_level(line->line.event_fd) < 0)
        return "value";
    line->line.event_mask = EPOLLPRI;
    line->line.edges = edges;
    return NULL;
}

/* Reports no edges any more. */
static void end_edges(struct sysfs_line *line) {
    descriptor_close(line->line.event_fd);
    line->line.event_fd = -1;
    line->line.edges = GPIO_EDGES_NONE;
}

static void line_close(struct gpio_line *closing) {
    struct sysfs_line *line = sysfs_line_of(closing);
    descriptor_close(line->line.event_fd);
    descriptor_close(line->value);
    descriptor_close(line->folder);
    if (line->exported && !keeper_is_handing_over())
        write_number(line->class, "unexport", line->number); /* if this fails, the next start takes it over */
    descriptor_close(line->class);
    free(line);
}

/*
 * Finds a line with settings that this interface has. Where a driver names its lines, an exported one has a folder of
 * that name. Returns the class's folder, or -1 with a failure.
 */
static int find_line(const struct gpio_address *address, const struct gpio_settings *settings, struct place *place,
                     struct failure *failure) {
    const char *missing = unsupported(settings);
    if (missing) {
        failure_note(failure, "gpioSetting", 0, "%s", missing);
        return -1;
    }
    int class = open(CLASS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (class < 0) {
        failure_note(failure, "gpioClass", errno, "%s", "");
        return -1;
    }
    const unsigned long number = address->number, offset = address->offset;
    const char *name = address->name;
    place->address = address;
    if (name) {
        snprintf(place->folder, sizeof place->folder, "%s", name);
        snprintf(place->description, sizeof place->description, "\"%s\"", name);
    } else {
        snprintf(place->folder, sizeof place->folder, "gpio%lu", number);
        snprintf(place->description, sizeof place->description, "%.200s %lu", address->chip, offset);
    }
    if (!name || (sysfs_name_is_valid(name) && strncmp(name, "gpiochip", strlen("gpiochip")) != 0 &&
                  faccessat(class, name, F_OK, 0) == 0))
        return class;
    failure_note(failure, "gpioName", 0, "%.64s", name);
    close(class);
    return -1;
}

/* Whether another program has the line is for the script to find: trying the lock could keep a nound from it that
 * starts. */
static bool line_check(const struct gpio_address *address, const struct gpio_settings *settings,
                       struct failure *failure) {
    struct place place;
    int class = find_line(address, settings, &place, failure);
    descriptor_close(class);
    return class >= 0;
}

static bool line_open(const struct gpio_address *address, const struct gpio_settings *settings, size_t count,
                      struct gpio_line *lines[], struct failure *failure) {
    (void)count; /* always 1 */
    struct place place;
    int class = find_line(address, settings, &place, failure);
    if (class < 0)
        return false;
    struct sysfs_line *line = calloc(1, sizeof *line);
    if (!line) {
        close(class);
        failure_note(failure, "gpioFolder", ENOMEM, "%s", place.folder);
        return false;
    }
    *line = (struct sysfs_line){
        .line = {.event_fd = -1},
        .class = class,
        .folder = -1,
        .value = -1,
        .number = address->number,
        .is_output = settings->is_output,
    };
    snprintf(line->line.description, sizeof line->line.description, "%.159s", place.description);
    bool is_same = false;
    const bool is_taken_over = take_over(line, &place, settings, &is_same);
    struct gpio_settings wanted = *settings;
    wanted.keep_value = wanted.keep_value || (is_taken_over && settings->restored) || keeper_is_fallback();
    bool is_open = open_folder(line, &place, failure) && (is_taken_over || hold(line, &place, failure));
    const char *failed = is_open && !is_same ? set_direction(line, &place, &wanted) : NULL;
    if (is_open && !failed)
        failed = set_edges(line, settings->edges);
    if (failed)
        is_open = refuse(failure, line, &place, failed);
    if (!is_open) {
        restore_polarity(line);
        line_close(&line->line);
        return false;
    }
    if (!is_taken_over)
        keep(line, &place, settings);
    lines[0] = &line->line;
    return true;
}

static int line_get_value(struct gpio_line *line) {
    return read_level(sysfs_line_of(line)->value);
}

static bool set_kept(int fd, const struct gpio_note *note, bool level) {
    (void)note;
    return set_level(fd, level);
}

static bool line_set_value(struct gpio_line *setting, bool value) {
    struct sysfs_line *line = sysfs_line_of(setting);
    if (line->is_output)
        return set_level(line->value, value);
    errno = EPERM;
    return false;
}

static bool line_set_edges(struct gpio_line *setting, enum gpio_edges edges) {
    struct sysfs_line *line = sysfs_line_of(setting);
    end_edges(line);
    if (line->is_output) {
        errno = EPERM;
        return false;
    }
    if (edges == GPIO_EDGES_NONE)
        return sysfs_write(line->folder, "edge", "none");
    if (!set_edges(line, edges))
        return true;
    end_edges(line);
    return false;
}

static int line_read_events(struct gpio_line *reading, struct gpio_event *events, size_t capacity) {
    (void)capacity;
    struct sysfs_line *line = sysfs_line_of(reading);
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    int level = read_level(line->line.event_fd);
    if (level < 0)
        return -1;
    events[0] = (struct gpio_event){
        /* If only one kind of edge was requested, the level after it is known, even if it has changed again since. */
        .value = line->line.edges == GPIO_EDGES_BOTH ? level : line->line.edges == GPIO_EDGES_RISING,
        .timestamp = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000,
        .sequence = ++line->sequence,
    };
    return 1;
}

const struct gpio_backend gpio_sysfs = {
    .name = "sysfs",
    .kept_kind = KEEPER_SYSFS_LINE,
    .open = line_open,
    .check = line_check,
    .get_value = line_get_value,
    .set_value = line_set_value,
    .set_edges = line_set_edges,
    .read_events = line_read_events,
    .close = line_close,
    .set_kept = set_kept,
};
