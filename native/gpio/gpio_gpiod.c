/*
 * The GPIO backend of the character device. libgpiod 2 finds lines and tells of them. A requested line is a descriptor,
 * which the keeper may hold over a reload (keeper.h). So it is requested, configured and used by the kernel's own
 * calls: <linux/gpio.h>, version 2, from Linux 5.10 on.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "engine/descriptor.h"
#include "gpio/gpio_chip.h"
#include "keeper/keeper.h"

#define EVENTS_KEPT 256 /* edges that the kernel keeps for us; it drops more, which leaves a gap in the sequence */
#define EVENTS_READ 16  /* edges taken from it at once */

struct gpiod_held_line {
    struct gpio_line line;
    int fd;                        /* of the request of this one line */
    struct gpio_settings settings; /* without its consumer */
};

static struct gpiod_held_line *held_line_of(struct gpio_line *line) {
    return (struct gpiod_held_line *)(void *)line;
}

/* Returns the level, or -1 with errno set. */
static int get_level(int fd) {
    struct gpio_v2_line_values values = {.mask = 1};
    return ioctl(fd, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0 ? -1 : (int)(values.bits & 1);
}

static bool set_level(int fd, bool level) {
    struct gpio_v2_line_values values = {.bits = level, .mask = 1};
    return ioctl(fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) == 0;
}

/* Returns what the kernel is to make of a line. level: that of an output. */
static struct gpio_v2_line_config config_of(const struct gpio_settings *settings, bool level) {
    static const uint64_t bias_flags[] = {
        [GPIO_BIAS_DISABLED] = GPIO_V2_LINE_FLAG_BIAS_DISABLED,
        [GPIO_BIAS_PULL_UP] = GPIO_V2_LINE_FLAG_BIAS_PULL_UP,
        [GPIO_BIAS_PULL_DOWN] = GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN,
    };
    static const uint64_t drive_flags[] = {
        [GPIO_DRIVE_OPEN_DRAIN] = GPIO_V2_LINE_FLAG_OPEN_DRAIN,
        [GPIO_DRIVE_OPEN_SOURCE] = GPIO_V2_LINE_FLAG_OPEN_SOURCE,
    };
    static const uint64_t edge_flags[] = {
        [GPIO_EDGES_RISING] = GPIO_V2_LINE_FLAG_EDGE_RISING,
        [GPIO_EDGES_FALLING] = GPIO_V2_LINE_FLAG_EDGE_FALLING,
        [GPIO_EDGES_BOTH] = GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING,
    };
    struct gpio_v2_line_config config = {.flags = bias_flags[settings->bias] |
                                                  (settings->active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0)};
    struct gpio_v2_line_attribute *attribute = &config.attrs[0].attr;
    if (settings->is_output) {
        config.flags |= GPIO_V2_LINE_FLAG_OUTPUT | drive_flags[settings->drive];
        attribute->id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
        attribute->values = level;
    } else {
        config.flags |= GPIO_V2_LINE_FLAG_INPUT | edge_flags[settings->edges];
        attribute->id = settings->debounce > 0 ? GPIO_V2_LINE_ATTR_ID_DEBOUNCE : 0;
        attribute->debounce_period_us = settings->debounce;
    }
    /* The kernel refuses an attribute that is filled in and not counted. */
    config.attrs[0].mask = config.num_attrs = attribute->id != 0 ? 1 : 0;
    return config;
}

/* Gives a requested line these settings. level: that of an output. Returns false with errno set. */
static bool configure(int fd, const struct gpio_settings *settings, bool level) {
    struct gpio_v2_line_config config = config_of(settings, level);
    return ioctl(fd, GPIO_V2_LINE_SET_CONFIG_IOCTL, &config) == 0;
}

/*
 * Requests a line with its settings. One that keeps its level is first requested as it is to read the level, then
 * configured with that level. The driver gets the same level twice, so the line never shows another one.
 * Returns its descriptor, or -1 with errno set.
 */
static int request_line(const struct gpio_place *place, const struct gpio_settings *settings, bool keeps_level) {
    struct gpio_v2_line_request request = {
        .offsets = {place->offset}, .num_lines = 1, .event_buffer_size = EVENTS_KEPT};
    snprintf(request.consumer, sizeof request.consumer, "%s", settings->consumer);
    if (keeps_level)
        request.config.flags = settings->active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0;
    else
        request.config = config_of(settings, settings->value);
    if (ioctl(gpiod_chip_get_fd(place->chip), GPIO_V2_GET_LINE_IOCTL, &request) < 0)
        return -1;
    if (!keeps_level)
        return request.fd;
    const int level = get_level(request.fd);
    if (level >= 0 && configure(request.fd, settings, level == 1))
        return request.fd;
    descriptor_close(request.fd);
    return -1;
}

static bool is_output(struct gpiod_line_info *info) {
    return info && gpiod_line_info_get_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT;
}

static void describe(char *description, size_t size, const struct gpio_place *place, struct gpiod_line_info *info) {
    struct gpiod_chip_info *chip = gpiod_chip_get_info(place->chip);
    const char *name = info ? gpiod_line_info_get_name(info) : NULL;
    const char *chip_name = chip ? gpiod_chip_info_get_name(chip) : gpiod_chip_get_path(place->chip);
    if (name)
        snprintf(description, size, "%s %u \"%s\"", chip_name, place->offset, name);
    else
        snprintf(description, size, "%s %u", chip_name, place->offset);
    gpiod_chip_info_free(chip);
}

/* Notes that the kernel refuses a line, and who has it. */
static void refuse(struct failure *failure, const char *description, const struct gpio_place *place, int error) {
    /* Checked again, because another program may have taken the line meanwhile. */
    struct gpiod_line_info *info = error == EBUSY ? gpiod_chip_get_line_info(place->chip, place->offset) : NULL;
    const char *consumer = info ? gpiod_line_info_get_consumer(info) : NULL;
    failure_note(failure, "gpioLine", error, "%s" AND "%s", description, consumer ? consumer : "");
    gpiod_line_info_free(info);
}

/* Returns a line that owns the descriptor, or NULL with errno set after closing it. */
static struct gpiod_held_line *new_line(int fd, const struct gpio_settings *settings) {
    struct gpiod_held_line *held = calloc(1, sizeof *held);
    if (held && fcntl(fd, F_SETFL, O_NONBLOCK) == 0) {
        *held = (struct gpiod_held_line){
            .line = {.event_fd = settings->edges == GPIO_EDGES_NONE ? -1 : fd,
                     .event_mask = EPOLLIN,
                     .edges = settings->edges},
            .fd = fd,
            .settings = *settings,
        };
        held->settings.consumer = NULL;
        return held;
    }
    free(held);
    descriptor_close(fd);
    return NULL;
}

/*
 * Takes over a line that a server before this one has requested. With the same settings nothing is written. With others
 * the line is configured again: an output gets its level as at a start.
 * Returns the descriptor; -1 if no server had the line, or with errno set if the kernel refuses.
 */
static int take_over(const struct keeper_thing *line, const struct gpio_settings *settings) {
    const struct keeper_thing *before = keeper_find(line->kind, line->name, line->number);
    const bool is_same = before && memcmp(before, line, sizeof *line) == 0;
    errno = 0;
    const int fd = keeper_take(before);
    /* After a start that failed, the line may have had other settings meanwhile; an input may report edges still. */
    const bool may_differ = keeper_is_fallback() || (!settings->is_output && settings->edges == GPIO_EDGES_NONE);
    if (fd < 0 || (is_same && !may_differ))
        return fd;
    const int level = get_level(fd);
    const bool keeps = is_same || settings->keep_value || settings->restored;
    if (configure(fd, settings, keeps && level >= 0 ? level == 1 : settings->value))
        return fd;
    descriptor_close(fd);
    return -1;
}

/* Takes a line over, or requests it. Returns its descriptor, or -1 with errno set. */
static int obtain(const struct gpio_place *place, const char *chip, const struct gpio_settings *settings,
                  bool is_output_already) {
    const struct gpio_note note = gpio_note_of(settings, false);
    const struct keeper_thing line = keeper_thing_of(KEEPER_GPIOD_LINE, chip, place->offset, &note, sizeof note);
    int fd = take_over(&line, settings);
    if (fd < 0 && errno == 0)
        fd = request_line(place, settings, settings->is_output && settings->keep_value && is_output_already);
    if (fd >= 0)
        keeper_keep(&line, fd);
    return fd;
}

static struct gpio_line *open_place(const struct gpio_place *place, const struct gpio_settings *settings,
                                    struct failure *failure) {
    char description[sizeof((struct gpio_line *)NULL)->description];
    struct gpiod_line_info *info = gpiod_chip_get_line_info(place->chip, place->offset);
    struct gpiod_chip_info *chip = gpiod_chip_get_info(place->chip);
    const char *chip_name = chip ? gpiod_chip_info_get_name(chip) : gpiod_chip_get_path(place->chip);
    char label[sizeof((struct gpio_line *)NULL)->chip];
    snprintf(label, sizeof label, "%.31s", chip ? gpiod_chip_info_get_label(chip) : "");
    describe(description, sizeof description, place, info);
    const int fd = obtain(place, chip_name, settings, is_output(info));
    struct gpiod_held_line *held = fd >= 0 ? new_line(fd, settings) : NULL;
    const int error = errno;
    gpiod_chip_info_free(chip);
    gpiod_line_info_free(info);
    if (!held) {
        refuse(failure, description, place, error);
        return NULL;
    }
    memcpy(held->line.description, description, sizeof description);
    memcpy(held->line.chip, label, sizeof label);
    return &held->line;
}

static struct gpio_line *line_open(const struct gpio_address *address, const struct gpio_settings *settings,
                                   struct failure *failure) {
    struct gpio_place place;
    if (!gpio_chip_find(address, &place, failure))
        return NULL;
    struct gpio_line *line = open_place(&place, settings, failure);
    gpiod_chip_close(place.chip); /* a request outlives it */
    return line;
}

static bool line_check(const struct gpio_address *address, const struct gpio_settings *settings,
                       struct failure *failure) {
    (void)settings;
    struct gpio_place place;
    char description[sizeof((struct gpio_line *)NULL)->description];
    if (!gpio_chip_find(address, &place, failure))
        return false;
    struct gpiod_line_info *info = gpiod_chip_get_line_info(place.chip, place.offset);
    const char *consumer = info ? gpiod_line_info_get_consumer(info) : NULL;
    const bool is_free = info && (!gpiod_line_info_is_used(info) || (consumer && gpio_is_own(consumer)));
    const int error = info ? EBUSY : errno;
    describe(description, sizeof description, &place, info);
    if (!is_free)
        refuse(failure, description, &place, error);
    gpiod_line_info_free(info);
    gpiod_chip_close(place.chip);
    return is_free;
}

static int line_get_value(struct gpio_line *line) {
    return get_level(held_line_of(line)->fd);
}

static bool line_set_value(struct gpio_line *line, bool value) {
    const struct gpiod_held_line *held = held_line_of(line);
    if (held->settings.is_output)
        return set_level(held->fd, value);
    errno = EPERM;
    return false;
}

static bool line_set_edges(struct gpio_line *line, enum gpio_edges edges) {
    struct gpiod_held_line *held = held_line_of(line);
    if (held->settings.is_output) {
        errno = EPERM;
        return false;
    }
    held->settings.edges = edges;
    const bool is_set = configure(held->fd, &held->settings, false);
    if (!is_set)
        held->settings.edges = GPIO_EDGES_NONE;
    line->edges = held->settings.edges;
    line->event_fd = line->edges == GPIO_EDGES_NONE ? -1 : held->fd;
    return is_set;
}

static int line_read_events(struct gpio_line *line, struct gpio_event *events, size_t capacity) {
    struct gpio_v2_line_event read_events[EVENTS_READ];
    const size_t most = capacity < EVENTS_READ ? capacity : EVENTS_READ;
    const ssize_t size = read(held_line_of(line)->fd, read_events, most * sizeof read_events[0]);
    if (size < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    const int count = (int)((size_t)size / sizeof read_events[0]);
    for (int i = 0; i < count; i++)
        events[i] = (struct gpio_event){
            .value = read_events[i].id == GPIO_V2_LINE_EVENT_RISING_EDGE,
            .timestamp = read_events[i].timestamp_ns / 1000,
            .sequence = read_events[i].line_seqno,
        };
    return count;
}

static void line_close(struct gpio_line *line) {
    struct gpiod_held_line *held = held_line_of(line);
    close(held->fd);
    free(held);
}

const struct gpio_backend gpio_gpiod = {
    .name = "gpiod",
    .kept_kind = KEEPER_GPIOD_LINE,
    .open = line_open,
    .check = line_check,
    .get_value = line_get_value,
    .set_value = line_set_value,
    .set_edges = line_set_edges,
    .read_events = line_read_events,
    .close = line_close,
    .set_kept = set_level,
};
