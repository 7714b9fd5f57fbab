/* The facts of the character devices about their lines, for the script. No line is requested. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <gpiod.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/value.h"
#include "gpio/gpio.h"

static int is_chip(const struct dirent *entry) {
    /* A symbolic link, made by a udev rule, is only a second name of a chip. */
    return strncmp(entry->d_name, "gpiochip", strlen("gpiochip")) == 0 && entry->d_type != DT_LNK;
}

static JSValue new_text(JSContext *context, const char *text) {
    return JS_NewString(context, text ? text : "");
}

/* Returns the object of a line, or an exception. A line that the kernel does not describe counts as used. */
static JSValue new_line(JSContext *context, struct gpiod_chip *chip, unsigned int offset) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    const bool is_output = info && gpiod_line_info_get_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT;
    JSValue line = JS_NewObject(context);
    value_define(context, &line, "name", new_text(context, info ? gpiod_line_info_get_name(info) : NULL));
    value_define(context, &line, "isUsed", JS_NewBool(context, !info || gpiod_line_info_is_used(info)));
    value_define(context, &line, "consumer", new_text(context, info ? gpiod_line_info_get_consumer(info) : NULL));
    value_define(context, &line, "isOutput", JS_NewBool(context, is_output));
    gpiod_line_info_free(info);
    return line;
}

/* Returns the object of a chip, or an exception. chip: NULL with errno set if it cannot be opened. */
static JSValue new_chip(JSContext *context, const char *name, struct gpiod_chip *chip) {
    /* A kernel before 5.10 describes a chip, and no line as libgpiod 2 asks it. */
    struct gpiod_line_info *first = chip ? gpiod_chip_get_line_info(chip, 0) : NULL;
    const char *refusal = first ? "" : strerror(errno);
    struct gpiod_chip_info *info = chip ? gpiod_chip_get_info(chip) : NULL;
    const size_t count = info && first ? gpiod_chip_info_get_num_lines(info) : 0;
    JSValue lines = JS_NewArray(context), object = JS_NewObject(context);
    for (uint32_t offset = 0; offset < count && !JS_IsException(lines); offset++)
        value_set_element(context, &lines, offset, new_line(context, chip, offset));
    value_define(context, &object, "name", new_text(context, name));
    value_define(context, &object, "label", new_text(context, info ? gpiod_chip_info_get_label(info) : NULL));
    value_define(context, &object, "refusal", new_text(context, refusal));
    value_define(context, &object, "lines", lines);
    gpiod_chip_info_free(info);
    gpiod_line_info_free(first);
    return object;
}

JSValue gpio_survey(JSContext *context) {
    JSValue chips = JS_NewArray(context);
    struct dirent **entries = NULL;
    const int count = scandir("/dev", &entries, is_chip, versionsort);
    for (int i = 0; i < count; i++) {
        char path[sizeof "/dev/" + NAME_MAX];
        snprintf(path, sizeof path, "/dev/%s", entries[i]->d_name);
        struct gpiod_chip *chip = gpiod_chip_open(path);
        value_set_element(context, &chips, (uint32_t)i, new_chip(context, entries[i]->d_name, chip));
        gpiod_chip_close(chip);
        free(entries[i]);
    }
    free(entries);
    return chips;
}
