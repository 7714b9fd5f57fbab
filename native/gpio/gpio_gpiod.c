/*
 * The GPIO backend of the character device. libgpiod 2 finds and requests lines. A requested line is a descriptor,
 * which the keeper may hold over a reload (keeper.h): it is used by the kernel's own calls.
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

#include "gpio/gpio_chip.h"
#include "keeper/keeper.h"

#define EVENTS_KEPT 256 /* edges that the kernel keeps for us; it drops more, which leaves a gap in the sequence */
#define EVENTS_READ 16  /* edges taken from it at once */

struct gpiod_held_line {
    struct gpio_line line;
    int fd;                             /* of the request of this one line */
    struct gpiod_line_request *request; /* which owns the descriptor; NULL for one that was taken over */
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

static void release_line(int fd, struct gpiod_line_request *request) {
    const int error = errno;
    if (request)
        gpiod_line_request_release(request);
    else if (fd >= 0)
        close(fd);
    errno = error;
}

/* Returns a line that owns the request or the descriptor, or NULL with errno set after releasing it. */
static struct gpiod_held_line *new_line(int fd, struct gpiod_line_request *request,
                                        const struct gpio_settings *settings) {
    struct gpiod_held_line *held = calloc(1, sizeof *held);
    const bool reports = settings->edges != GPIO_EDGES_NONE;
    if (held && (!reports || fcntl(fd, F_SETFL, O_NONBLOCK) == 0)) {
        *held = (struct gpiod_held_line){
            .line = {.event_fd = reports ? fd : -1, .event_mask = EPOLLIN},
            .fd = fd,
            .request = request,
            .is_output = settings->is_output,
        };
        return held;
    }
    free(held);
    release_line(fd, request);
    return NULL;
}

/* The beginning of the keeper's key of a line. */
static void print_place(char key[KEEPER_KEY_SIZE], const char *chip, unsigned int offset) {
    snprintf(key, KEEPER_KEY_SIZE, "gpiod %s %u ", chip, offset);
}

/* Its end: all that the configuration says. A level that is restored is none that the configuration says. */
static void add_settings(char key[KEEPER_KEY_SIZE], const struct gpio_settings *settings) {
    const size_t length = strlen(key);
    const int start = !settings->is_output ? 'i' : settings->restored ? 'r' : settings->value ? '1' : '0';
    snprintf(key + length,
             KEEPER_KEY_SIZE - length,
             "%c%c%d%d %d %d %d %lu",
             gpio_exit_letter(settings),
             start,
             settings->keep_value,
             settings->active_low,
             settings->bias,
             settings->drive,
             settings->edges,
             (unsigned long)settings->debounce);
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

/* Gives a line that is held other settings. level: that of an output. Returns false with errno set. */
static bool configure(int fd, const struct gpio_settings *settings, bool level) {
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
    struct gpio_v2_line_config_attribute *attribute = &config.attrs[0];
    attribute->mask = 1;
    if (settings->is_output) {
        config.flags |= GPIO_V2_LINE_FLAG_OUTPUT | drive_flags[settings->drive];
        attribute->attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
        attribute->attr.values = level;
        config.num_attrs = 1;
    } else {
        config.flags |= GPIO_V2_LINE_FLAG_INPUT | edge_flags[settings->edges];
        attribute->attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
        attribute->attr.debounce_period_us = settings->debounce;
        config.num_attrs = settings->debounce > 0 ? 1 : 0;
    }
    return ioctl(fd, GPIO_V2_LINE_SET_CONFIG_IOCTL, &config) == 0;
}

/*
 * Takes over a line that a server before this one has requested. With the same settings nothing is written. With others
 * the line is configured again: an output gets its level as at a start.
 * Returns the descriptor; -1 if no server had the line, or with errno set if the kernel refuses.
 */
static int take_over(const char *chip, unsigned int offset, const struct gpio_settings *settings) {
    char key[KEEPER_KEY_SIZE], place[KEEPER_KEY_SIZE], old[KEEPER_KEY_SIZE];
    print_place(place, chip, offset);
    memcpy(key, place, sizeof key);
    add_settings(key, settings);
    errno = 0;
    int fd = keeper_take(key, NULL);
    /* After a start that failed, the line may have had other settings meanwhile. */
    if (fd >= 0 && !keeper_is_fallback())
        return fd;
    const bool is_same = fd >= 0;
    if (!is_same)
        fd = keeper_take(place, old);
    if (fd < 0)
        return -1;
    const int level = get_level(fd);
    const bool keeps = is_same || settings->keep_value || settings->restored;
    if (configure(fd, settings, keeps && level >= 0 ? level == 1 : settings->value)) {
        keeper_keep(key, fd);
        return fd;
    }
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

/* Returns NULL with errno set. */
static struct gpiod_line_request *request(const struct gpio_place *place, const struct gpio_settings *settings,
                                          const char *chip, bool is_output_already) {
    const bool keep = settings->is_output && settings->keep_value && is_output_already;
    struct gpiod_line_request *made =
        keep ? request_keeping(place, settings)
             : request_line(place, settings->consumer, new_config(place->offset, settings, true, settings->value));
    char key[KEEPER_KEY_SIZE];
    print_place(key, chip, place->offset);
    add_settings(key, settings);
    if (made)
        keeper_keep(key, gpiod_line_request_get_fd(made));
    return made;
}

static struct gpio_line *open_place(const struct gpio_place *place, const struct gpio_settings *settings,
                                    struct sentence *reason) {
    char description[sizeof((struct gpio_line *)NULL)->description];
    struct gpiod_line_info *info = gpiod_chip_get_line_info(place->chip, place->offset);
    struct gpiod_chip_info *chip = gpiod_chip_get_info(place->chip);
    const char *chip_name = chip ? gpiod_chip_info_get_name(chip) : gpiod_chip_get_path(place->chip);
    describe(description, sizeof description, place, info);
    int fd = take_over(chip_name, place->offset, settings);
    struct gpiod_line_request *requested = NULL;
    if (fd < 0 && errno == 0 && (requested = request(place, settings, chip_name, is_output(info))))
        fd = gpiod_line_request_get_fd(requested);
    struct gpiod_held_line *held = fd >= 0 ? new_line(fd, requested, settings) : NULL;
    const int error = errno;
    gpiod_chip_info_free(chip);
    gpiod_line_info_free(info);
    if (!held) {
        say_refused(reason, description, place, error);
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
    return get_level(held_line_of(line)->fd);
}

static bool line_set_value(struct gpio_line *line, bool value) {
    const struct gpiod_held_line *held = held_line_of(line);
    if (held->is_output)
        return set_level(held->fd, value);
    errno = EPERM;
    return false;
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
    release_line(held->fd, held->request);
    free(held);
}

const struct gpio_backend gpio_gpiod = {
    .name = "gpiod",
    .place_words = 2,
    .is_usable = gpio_chip_is_usable,
    .is_present = gpio_chip_is_present,
    .open = line_open,
    .check = line_check,
    .get_value = line_get_value,
    .set_value = line_set_value,
    .read_events = line_read_events,
    .close = line_close,
    .set_kept = set_level,
};
