/* The parts of the module `nound:gpio` that its files share. */
#ifndef NOUND_GPIO_H
#define NOUND_GPIO_H

#include "engine/runtime.h"
#include "gpio/gpio_backend.h"

/* The arguments of openLine. */
struct gpio_arguments {
    const char *backend; /* its name */
    struct gpio_address address;
    struct gpio_settings settings;
    int direction; /* 1 for an output */
};

/* Reads the three arguments of openLine. Returns false with an exception; to be freed in either case. */
bool gpio_arguments_read(JSContext *context, JSValueConst *argv, struct gpio_arguments *arguments);
void gpio_arguments_free(JSContext *context, struct gpio_arguments *arguments);

/* Returns what `listChips` of ts/native/gpio.ts returns, or an exception. Built in where NOUND_GPIOD is defined. */
JSValue gpio_survey(JSContext *context);

/* Reads a word for edges. Returns false with an exception. */
bool gpio_edges_read(JSContext *context, JSValueConst value, enum gpio_edges *edges);

/* Returns the word for edges. */
const char *gpio_edges_word(enum gpio_edges edges);

/*
 * Makes the object of a requested line. The object then owns the line. If this fails, the line is released.
 * Returns the object, or an exception.
 */
JSValue gpio_line_new(struct runtime *runtime, const struct gpio_backend *backend, struct gpio_line *requested);

#endif
