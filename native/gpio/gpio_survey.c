/* What the character devices tell about all lines, for the script. No line is requested. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <string.h>

#include "gpio/gpio.h"
#include "gpio/gpio_chip.h"

struct survey {
    JSContext *context;
    JSValueConst chips; /* an array */
    uint32_t count;
};

/* Defines a property. Consumes the value. Returns false with an exception. */
static bool define(JSContext *context, JSValueConst object, const char *name, JSValue value) {
    return !JS_IsException(value) && JS_DefinePropertyValueStr(context, object, name, value, JS_PROP_C_W_E) >= 0;
}

static JSValue new_text(JSContext *context, const char *text) {
    return JS_NewString(context, text ? text : "");
}

/* Returns the object of a line, or an exception. A line that the kernel does not describe counts as used. */
static JSValue new_line(JSContext *context, struct gpiod_chip *chip, unsigned int offset) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    JSValue line = JS_NewObject(context);
    if (!JS_IsException(line) &&
        !(define(context, line, "name", new_text(context, info ? gpiod_line_info_get_name(info) : NULL)) &&
          define(context, line, "isUsed", JS_NewBool(context, !info || gpiod_line_info_is_used(info))) &&
          define(context, line, "consumer", new_text(context, info ? gpiod_line_info_get_consumer(info) : NULL)) &&
          define(context,
                 line,
                 "isOutput",
                 JS_NewBool(context, info && gpiod_line_info_get_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT)))) {
        JS_FreeValue(context, line);
        line = JS_EXCEPTION;
    }
    gpiod_line_info_free(info);
    return line;
}

static JSValue new_lines(JSContext *context, struct gpiod_chip *chip, size_t count) {
    JSValue lines = JS_NewArray(context);
    for (uint32_t offset = 0; offset < count && !JS_IsException(lines); offset++) {
        JSValue line = new_line(context, chip, offset);
        if (JS_IsException(line) || JS_SetPropertyUint32(context, lines, offset, line) < 0) {
            JS_FreeValue(context, lines);
            lines = JS_EXCEPTION;
        }
    }
    return lines;
}

static bool add_chip(void *opaque, const char *name, struct gpiod_chip *chip) {
    struct survey *survey = opaque;
    JSContext *context = survey->context;
    const char *refusal = chip ? "" : strerror(errno);
    struct gpiod_chip_info *info = chip ? gpiod_chip_get_info(chip) : NULL;
    const char *label = info ? gpiod_chip_info_get_label(info) : "";
    size_t count = info ? gpiod_chip_info_get_num_lines(info) : 0;
    JSValue object = JS_NewObject(context);
    bool made = !JS_IsException(object) && define(context, object, "name", new_text(context, name)) &&
                define(context, object, "label", new_text(context, label)) &&
                define(context, object, "refusal", new_text(context, refusal)) &&
                define(context, object, "lines", new_lines(context, chip, count));
    gpiod_chip_info_free(info);
    if (made)
        return JS_SetPropertyUint32(context, survey->chips, survey->count++, object) >= 0;
    JS_FreeValue(context, object);
    return false;
}

JSValue gpio_survey(JSContext *context) {
    JSValue chips = JS_NewArray(context);
    struct survey survey = {.context = context, .chips = chips};
    if (JS_IsException(chips) || gpio_chip_each(add_chip, &survey))
        return chips;
    JS_FreeValue(context, chips);
    return JS_EXCEPTION;
}
