/*
 * The interface of a GPIO backend, and its lines. Levels are logical: true is active.
 *
 * gpio_gpiod.c speaks to the character device, gpio_sysfs.c to the older /sys/class/gpio. Neither knows of JavaScript
 * or of the loop.
 */
#ifndef NOUND_GPIO_BACKEND_H
#define NOUND_GPIO_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "keeper/keeper.h"
#include "text/failure.h"

enum gpio_bias { GPIO_BIAS_AS_IS, GPIO_BIAS_DISABLED, GPIO_BIAS_PULL_UP, GPIO_BIAS_PULL_DOWN };
enum gpio_drive { GPIO_DRIVE_PUSH_PULL, GPIO_DRIVE_OPEN_DRAIN, GPIO_DRIVE_OPEN_SOURCE };
enum gpio_edges { GPIO_EDGES_NONE, GPIO_EDGES_RISING, GPIO_EDGES_FALLING, GPIO_EDGES_BOTH };

/* A line by its chip (a name or a path) and offset there; sysfs also knows a line by the name of its folder. */
struct gpio_address {
    const char *name; /* or NULL */
    const char *chip;
    uint32_t offset;
    uint32_t number; /* of sysfs: what the kernel counts the line by over all chips */
};

/* How a line is requested; LineSettings of ts/native/gpio.ts. */
struct gpio_settings {
    const char *consumer;
    bool is_output;
    bool value;      /* an output's first level */
    bool keep_value; /* if true, a line that is already an output keeps its level instead */
    bool restored;   /* `value` is what a server before this one has stored */
    int exit;        /* the level that an output gets when no noun has it any more after a reload; -1: its own */
    bool active_low;
    enum gpio_bias bias;
    enum gpio_drive drive;
    enum gpio_edges edges;
    uint32_t debounce; /* µs, or 0 */
};

/* Returns whether a line's consumer is a nound: `nound`, or `nound:NOUN`. */
static inline bool gpio_is_own(const char *consumer) {
    return strcmp(consumer, "nound") == 0 || strncmp(consumer, "nound:", strlen("nound:")) == 0;
}

/* The keeper's note of a line (keeper.h): all that the configuration says. If it is the same, the line goes on. */
struct gpio_note {
    int32_t exit; /* as in the settings */
    enum { GPIO_NOTE_INPUT, GPIO_NOTE_OUTPUT_0, GPIO_NOTE_OUTPUT_1, GPIO_NOTE_RESTORED } start;
    uint32_t keep_value, active_low, bias, drive, edges, debounce;
    uint32_t is_exported; /* a nound has exported the line of the older interface; no setting */
    uint32_t twin;        /* of a pair: the other line's offset, and 1; otherwise 0 */
    uint32_t place;       /* of a pair: 0 for its first line, 1 for its second */
};

static inline struct gpio_note gpio_note_of(const struct gpio_settings *settings, bool is_exported) {
    return (struct gpio_note){
        .exit = settings->exit,
        /* A level that is restored is none that the configuration says. */
        .start = !settings->is_output ? GPIO_NOTE_INPUT
                 : settings->restored ? GPIO_NOTE_RESTORED
                 : settings->value    ? GPIO_NOTE_OUTPUT_1
                                      : GPIO_NOTE_OUTPUT_0,
        .keep_value = settings->keep_value,
        .active_low = settings->active_low,
        .bias = settings->bias,
        .drive = settings->drive,
        .edges = settings->edges,
        .debounce = settings->debounce,
        .is_exported = is_exported,
    };
}

static inline struct gpio_note gpio_note_read(const struct keeper_thing *thing) {
    struct gpio_note note;
    memcpy(&note, thing->note, sizeof note);
    return note;
}

struct gpio_event {
    bool value;         /* the level after the edge */
    uint64_t timestamp; /* µs on CLOCK_MONOTONIC */
    uint64_t sequence;  /* from 1 */
};

/* A requested line. Each backend has a larger struct that begins with this one. */
struct gpio_line {
    int event_fd;          /* readable after an edge, or -1 if none are reported; the backend closes it */
    uint32_t event_mask;   /* what epoll watches it for */
    enum gpio_edges edges; /* that are reported */
    char description[160]; /* for people: gpiochip0 17 "GPIO17" */
    char chip[32];         /* the label of its chip, or "" */
};

struct gpio_backend {
    const char *name;           /* as the configuration says it */
    enum keeper_kind kept_kind; /* of its lines at the keeper */

    /*
     * Requests one line, its direction and first level together; or, of addresses that `joins` has joined, two. Two are
     * outputs, whose settings have neither levels nor edges: both are inactive, and to set one active sets the other
     * one inactive, in the same call. lines: gets them. Returns false with a failure, and then holds none.
     */
    bool (*open)(const struct gpio_address addresses[], const struct gpio_settings settings[], size_t count,
                 struct gpio_line *lines[], struct failure *failure);

    /*
     * Finds out whether two lines can be one request: they are on one chip. Returns false with a failure. NULL for a
     * backend without such requests.
     */
    bool (*joins)(const struct gpio_address addresses[2], bool *are_joined, struct failure *failure);

    /*
     * Finds the line of an address, and returns whether it is free or held by nound, as far as this user can know.
     * Requests nothing. Returns false with a failure.
     */
    bool (*check)(const struct gpio_address *address, const struct gpio_settings *settings, struct failure *failure);

    /* Returns the level, 0 or 1, or -1 with errno set. */
    int (*get_value)(struct gpio_line *line);

    /* Returns false with errno set; EPERM for a line that is no output. */
    bool (*set_value)(struct gpio_line *line, bool value);

    /*
     * Changes which edges an input reports, and so `event_fd`. Returns false with errno set; EPERM for an output. Then
     * the line reports none.
     */
    bool (*set_edges)(struct gpio_line *line, enum gpio_edges edges);

    /*
     * Takes the edges that are waiting, without waiting for one. Returns how many, or -1 with errno set.
     * capacity: of events, at least 1.
     */
    int (*read_events)(struct gpio_line *line, struct gpio_event *events, size_t capacity);

    /* Releases the line and frees its memory. */
    void (*close)(struct gpio_line *line);

    /* Sets the level of a line that the keeper holds. */
    bool (*set_kept)(int fd, const struct gpio_note *note, bool value);
};

extern const struct gpio_backend gpio_gpiod; /* built in where NOUND_GPIOD is defined */
extern const struct gpio_backend gpio_sysfs;

#endif
