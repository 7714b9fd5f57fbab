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

#include "base/descriptor.h"

#define EVENTS_KEPT 256 /* edges that the kernel keeps for us; it drops more, which leaves a gap in the sequence */

int gpio_request_get(int fd, unsigned place) {
    struct gpio_v2_line_values values = {.mask = UINT64_C(1) << place};
    return ioctl(fd, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0 ? -1 : (int)((values.bits >> place) & 1);
}

bool gpio_request_set(int fd, uint64_t bits, uint64_t mask) {
    struct gpio_v2_line_values values = {.bits = bits, .mask = mask};
    return ioctl(fd, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) == 0;
}

/* Returns the flags of a line. */
static uint64_t flags_of(const struct gpio_settings *settings) {
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
    return bias_flags[settings->bias] | (settings->active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0) |
           (settings->is_output ? GPIO_V2_LINE_FLAG_OUTPUT | drive_flags[settings->drive]
                                : GPIO_V2_LINE_FLAG_INPUT | edge_flags[settings->edges]);
}

/* Returns what the kernel is to make of so many lines. level: that of the first one, if it is an output. */
static struct gpio_v2_line_config config_of(const struct gpio_settings *settings, size_t count, bool level) {
    struct gpio_v2_line_config config = {.flags = flags_of(settings)};
    struct gpio_v2_line_attribute *attribute = &config.attrs[0].attr;
    if (settings->is_output) {
        attribute->id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
        attribute->values = level;
    } else {
        attribute->id = settings->debounce > 0 ? GPIO_V2_LINE_ATTR_ID_DEBOUNCE : 0;
        attribute->debounce_period_us = settings->debounce;
    }
    /* The kernel refuses an attribute that is filled in and not counted. */
    config.num_attrs = attribute->id != 0 ? 1 : 0;
    config.attrs[0].mask = config.num_attrs == 0 ? 0 : count == 2 ? 3 : 1;
    if (count == 2) {
        struct gpio_v2_line_config_attribute *second = &config.attrs[config.num_attrs++];
        second->attr.id = GPIO_V2_LINE_ATTR_ID_FLAGS;
        second->attr.flags = flags_of(&settings[1]);
        second->mask = 2;
    }
    return config;
}

bool gpio_request_configure(int fd, const struct gpio_settings *settings, size_t count, bool level) {
    struct gpio_v2_line_config config = config_of(settings, count, level);
    return ioctl(fd, GPIO_V2_LINE_SET_CONFIG_IOCTL, &config) == 0;
}

/*
 * Requests lines with their settings. A single one that keeps its level is first requested as it is to read the level,
 * then configured with that level. The driver gets the same level twice, so the line never shows another one.
 * Returns the descriptor, or -1 with errno set.
 */
static int request_lines(const struct gpio_request *lines) {
    const struct gpio_settings *settings = lines->settings;
    const bool is_single = lines->count == 1;
    const bool keeps_level = is_single && settings->is_output && settings->keep_value && lines->is_output_already;
    struct gpio_v2_line_request request = {.offsets = {lines->offsets[0], lines->offsets[1]},
                                           .num_lines = (uint32_t)lines->count,
                                           .event_buffer_size = EVENTS_KEPT};
    snprintf(request.consumer, sizeof request.consumer, "%s", settings->consumer);
    if (keeps_level)
        request.config.flags = settings->active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0;
    else
        request.config = config_of(settings, lines->count, is_single && settings->value);
    if (ioctl(gpiod_chip_get_fd(lines->chip), GPIO_V2_GET_LINE_IOCTL, &request) < 0)
        return -1;
    if (!keeps_level)
        return request.fd;
    const int level = gpio_request_get(request.fd, 0);
    if (level >= 0 && gpio_request_configure(request.fd, settings, 1, level == 1))
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
 * Takes over lines that a server before this one has requested: the same ones together. Requests of others end if they
 * have a line of these. With the same settings nothing is written. With others the lines are configured again: an
 * output gets its level as at a start. Returns the descriptor; -1 with errno 0 if no server had these lines, or with
 * errno set if the kernel refuses.
 */
static int take_over(const struct gpio_request *request, const struct keeper_thing lines[]) {
    const struct gpio_settings *settings = request->settings;
    const struct keeper_thing *before[2];
    bool were_together = true, are_same = true;
    for (size_t i = 0; i < request->count; i++) {
        before[i] = keeper_find(lines[i].kind, lines[i].name, lines[i].number);
        const struct gpio_note wanted = gpio_note_read(&lines[i]);
        const struct gpio_note note = before[i] ? gpio_note_read(before[i]) : (struct gpio_note){0};
        were_together = were_together && before[i] && note.twin == wanted.twin && note.place == wanted.place;
        are_same = are_same && before[i] && memcmp(before[i], &lines[i], sizeof lines[i]) == 0;
    }
    for (size_t i = 0; i < request->count && !were_together; i++) {
        /* The end of the first line's request may have been that of the second's. */
        before[i] = keeper_find(lines[i].kind, lines[i].name, lines[i].number);
        if (before[i] && !end_request(before[i]))
            return -1;
    }
    errno = 0;
    if (!were_together)
        return -1;
    /* The keeper had a descriptor for each line, all of the same request. */
    if (request->count == 2)
        descriptor_close(keeper_take(before[1]));
    const int fd = keeper_take(before[0]);
    /* After a start that failed, the line may have had other settings meanwhile; an input may report edges still. */
    const bool may_differ = keeper_is_fallback() || (!settings->is_output && settings->edges == GPIO_EDGES_NONE);
    if (fd < 0 || (are_same && !may_differ))
        return fd;
    const bool keeps = are_same || settings->keep_value || settings->restored;
    const int held = keeps ? gpio_request_get(fd, 0) : -1;
    const bool level = request->count == 1 && (held >= 0 ? held == 1 : settings->value);
    if (gpio_request_configure(fd, settings, request->count, level))
        return fd;
    descriptor_close(fd);
    return -1;
}

int gpio_request_obtain(const struct gpio_request *request) {
    struct keeper_thing lines[2];
    for (unsigned i = 0; i < request->count; i++) {
        struct gpio_note note = gpio_note_of(&request->settings[i], false);
        note.twin = request->count == 2 ? request->offsets[1 - i] + 1 : 0;
        note.place = i;
        lines[i] = keeper_thing_of(KEEPER_GPIOD_LINE, request->chip_name, request->offsets[i], &note, sizeof note);
    }
    int fd = take_over(request, lines);
    if (fd < 0 && errno == 0)
        fd = request_lines(request);
    for (size_t i = 0; i < request->count && fd >= 0; i++)
        keeper_keep(&lines[i], fd);
    return fd;
}
