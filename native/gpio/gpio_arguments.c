/* The arguments of openLine (ts/native/gpio.ts), from JavaScript to C. A wrong argument is a bug of the script.
 */
#include <math.h>
#include <string.h>

#include "gpio/gpio.h"
#include "text/text_argument.h"

/* Returns the choice whose word the text is, or -1. Consumes the value. */
static int choice_of(JSContext *context, JSValue value, const char *const *words, int count) {
    const char *text = JS_IsString(value) ? JS_ToCString(context, value) : NULL;
    int choice = -1;
    for (int i = 0; text && i < count; i++)
        if (strcmp(text, words[i]) == 0)
            choice = i;
    JS_FreeCString(context, text);
    JS_FreeValue(context, value);
    return choice;
}

/* Reads a setting that is one of several words, in the order of its enum. Returns false with an exception. */
static bool read_choice(JSContext *context, JSValueConst settings, const char *name, const char *const *words,
                        int count, int *choice) {
    JSValue value = JS_GetPropertyStr(context, settings, name);
    if (JS_IsException(value))
        return false;
    *choice = choice_of(context, value, words, count);
    if (*choice < 0)
        JS_ThrowTypeError(context, "openLine does not know this %s", name);
    return *choice >= 0;
}

static bool read_flag(JSContext *context, JSValueConst settings, const char *name, bool *flag) {
    JSValue value = JS_GetPropertyStr(context, settings, name);
    int result = JS_IsException(value) ? -1 : JS_ToBool(context, value);
    JS_FreeValue(context, value);
    *flag = result > 0;
    return result >= 0;
}

static bool read_number(JSContext *context, JSValueConst settings, const char *name, uint32_t *number) {
    double value;
    JSValue property = JS_GetPropertyStr(context, settings, name);
    int result = JS_IsException(property) ? -1 : JS_ToFloat64(context, &value, property);
    JS_FreeValue(context, property);
    if (result < 0)
        return false;
    if (!(value >= 0 && value <= INT32_MAX && value == floor(value))) {
        JS_ThrowRangeError(context, "openLine expects %s to be an integer of 0 to 2147483647", name);
        return false;
    }
    *number = (uint32_t)value;
    return true;
}

/* Reads a level; undefined is -1. */
static bool read_level(JSContext *context, JSValueConst settings, const char *name, int *level) {
    JSValue value = JS_GetPropertyStr(context, settings, name);
    *level = JS_IsException(value) || JS_IsUndefined(value) ? -1 : JS_ToBool(context, value);
    const bool read = !JS_IsException(value);
    JS_FreeValue(context, value);
    return read;
}

/* Reads a text without NUL; undefined is NULL. The text is the caller's to free (JS_FreeCString). */
static bool read_text(JSContext *context, JSValueConst object, const char *name, const char **text) {
    JSValue value = JS_GetPropertyStr(context, object, name);
    if (JS_IsException(value))
        return false;
    *text = JS_IsUndefined(value) ? NULL : text_argument(context, value, name);
    bool read = *text || JS_IsUndefined(value);
    JS_FreeValue(context, value);
    return read;
}

#define CHOICES(words) words, (int)(sizeof words / sizeof words[0])

static const char *const edge_words[] = {"none", "rising", "falling", "both"};

bool gpio_edges_read(JSContext *context, JSValueConst value, enum gpio_edges *edges) {
    const int choice = choice_of(context, JS_DupValue(context, value), CHOICES(edge_words));
    if (choice < 0) {
        JS_ThrowTypeError(context, "setEdges expects \"none\", \"rising\", \"falling\" or \"both\"");
        return false;
    }
    *edges = (enum gpio_edges)choice;
    return true;
}

const char *gpio_edges_word(enum gpio_edges edges) {
    return edge_words[edges];
}

/* Reads all but the consumer. Returns false with an exception. */
static bool read_settings(JSContext *context, JSValueConst object, struct gpio_settings *settings) {
    static const char *const directions[] = {"input", "output"};
    static const char *const biases[] = {"as-is", "disabled", "pull-up", "pull-down"};
    static const char *const drives[] = {"push-pull", "open-drain", "open-source"};
    int direction, bias, drive, edge;
    if (!read_choice(context, object, "direction", CHOICES(directions), &direction) ||
        !read_choice(context, object, "bias", CHOICES(biases), &bias) ||
        !read_choice(context, object, "drive", CHOICES(drives), &drive) ||
        !read_choice(context, object, "edges", CHOICES(edge_words), &edge) ||
        !read_flag(context, object, "value", &settings->value) ||
        !read_flag(context, object, "keepValue", &settings->keep_value) ||
        !read_flag(context, object, "restored", &settings->restored) ||
        !read_level(context, object, "exit", &settings->exit) ||
        !read_flag(context, object, "activeLow", &settings->active_low) ||
        !read_number(context, object, "debounce", &settings->debounce))
        return false;
    settings->is_output = direction == 1;
    settings->bias = (enum gpio_bias)bias;
    settings->drive = (enum gpio_drive)drive;
    settings->edges = (enum gpio_edges)edge;
    return true;
}

bool gpio_arguments_read(JSContext *context, JSValueConst *argv, struct gpio_arguments *arguments) {
    struct gpio_address *address = &arguments->address;
    struct gpio_settings *settings = &arguments->settings;
    *arguments = (struct gpio_arguments){.backend = JS_ToCString(context, argv[0])};
    if (!arguments->backend || !read_text(context, argv[1], "name", &address->name) ||
        !read_text(context, argv[1], "chip", &address->chip) ||
        (!address->name && !read_number(context, argv[1], "offset", &address->offset)) ||
        (!address->name && strcmp(arguments->backend, "sysfs") == 0 &&
         !read_number(context, argv[1], "number", &address->number)) ||
        !read_text(context, argv[2], "consumer", &settings->consumer) || !read_settings(context, argv[2], settings))
        return false;
    if (settings->consumer && (address->name || address->chip))
        return true;
    JS_ThrowTypeError(context, "openLine expects a line's name, or its chip and offset, and a consumer");
    return false;
}

void gpio_arguments_free(JSContext *context, struct gpio_arguments *arguments) {
    JS_FreeCString(context, arguments->settings.consumer);
    JS_FreeCString(context, arguments->address.chip);
    JS_FreeCString(context, arguments->address.name);
    JS_FreeCString(context, arguments->backend);
}
