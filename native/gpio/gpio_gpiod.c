/* The GPIO backend of the character device, by libgpiod 2. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "gpio/gpio_chip.h"
#include "loop/loop.h"

#define EVENTS_KEPT 256 /* edges that the kernel keeps for us; it drops more, which leaves a gap in the sequence */
#define EVENTS_READ 16  /* edges taken from it at once */

struct gpiod_held_line {
    struct gpio_line line;
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events; /* or NULL when no edges were asked for */
    unsigned int offset;
    bool is_output;
};

static struct gpiod_held_line *held_line_of(struct gpio_line *line) {
    return (struct gpiod_held_line *)(void *)line;
}

static enum gpiod_line_value value_of(bool value) {
    return value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}

static const enum gpiod_line_bias biases[] = {
    [GPIO_BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
    [GPIO_BIAS_DISABLED] = GPIOD_LINE_BIAS_DISABLED,
    [GPIO_BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
    [GPIO_BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
};
static const enum gpiod_line_drive drives[] = {
    [GPIO_DRIVE_PUSH_PULL] = GPIOD_LINE_DRIVE_PUSH_PULL,
    [GPIO_DRIVE_OPEN_DRAIN] = GPIOD_LINE_DRIVE_OPEN_DRAIN,
    [GPIO_DRIVE_OPEN_SOURCE] = GPIOD_LINE_DRIVE_OPEN_SOURCE,
};
static const enum gpiod_line_edge edges[] = {
    [GPIO_EDGES_NONE] = GPIOD_LINE_EDGE_NONE,
    [GPIO_EDGES_RISING] = GPIOD_LINE_EDGE_RISING,
    [GPIO_EDGES_FALLING] = GPIOD_LINE_EDGE_FALLING,
    [GPIO_EDGES_BOTH] = GPIOD_LINE_EDGE_BOTH,
};

/* Fills in the requested settings. Returns false with errno set. */
static bool fill_in(struct gpiod_line_settings *settings, const struct gpio_settings *wanted, bool value) {
    gpiod_line_settings_set_debounce_period_us(settings, wanted->debounce);
    return gpiod_line_settings_set_direction(
               settings, wanted->is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT) == 0 &&
           gpiod_line_settings_set_output_value(settings, value_of(value)) == 0 &&
           gpiod_line_settings_set_bias(settings, biases[wanted->bias]) == 0 &&
           gpiod_line_settings_set_drive(settings, drives[wanted->drive]) == 0 &&
           gpiod_line_settings_set_edge_detection(settings, edges[wanted->edges]) == 0;
}

/*
 * Returns a line configuration, or NULL with errno set.
 * touch: whether it has the requested settings and this level; otherwise it leaves direction and level as they are.
 */
static struct gpiod_line_config *new_config(unsigned int offset, const struct gpio_settings *wanted, bool touch,
                                            bool value) {
    struct gpiod_line_config *config = gpiod_line_config_new();
    struct gpiod_line_settings *settings = gpiod_line_settings_new(); /* all "as is" */
    bool made = config && settings && (!touch || fill_in(settings, wanted, value));
    if (made) {
        gpiod_line_settings_set_active_low(settings, wanted->active_low);
        made = gpiod_line_config_add_line_settings(config, &offset, 1, settings) == 0;
    }
    int error = errno;
    gpiod_line_settings_free(settings);
    if (made)
        return config;
    gpiod_line_config_free(config);
    errno = error;
    return NULL;
}

/* Requests the line. Frees the configuration, which may be NULL. Returns NULL with errno set. */
static struct gpiod_line_request *request_line(const struct gpio_place *place, const char *consumer,
                                               struct gpiod_line_config *config) {
    if (!config)
        return NULL;
    struct gpiod_line_request *request = NULL;
    struct gpiod_request_config *about = gpiod_request_config_new();
    if (about) {
        gpiod_request_config_set_consumer(about, consumer);
        gpiod_request_config_set_event_buffer_size(about, EVENTS_KEPT);
        request = gpiod_chip_request_lines(place->chip, about, config);
    }
    int error = errno;
    gpiod_request_config_free(about);
    gpiod_line_config_free(config);
    errno = error;
    return request;
}

static bool reconfigure(struct gpiod_line_request *request, struct gpiod_line_config *config) {
    bool done = config && gpiod_line_request_reconfigure_lines(request, config) == 0;
    int error = errno;
    gpiod_line_config_free(config);
    errno = error;
    return done;
}

/*
 * Requests a line that is already an output, and keeps its level. It first requests the line unchanged to read the
 * level, then with the requested settings and that level. The driver gets the same level twice, so the line never shows
 * another one.
 */
static struct gpiod_line_request *request_keeping(const struct gpio_place *place,
                                                  const struct gpio_settings *settings) {
    struct gpiod_line_request *request =
        request_line(place, settings->consumer, new_config(place->offset, settings, false, false));
    if (!request)
        return NULL;
    enum gpiod_line_value value = gpiod_line_request_get_value(request, place->offset);
    if (value != GPIOD_LINE_VALUE_ERROR &&
        reconfigure(request, new_config(place->offset, settings, true, value == GPIOD_LINE_VALUE_ACTIVE)))
        return request;
    int error = errno;
    gpiod_line_request_release(request);
    errno = error;
    return NULL;
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

static void say_refused(struct sentence *reason, const char *description, const struct gpio_place *place, int error) {
    /* Checked again, because another program may have taken the line meanwhile. */
    struct gpiod_line_info *info = error == EBUSY ? gpiod_chip_get_line_info(place->chip, place->offset) : NULL;
    const char *consumer = info ? gpiod_line_info_get_consumer(info) : NULL;
    if (error == EBUSY && consumer)
        sentence_say(reason, "the GPIO line %s is in use by \"%s\"", description, consumer);
    else if (error == EBUSY)
        sentence_say(reason, "the GPIO line %s is in use by another program or by the kernel", description);
    else if (error == EINVAL)
        sentence_say(reason,
                     "the kernel refuses these settings for the GPIO line %s, or its pin has another function now "
                     "(`dmesg` may say which)",
                     description);
    else
        sentence_say(reason, "the kernel refuses the GPIO line %s: %s", description, strerror(error));
    gpiod_line_info_free(info);
}

/* Returns a line that owns the request, or NULL with errno set after releasing the request. */
static struct gpiod_held_line *new_line(struct gpiod_line_request *request, const struct gpio_place *place,
                                        const struct gpio_settings *settings) {
    struct gpiod_held_line *held = calloc(1, sizeof *held);
    if (!held) {
        gpiod_line_request_release(request);
        return NULL;
    }
    held->request = request;
    held->offset = place->offset;
    held->is_output = settings->is_output;
    held->line.event_fd = -1;
    if (settings->edges == GPIO_EDGES_NONE)
        return held;
    int fd = gpiod_line_request_get_fd(request);
    held->events = gpiod_edge_event_buffer_new(EVENTS_READ);
    if (held->events && fcntl(fd, F_SETFL, O_NONBLOCK) == 0) {
        held->line.event_fd = fd;
        held->line.event_mask = EPOLLIN;
        return held;
    }
    int error = errno;
    gpiod_edge_event_buffer_free(held->events);
    gpiod_line_request_release(request);
    free(held);
    errno = error;
    return NULL;
}

static struct gpio_line *open_place(const struct gpio_place *place, const struct gpio_settings *settings,
                                    struct sentence *reason) {
    char description[sizeof((struct gpio_line *)NULL)->description];
    struct gpiod_line_info *info = gpiod_chip_get_line_info(place->chip, place->offset);
    describe(description, sizeof description, place, info);
    bool keep = settings->is_output && settings->keep_value && is_output(info);
    gpiod_line_info_free(info);

    struct gpiod_line_request *request =
        keep ? request_keeping(place, settings)
             : request_line(place, settings->consumer, new_config(place->offset, settings, true, settings->value));
    struct gpiod_held_line *held = request ? new_line(request, place, settings) : NULL;
    if (!held) {
        say_refused(reason, description, place, errno);
        return NULL;
    }
    memcpy(held->line.description, description, sizeof description);
    return &held->line;
}

static struct gpio_line *line_open(const struct gpio_address *address, const struct gpio_settings *settings,
                                   struct sentence *reason) {
    struct gpio_place place;
    if (!gpio_chip_find(address, &place, reason))
        return NULL;
    struct gpio_line *line = open_place(&place, settings, reason);
    gpiod_chip_close(place.chip); /* a request outlives it */
    return line;
}

static bool line_check(const struct gpio_address *address, const struct gpio_settings *settings,
                       struct sentence *reason) {
    (void)settings;
    struct gpio_place place;
    char description[sizeof((struct gpio_line *)NULL)->description];
    if (!gpio_chip_find(address, &place, reason))
        return false;
    struct gpiod_line_info *info = gpiod_chip_get_line_info(place.chip, place.offset);
    const char *consumer = info ? gpiod_line_info_get_consumer(info) : NULL;
    const bool is_free = info && (!gpiod_line_info_is_used(info) || (consumer && gpio_is_own(consumer)));
    const int error = info ? EBUSY : errno;
    describe(description, sizeof description, &place, info);
    if (!is_free)
        say_refused(reason, description, &place, error);
    gpiod_line_info_free(info);
    gpiod_chip_close(place.chip);
    return is_free;
}

static int line_get_value(struct gpio_line *line) {
    struct gpiod_held_line *held = held_line_of(line);
    enum gpiod_line_value value = gpiod_line_request_get_value(held->request, held->offset);
    return value == GPIOD_LINE_VALUE_ERROR ? -1 : value == GPIOD_LINE_VALUE_ACTIVE;
}

static bool line_set_value(struct gpio_line *line, bool value) {
    struct gpiod_held_line *held = held_line_of(line);
    if (!held->is_output) {
        errno = EPERM;
        return false;
    }
    return gpiod_line_request_set_value(held->request, held->offset, value_of(value)) == 0;
}

static int line_read_events(struct gpio_line *line, struct gpio_event *events, size_t capacity) {
    struct gpiod_held_line *held = held_line_of(line);
    int count = gpiod_line_request_read_edge_events(held->request, held->events, capacity);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(held->events, (unsigned long)i);
        events[i] = (struct gpio_event){
            .value = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
            .timestamp = gpiod_edge_event_get_timestamp_ns(event) / 1000,
            .sequence = gpiod_edge_event_get_line_seqno(event),
        };
    }
    return count;
}

static void line_close(struct gpio_line *line) {
    struct gpiod_held_line *held = held_line_of(line);
    gpiod_edge_event_buffer_free(held->events);
    gpiod_line_request_release(held->request);
    free(held);
}

const struct gpio_backend gpio_gpiod = {
    .name = "gpiod",
    .is_usable = gpio_chip_is_usable,
    .is_present = gpio_chip_is_present,
    .open = line_open,
    .check = line_check,
    .get_value = line_get_value,
    .set_value = line_set_value,
    .read_events = line_read_events,
    .close = line_close,
};
