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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "files/sysfs_attribute.h"
#include "gpio/gpio_sysfs_chip.h"
#include "keeper/keeper.h"

struct sysfs_line {
    struct gpio_line line;
    int class, folder, value; /* descriptors, or -1; a line's own folder is in the class's */
    uint32_t number;
    bool exported; /* by us */
    bool is_output;
    uint64_t sequence;
};

static struct sysfs_line *sysfs_line_of(struct gpio_line *line) {
    return (struct sysfs_line *)(void *)line;
}

static bool is_usable(void) {
    return access(GPIO_SYSFS_CLASS "/export", W_OK) == 0;
}

static bool is_present(void) {
    return access(GPIO_SYSFS_CLASS "/export", F_OK) == 0;
}

/* Returns the name of a setting that this interface does not have, or NULL. */
static const char *unsupported(const struct gpio_settings *settings) {
    if (settings->bias != GPIO_BIAS_AS_IS)
        return "a bias";
    if (settings->drive != GPIO_DRIVE_PUSH_PULL)
        return "an open drain or source";
    if (settings->debounce > 0)
        return "a debounce period";
    if (settings->edges != GPIO_EDGES_NONE && settings->is_output)
        return "edges of an output";
    return NULL;
}

static bool write_number(int folder, const char *attribute, uint32_t number) {
    char text[16];
    snprintf(text, sizeof text, "%lu", (unsigned long)number);
    return sysfs_write(folder, attribute, text);
}

static void say_busy(struct sentence *reason, const struct gpio_sysfs_place *place) {
    char consumer[64];
    sentence_say(reason, "the GPIO line %s is in use by ", place->description);
    if (gpio_sysfs_find_consumer(place->number, consumer, sizeof consumer))
        sentence_add(reason, "\"%s\"", consumer);
    else
        sentence_add(reason, "another program or by the kernel; root finds the user in " GPIO_SYSFS_LISTING);
}

/* what: the attribute that could not be written, of the line's folder once that is open. */
static void say_refused(struct sentence *reason, const struct sysfs_line *line, const struct gpio_sysfs_place *place,
                        const char *what, int error) {
    if (error == EBUSY)
        say_busy(reason, place);
    else if (error == EACCES)
        sentence_say(reason,
                     "this user may not write " GPIO_SYSFS_CLASS "/%s%s%s: add a udev rule that gives it to a group "
                     "of the user, or run as root",
                     line->folder < 0 ? "" : place->folder,
                     line->folder < 0 ? "" : "/",
                     what);
    else
        sentence_say(reason,
                     "the kernel refuses %s of the GPIO line %s: %s",
                     what,
                     place->description,
                     error == EINVAL ? "its pin may have another function now (`dmesg` may say which)"
                                     : strerror(error));
}

/* Exports the line unless it is, and opens its folder. Returns false with the reason. */
static bool open_folder(struct sysfs_line *line, const struct gpio_sysfs_place *place, struct sentence *reason) {
    if (place->has_number && faccessat(line->class, place->folder, F_OK, 0) < 0) {
        if (!write_number(line->class, "export", place->number)) {
            say_refused(reason, line, place, "export", errno);
            return false;
        }
        line->exported = true;
        if (faccessat(line->class, place->folder, F_OK, 0) < 0) {
            sentence_say(
                reason,
                "the kernel exports the GPIO line %s by its driver's own name; export the line and give that name",
                place->description);
            return false;
        }
    }
    line->folder = sysfs_await_folder(line->class, place->folder);
    if (line->folder < 0)
        sentence_say(reason, "cannot open " GPIO_SYSFS_CLASS "/%s: %s", place->folder, strerror(errno));
    return line->folder >= 0;
}

/* The keeper holds `value`, with its lock (keeper.h). */
static void keep(const struct sysfs_line *line, const struct gpio_sysfs_place *place,
                 const struct gpio_settings *settings) {
    const struct gpio_note note = gpio_note_of(settings, line->exported);
    const struct keeper_thing kept = keeper_thing_of(KEEPER_SYSFS_LINE, place->folder, 0, &note, sizeof note);
    keeper_keep(&kept, line->value);
}

/*
 * Takes over a line of a server before this one. Returns whether there is one.
 * is_same: whether it has the same settings. After a start that failed, it may have had others meanwhile.
 */
