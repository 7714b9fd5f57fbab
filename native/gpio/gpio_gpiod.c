/*
 * The GPIO backend of the character device. libgpiod 2 finds lines and tells of them. A requested line is a descriptor,
 * which the keeper may hold over a reload. So gpio_request.c requests and configures it by the kernel's own calls.
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
#include "gpio/gpio_request.h"

#define EVENTS_READ 16 /* edges taken from it at once */

struct gpiod_held_line {
    struct gpio_line line;
    int fd;                        /* of the request */
    struct gpio_settings settings; /* without its consumer */
    unsigned place;                /* in the request */
    bool is_of_pair;               /* the request has two lines, which are never active together */
    struct gpiod_held_line *twin;  /* the other line of the pair, while it is open: it uses the same descriptor */
};

static struct gpiod_held_line *held_line_of(struct gpio_line *line) {
    return (struct gpiod_held_line *)(void *)line;
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

static bool set_kept(int fd, const struct gpio_note *note, bool level) {
    return gpio_request_set(fd, (uint64_t)level << note->place, UINT64_C(1) << note->place);
}

/* Returns a line that owns the descriptor, or NULL with errno set. */
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
    return NULL;
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
    const int fd = gpio_request_obtain(place, chip_name, settings, is_output(info));
    struct gpiod_held_line *held = fd >= 0 ? new_line(fd, settings) : NULL;
    const int error = errno;
    gpiod_chip_info_free(chip);
    gpiod_line_info_free(info);
    if (!held) {
        descriptor_close(fd);
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

static void line_close(struct gpio_line *line) {
    struct gpiod_held_line *held = held_line_of(line);
    if (held->twin)
        held->twin->twin = NULL;
    else
        close(held->fd);
    free(held);
}

/* Notes that the kernel refuses the lines of a pair: the one that somebody has, or the first. */
static void refuse_pair(struct failure *failure, const struct gpio_pair *pair, int error) {
    char description[sizeof((struct gpio_line *)NULL)->description];
    for (size_t i = 0; i < 2; i++) {
        const struct gpio_place place = {.chip = pair->chip, .offset = pair->offsets[i]};
        struct gpiod_line_info *info = gpiod_chip_get_line_info(place.chip, place.offset);
        const bool is_used = info && gpiod_line_info_is_used(info);
        describe(description, sizeof description, &place, info);
        gpiod_line_info_free(info);
        if (i == 0 || is_used)
            refuse(failure, description, &place, error);
        if (is_used)
            return;
    }
}

static bool is_one_chip(const struct gpio_place places[2]) {
    struct gpiod_chip_info *first = gpiod_chip_get_info(places[0].chip);
    struct gpiod_chip_info *second = gpiod_chip_get_info(places[1].chip);
    const bool is_one =
        first && second && strcmp(gpiod_chip_info_get_name(first), gpiod_chip_info_get_name(second)) == 0;
    gpiod_chip_info_free(first);
    gpiod_chip_info_free(second);
    return is_one;
}

/* Returns a line of a pair, or NULL with errno set. fd: of both. place: which of them it is. */
static struct gpiod_held_line *new_line_of_pair(int fd, const struct gpio_pair *pair, unsigned place,
                                                struct gpiod_chip_info *chip) {
    const struct gpio_place found = {.chip = pair->chip, .offset = pair->offsets[place]};
    struct gpiod_held_line *held = new_line(fd, &pair->settings[place]);
    if (!held)
        return NULL;
    struct gpiod_line_info *info = gpiod_chip_get_line_info(found.chip, found.offset);
    held->place = place;
    held->is_of_pair = true;
    describe(held->line.description, sizeof held->line.description, &found, info);
    snprintf(held->line.chip, sizeof held->line.chip, "%.31s", chip ? gpiod_chip_info_get_label(chip) : "");
    gpiod_line_info_free(info);
    return held;
}

/* Makes the lines of a pair. Returns false with a failure. */
static bool open_both(const struct gpio_pair *pair, struct gpio_line *lines[2], struct failure *failure) {
    struct gpiod_chip_info *chip = gpiod_chip_get_info(pair->chip);
    const char *chip_name = chip ? gpiod_chip_info_get_name(chip) : gpiod_chip_get_path(pair->chip);
    const int fd = gpio_request_obtain_pair(pair, chip_name);
    struct gpiod_held_line *first = fd >= 0 ? new_line_of_pair(fd, pair, 0, chip) : NULL;
    struct gpiod_held_line *second = first ? new_line_of_pair(fd, pair, 1, chip) : NULL;
    const int error = errno;
    gpiod_chip_info_free(chip);
    if (!second) {
        free(first);
        descriptor_close(fd);
        refuse_pair(failure, pair, error);
        return false;
    }
    first->twin = second;
    second->twin = first;
    lines[0] = &first->line;
    lines[1] = &second->line;
    return true;
}

static bool line_open_pair(const struct gpio_address addresses[2], const struct gpio_settings settings[2],
                           struct gpio_line *lines[2], struct failure *failure) {
    struct gpio_place places[2];
    if (!gpio_chip_find(&addresses[0], &places[0], failure))
        return false;
    if (!gpio_chip_find(&addresses[1], &places[1], failure)) {
        gpiod_chip_close(places[0].chip);
        return false;
    }
    bool is_open = false;
    if (is_one_chip(places)) {
        const struct gpio_pair pair = {
            .chip = places[0].chip, .offsets = {places[0].offset, places[1].offset}, .settings = settings};
        is_open = open_both(&pair, lines, failure);
    } else if ((lines[0] = open_place(&places[0], &settings[0], failure))) {
        lines[1] = open_place(&places[1], &settings[1], failure);
        is_open = lines[1] != NULL;
        if (!is_open)
            line_close(lines[0]);
    }
    gpiod_chip_close(places[0].chip);
    gpiod_chip_close(places[1].chip);
    return is_open;
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
    const struct gpiod_held_line *held = held_line_of(line);
    return gpio_request_get(held->fd, held->place);
}

static bool line_set_value(struct gpio_line *line, bool value) {
    const struct gpiod_held_line *held = held_line_of(line);
    const uint64_t own = UINT64_C(1) << held->place;
    if (held->settings.is_output)
        return gpio_request_set(held->fd, value ? own : 0, value && held->is_of_pair ? 3 : own);
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
    const bool is_set = gpio_request_configure(held->fd, &held->settings, false);
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

const struct gpio_backend gpio_gpiod = {
    .name = "gpiod",
    .kept_kind = KEEPER_GPIOD_LINE,
    .open = line_open,
    .open_pair = line_open_pair,
    .check = line_check,
    .get_value = line_get_value,
    .set_value = line_set_value,
    .set_edges = line_set_edges,
    .read_events = line_read_events,
    .close = line_close,
    .set_kept = set_kept,
};
