/*
 * The GPIO backend of the character device. libgpiod 2 finds lines and tells of them. A requested line is a descriptor,
 * which the keeper may hold over a reload. So gpio_request.c requests and configures it by the kernel's own calls.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/descriptor.h"
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

/* Opens the chip of an address, which has no name and must have its line. Returns NULL with a failure. */
static struct gpiod_chip *find_chip(const struct gpio_address *address, struct failure *failure) {
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

static bool is_output(struct gpiod_line_info *info) {
    return info && gpiod_line_info_get_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT;
}

static void describe(char *description, size_t size, struct gpiod_chip *chip, unsigned offset) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    struct gpiod_chip_info *chip_info = gpiod_chip_get_info(chip);
    const char *name = info ? gpiod_line_info_get_name(info) : NULL;
    const char *chip_name = chip_info ? gpiod_chip_info_get_name(chip_info) : gpiod_chip_get_path(chip);
    if (name)
        snprintf(description, size, "%s %u \"%s\"", chip_name, offset, name);
    else
        snprintf(description, size, "%s %u", chip_name, offset);
    gpiod_chip_info_free(chip_info);
    gpiod_line_info_free(info);
}

/* Notes that the kernel refuses lines of a request: the one that somebody has, or the first; and who has it. */
static void refuse(struct failure *failure, const struct gpio_request *request, int error) {
    char description[sizeof((struct gpio_line *)NULL)->description];
    bool is_used = false;
    for (size_t i = 0; i < request->count && !is_used; i++) {
        /* Checked again, because another program may have taken the line meanwhile. */
        struct gpiod_line_info *info = gpiod_chip_get_line_info(request->chip, request->offsets[i]);
        const char *consumer = info && error == EBUSY ? gpiod_line_info_get_consumer(info) : NULL;
        is_used = info && gpiod_line_info_is_used(info);
        describe(description, sizeof description, request->chip, request->offsets[i]);
        if (i == 0 || is_used)
            failure_note(failure, "gpioLine", error, "%s" AND "%s", description, consumer ? consumer : "");
        gpiod_line_info_free(info);
    }
}

static bool set_kept(int fd, const struct gpio_note *note, bool level) {
    return gpio_request_set(fd, (uint64_t)level << note->place, UINT64_C(1) << note->place);
}

/* Returns a line of a request, or NULL with errno set. fd: of the request. */
static struct gpiod_held_line *new_line(int fd, const struct gpio_request *request, unsigned place,
                                        struct gpiod_chip_info *chip) {
    const struct gpio_settings *settings = &request->settings[place];
    struct gpiod_held_line *held = calloc(1, sizeof *held);
    if (!held || fcntl(fd, F_SETFL, O_NONBLOCK) < 0) {
        free(held);
        return NULL;
    }
    *held = (struct gpiod_held_line){
        .line = {.event_fd = settings->edges == GPIO_EDGES_NONE ? -1 : fd,
                 .event_mask = EPOLLIN,
                 .edges = settings->edges},
        .fd = fd,
        .settings = *settings,
        .place = place,
        .is_of_pair = request->count == 2,
    };
    held->settings.consumer = NULL;
    describe(held->line.description, sizeof held->line.description, request->chip, request->offsets[place]);
    snprintf(held->line.chip, sizeof held->line.chip, "%.31s", chip ? gpiod_chip_info_get_label(chip) : "");
    return held;
}

/* Requests the lines. Returns false with a failure. */
static bool open_lines(struct gpio_request *request, struct gpio_line *lines[], struct failure *failure) {
    struct gpiod_held_line *held[2] = {NULL, NULL};
    struct gpiod_line_info *info = gpiod_chip_get_line_info(request->chip, request->offsets[0]);
    struct gpiod_chip_info *chip = gpiod_chip_get_info(request->chip);
    request->is_output_already = is_output(info);
    request->chip_name = chip ? gpiod_chip_info_get_name(chip) : gpiod_chip_get_path(request->chip);
    const int fd = gpio_request_obtain(request);
    bool is_open = fd >= 0;
    for (unsigned i = 0; i < request->count && is_open; i++)
        is_open = (held[i] = new_line(fd, request, i, chip)) != NULL;
    const int error = errno;
    gpiod_chip_info_free(chip);
    gpiod_line_info_free(info);
    if (!is_open) {
        free(held[0]);
        descriptor_close(fd);
        refuse(failure, request, error);
        return false;
    }
    for (size_t i = 0; i < request->count; i++) {
        held[i]->twin = held[1 - i]; /* NULL without a pair */
        lines[i] = &held[i]->line;
    }
    return true;
}

static void line_close(struct gpio_line *line) {
    struct gpiod_held_line *held = held_line_of(line);
    if (held->twin)
        held->twin->twin = NULL;
    else
        close(held->fd);
    free(held);
}

static bool joins(const struct gpio_address addresses[2], bool *are_joined, struct failure *failure) {
    struct gpiod_chip *first = find_chip(&addresses[0], failure);
    struct gpiod_chip *second = first ? find_chip(&addresses[1], failure) : NULL;
    const bool are_found = second != NULL;
    struct gpiod_chip_info *one = first ? gpiod_chip_get_info(first) : NULL;
    struct gpiod_chip_info *other = second ? gpiod_chip_get_info(second) : NULL;
    *are_joined = one && other && strcmp(gpiod_chip_info_get_name(one), gpiod_chip_info_get_name(other)) == 0;
    gpiod_chip_info_free(one);
    gpiod_chip_info_free(other);
    gpiod_chip_close(first);
    gpiod_chip_close(second);
    return are_found;
}

static bool line_open(const struct gpio_address addresses[], const struct gpio_settings settings[], size_t count,
                      struct gpio_line *lines[], struct failure *failure) {
    struct gpio_request request = {.chip = find_chip(addresses, failure), .count = count, .settings = settings};
    for (size_t i = 0; i < count; i++)
        request.offsets[i] = addresses[i].offset;
    const bool is_open = request.chip && open_lines(&request, lines, failure);
    gpiod_chip_close(request.chip); /* a request outlives it */
    return is_open;
}

static bool line_check(const struct gpio_address *address, const struct gpio_settings *settings,
                       struct failure *failure) {
    const struct gpio_request request = {
        .chip = find_chip(address, failure), .count = 1, .offsets = {address->offset}, .settings = settings};
    if (!request.chip)
        return false;
    struct gpiod_line_info *info = gpiod_chip_get_line_info(request.chip, address->offset);
    const char *consumer = info ? gpiod_line_info_get_consumer(info) : NULL;
    const bool is_free = info && (!gpiod_line_info_is_used(info) || (consumer && gpio_is_own(consumer)));
    if (!is_free)
        refuse(failure, &request, info ? EBUSY : errno);
    gpiod_line_info_free(info);
    gpiod_chip_close(request.chip);
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
    const bool is_set = gpio_request_configure(held->fd, &held->settings, 1, false);
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
    .joins = joins,
    .check = line_check,
    .get_value = line_get_value,
    .set_value = line_set_value,
    .set_edges = line_set_edges,
    .read_events = line_read_events,
    .close = line_close,
    .set_kept = set_kept,
};
