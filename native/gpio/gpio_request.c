/*
 * Requests lines of the character device by the kernel's own calls: <linux/gpio.h>, version 2, from Linux 5.10 on. The
 * descriptor of a request may outlive this process at the keeper (keeper.h).
 */
#define _GNU_SOURCE 1
#include "gpio/gpio_request.h"

#include <errno.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "engine/descriptor.h"

#define EVENTS_KEPT 256 /* edges that the kernel keeps for us; it drops more, which leaves a gap in the sequence */

int gpio_request_get(int fd, unsigned place) {
    struct gpio_v2_line_values values = {.mask = UINT64_C(1) << place};
    return ioctl(fd, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0 ? -1 : (int)((values.bits >> place) & 1);
}

bool gpio_request_set(int fd, uint64_t bits, uint64_t mask) {
    struct gpio_v2_line_values values = {.bits = bits, .mask = mask};
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

bool gpio_request_configure(int fd, const struct gpio_settings *settings, bool level) {
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
    const int level = gpio_request_get(request.fd, 0);
    if (level >= 0 && gpio_request_configure(request.fd, settings, level == 1))
        return request.fd;
    descriptor_close(request.fd);
    return -1;
}

/*
 * Ends the request of an earlier server, so that one with other lines can have this line. An output gets the level of
 * its exit rule first. Returns false with errno set.
 */
static bool end_request(const struct keeper_thing *line) {
    const struct gpio_note note = gpio_note_read(line);
    const struct keeper_thing *twin = note.twin != 0 ? keeper_find(KEEPER_GPIOD_LINE, line->name, note.twin - 1) : NULL;
    const struct keeper_thing *const lines[] = {line, twin};
    for (size_t i = 0; i < 2; i++) {
        if (!lines[i])
            continue;
        const struct gpio_note ended = gpio_note_read(lines[i]);
        const int fd = keeper_descriptor(lines[i]);
        /* A line whose chip is gone has no level. */
        if (ended.exit >= 0 &&
            !gpio_request_set(fd, (uint64_t)(ended.exit == 1) << ended.place, UINT64_C(1) << ended.place) &&
            errno != ENODEV)
            return false;
    }
    return (!twin || keeper_release(twin)) && keeper_release(line);
}

/*
 * Takes over a line that a server before this one has requested. With the same settings nothing is written. With others
 * the line is configured again: an output gets its level as at a start.
 * Returns the descriptor; -1 if no server had the line, or with errno set if the kernel refuses.
 */
static int take_over(const struct keeper_thing *line, const struct gpio_settings *settings) {
    const struct keeper_thing *before = keeper_find(line->kind, line->name, line->number);
    if (before && gpio_note_read(before).twin != 0) {
        errno = 0;
        if (!end_request(before))
            return -1;
        before = NULL;
    }
    const bool is_same = before && memcmp(before, line, sizeof *line) == 0;
    errno = 0;
    const int fd = keeper_take(before);
    /* After a start that failed, the line may have had other settings meanwhile; an input may report edges still. */
    const bool may_differ = keeper_is_fallback() || (!settings->is_output && settings->edges == GPIO_EDGES_NONE);
    if (fd < 0 || (is_same && !may_differ))
        return fd;
    const int level = gpio_request_get(fd, 0);
    const bool keeps = is_same || settings->keep_value || settings->restored;
    if (gpio_request_configure(fd, settings, keeps && level >= 0 ? level == 1 : settings->value))
        return fd;
    descriptor_close(fd);
    return -1;
}

int gpio_request_obtain(const struct gpio_place *place, const char *chip, const struct gpio_settings *settings,
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

/* Returns what the kernel is to make of both lines. They are inactive. */
static struct gpio_v2_line_config config_of_pair(const struct gpio_pair *pair) {
    struct gpio_v2_line_config config = config_of(&pair->settings[0], false);
    config.attrs[0].mask = 3;
    config.attrs[1].attr.id = GPIO_V2_LINE_ATTR_ID_FLAGS;
    config.attrs[1].attr.flags = config_of(&pair->settings[1], false).flags;
    config.attrs[1].mask = 2;
    config.num_attrs = 2;
    return config;
}

/* Requests both lines. Returns their descriptor, or -1 with errno set. */
static int request_pair(const struct gpio_pair *pair) {
    struct gpio_v2_line_request request = {
        .offsets = {pair->offsets[0], pair->offsets[1]}, .num_lines = 2, .config = config_of_pair(pair)};
    snprintf(request.consumer, sizeof request.consumer, "%s", pair->settings[0].consumer);
    return ioctl(gpiod_chip_get_fd(pair->chip), GPIO_V2_GET_LINE_IOCTL, &request) < 0 ? -1 : request.fd;
}

/*
 * Takes over both lines of a pair that a server before this one has requested. With the same settings nothing is
 * written; with others both become inactive. The requests of other lines end, if they have a line of the pair.
 * Returns the descriptor; -1 with errno 0 if no server had this pair, or with errno set.
 */
static int take_over_pair(const struct gpio_pair *pair, const struct keeper_thing lines[2]) {
    const struct keeper_thing *before[2];
    bool is_pair = true, is_same = !keeper_is_fallback();
    for (size_t i = 0; i < 2; i++) {
        before[i] = keeper_find(lines[i].kind, lines[i].name, lines[i].number);
        const struct gpio_note wanted = gpio_note_read(&lines[i]);
        const struct gpio_note note = before[i] ? gpio_note_read(before[i]) : (struct gpio_note){0};
        is_pair = is_pair && before[i] && note.twin == wanted.twin && note.place == wanted.place;
        is_same = is_same && before[i] && memcmp(before[i], &lines[i], sizeof lines[i]) == 0;
    }
    errno = 0;
    for (size_t i = 0; i < 2 && !is_pair; i++) {
        /* The end of the first line's request may have been that of the second's. */
        before[i] = keeper_find(lines[i].kind, lines[i].name, lines[i].number);
        if (before[i] && !end_request(before[i]))
            return -1;
    }
    errno = 0;
    if (!is_pair)
        return -1;
    /* The keeper had a descriptor for each line, both of the same request. */
    descriptor_close(keeper_take(before[1]));
    const int fd = keeper_take(before[0]);
    struct gpio_v2_line_config config = config_of_pair(pair);
    if (is_same || ioctl(fd, GPIO_V2_LINE_SET_CONFIG_IOCTL, &config) == 0)
        return fd;
    descriptor_close(fd);
    return -1;
}

int gpio_request_obtain_pair(const struct gpio_pair *pair, const char *chip) {
    struct keeper_thing lines[2];
    for (unsigned i = 0; i < 2; i++) {
        struct gpio_note note = gpio_note_of(&pair->settings[i], false);
        note.twin = pair->offsets[1 - i] + 1;
        note.place = i;
        lines[i] = keeper_thing_of(KEEPER_GPIOD_LINE, chip, pair->offsets[i], &note, sizeof note);
    }
    int fd = take_over_pair(pair, lines);
    if (fd < 0 && errno == 0)
        fd = request_pair(pair);
    for (size_t i = 0; i < 2 && fd >= 0; i++)
        keeper_keep(&lines[i], fd);
    return fd;
}