static bool take_over(struct sysfs_line *line, const struct gpio_sysfs_place *place,
                      const struct gpio_settings *settings, bool *is_same) {
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

/* Opens the value and makes the line ours. Returns false with the reason. */
static bool hold(struct sysfs_line *line, const struct gpio_sysfs_place *place, struct sentence *reason) {
    line->value = openat(line->folder, "value", O_RDWR | O_CLOEXEC);
    if (line->value < 0) {
        say_refused(reason, line, place, "value", errno);
        return false;
    }
    if (flock(line->value, LOCK_EX | LOCK_NB) == 0)
        return true;
    sentence_say(reason, "the GPIO line %s is in use by another noun or another nound", place->description);
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

/* Sets direction and level together. Returns the attribute that could not be set, with errno, or NULL. */
static const char *set_direction(const struct sysfs_line *line, const struct gpio_settings *settings) {
    /* A line that was taken over may have this set. The kernel would then refuse to make the line an output. Not every
     * line has the attribute. */
    if (!sysfs_write(line->folder, "edge", "none") && errno != ENOENT && errno != EIO)
        return "edge";
    if (!sysfs_write(line->folder, "active_low", settings->active_low ? "1" : "0"))
        return "active_low";
    if (!settings->is_output)
        return sysfs_write(line->folder, "direction", "in") ? NULL : "direction";
    if (settings->keep_value && is_output_already(line))
        return NULL;
    /* "high" and "low" are voltages, whatever active_low says. */
    bool is_high = settings->value != settings->active_low;
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
    if (line->line.event_fd >= 0)
        close(line->line.event_fd);
    line->line.event_fd = -1;
    line->line.edges = GPIO_EDGES_NONE;
}

/* failed: the attribute that could not be set, with errno, or NULL. Returns whether all were set; else the reason. */
static bool judge(const struct sysfs_line *line, const struct gpio_sysfs_place *place, const char *failed,
                  struct sentence *reason) {
    if (!failed)
        return true;
    int error = errno;
    if (strcmp(failed, "edge") == 0 && (error == ENOENT || error == EIO || error == ENXIO || error == EINVAL))
        sentence_say(reason, "the GPIO line %s cannot report edges: it has no interrupt", place->description);
    else if (strcmp(failed, "direction") == 0 && error == ENOENT)
        sentence_say(reason, "the direction of the GPIO line %s cannot be set: it is fixed", place->description);
    else
        say_refused(reason, line, place, failed, error);
    return false;
}

static bool begin_edges(struct sysfs_line *line, const struct gpio_sysfs_place *place,
                        const struct gpio_settings *settings, struct sentence *reason) {
    return judge(line, place, set_edges(line, settings->edges), reason);
}

static bool configure(struct sysfs_line *line, const struct gpio_sysfs_place *place,
                      const struct gpio_settings *settings, struct sentence *reason) {
    return judge(line, place, set_direction(line, settings), reason) && begin_edges(line, place, settings, reason);
}

static void close_descriptor(int fd) {
    if (fd >= 0)
        close(fd);
}

static void line_close(struct gpio_line *closing) {
    struct sysfs_line *line = sysfs_line_of(closing);
    close_descriptor(line->line.event_fd);
    close_descriptor(line->value);
    close_descriptor(line->folder);
    if (line->exported && !keeper_is_handing_over())
        write_number(line->class, "unexport", line->number); /* if this fails, the next start takes it over */
    close_descriptor(line->class);
    free(line);
}

/* Finds a line with settings that this interface has. Returns the class's folder, or -1 with the reason. */
static int find_line(const struct gpio_address *address, const struct gpio_settings *settings,
                     struct gpio_sysfs_place *place, struct sentence *reason) {
    const char *missing = unsupported(settings);
    if (missing) {
        sentence_say(
            reason, "the kernel's sysfs interface of GPIO does not have %s; take the backend \"gpiod\"", missing);
        return -1;
    }
    int class = open(GPIO_SYSFS_CLASS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (class < 0) {
        sentence_say(reason, "this kernel has no sysfs interface of GPIO: there is no " GPIO_SYSFS_CLASS);
        return -1;
    }
    if (gpio_sysfs_find(class, address, place, reason))
        return class;
    close(class);
    return -1;
}

/* A line that is exported may be nound's: the lock is not tried, as it could keep a nound that starts from the line. */
static bool line_check(const struct gpio_address *address, const struct gpio_settings *settings,
                       struct sentence *reason) {
    struct gpio_sysfs_place place;
    char consumer[64];
    int class = find_line(address, settings, &place, reason);
    if (class < 0)
        return false;
    const bool is_taken = place.has_number && faccessat(class, place.folder, F_OK, 0) < 0 &&
                          gpio_sysfs_find_consumer(place.number, consumer, sizeof consumer);
    close(class);
    if (is_taken)
        say_busy(reason, &place);
    return !is_taken;
}

static struct gpio_line *line_open(const struct gpio_address *address, const struct gpio_settings *settings,
                                   struct sentence *reason) {
    struct gpio_sysfs_place place;
    int class = find_line(address, settings, &place, reason);
    if (class < 0)
        return NULL;
    struct sysfs_line *line = calloc(1, sizeof *line);
    if (!line) {
        close(class);
        sentence_say(reason, "there is no memory for the GPIO line");
        return NULL;
    }
    *line = (struct sysfs_line){
        .line = {.event_fd = -1},
        .class = class,
        .folder = -1,
        .value = -1,
        .number = place.number,
        .is_output = settings->is_output,
    };
    snprintf(line->line.description, sizeof line->line.description, "%.159s", place.description);
    bool is_same = false;
    const bool is_taken_over = take_over(line, &place, settings, &is_same);
    struct gpio_settings wanted = *settings;
    wanted.keep_value = wanted.keep_value || (is_taken_over && settings->restored) || keeper_is_fallback();
    if (!open_folder(line, &place, reason) || (!is_taken_over && !hold(line, &place, reason)) ||
        !(is_same ? begin_edges(line, &place, settings, reason) : configure(line, &place, &wanted, reason))) {
        line_close(&line->line);
        return NULL;
    }
    if (!is_taken_over)
        keep(line, &place, settings);
    return &line->line;
}

static int line_get_value(struct gpio_line *line) {
    return read_level(sysfs_line_of(line)->value);
}

static bool set_level(int fd, bool level) {
    return pwrite(fd, level ? "1" : "0", 1, 0) == 1;
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
    const int error = errno;
    end_edges(line);
    errno = error;
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
    .is_usable = is_usable,
    .is_present = is_present,
    .open = line_open,
    .check = line_check,
    .get_value = line_get_value,
    .set_value = line_set_value,
    .set_edges = line_set_edges,
    .read_events = line_read_events,
    .close = line_close,
    .set_kept = set_level,
};
