/* The arguments of openLine (ts/native/gpio.ts), from JavaScript to C. A wrong argument is a bug of the script. */
#include <string.h>

#include "gpio/gpio.h"
#include "text/settings.h"

#define PART(member) offsetof(struct gpio_arguments, member)

static const char *const edge_words[] = {"none", "rising", "falling", "both", NULL};

static const struct setting names[] = {
    {"name", SETTING_TEXT, PART(address.name), NULL},
    {"chip", SETTING_TEXT, PART(address.chip), NULL},
};

static const struct setting numbers[] = {
    {"offset", SETTING_NUMBER, PART(address.offset), NULL},
    {"number", SETTING_NUMBER, PART(address.number), NULL}, /* of sysfs alone */
};

static const struct setting settings[] = {
    {"consumer", SETTING_TEXT, PART(settings.consumer), NULL},
    {"direction", SETTING_WORD, PART(direction), (const char *const[]){"input", "output", NULL}},
    {"bias",
     SETTING_WORD,
     PART(settings.bias),
     (const char *const[]){"as-is", "disabled", "pull-up", "pull-down", NULL}},
    {"drive",
     SETTING_WORD,
     PART(settings.drive),
     (const char *const[]){"push-pull", "open-drain", "open-source", NULL}},
    {"edges", SETTING_WORD, PART(settings.edges), edge_words},
    {"value", SETTING_FLAG, PART(settings.value), NULL},
    {"keepValue", SETTING_FLAG, PART(settings.keep_value), NULL},
    {"restored", SETTING_FLAG, PART(settings.restored), NULL},
    {"exit", SETTING_LEVEL, PART(settings.exit), NULL},
    {"activeLow", SETTING_FLAG, PART(settings.active_low), NULL},
    {"debounce", SETTING_NUMBER, PART(settings.debounce), NULL},
};

bool gpio_edges_read(JSContext *context, JSValueConst value, enum gpio_edges *edges) {
    int place;
    if (!settings_read_word(context, value, "edge", edge_words, &place))
        return false;
    *edges = (enum gpio_edges)place;
    return true;
}

const char *gpio_edges_word(enum gpio_edges edges) {
    return edge_words[edges];
}

bool gpio_arguments_read(JSContext *context, JSValueConst *argv, struct gpio_arguments *arguments) {
    const struct gpio_address *address = &arguments->address;
    *arguments = (struct gpio_arguments){.backend = JS_ToCString(context, argv[0])};
    if (!arguments->backend || !settings_read(context, argv[1], names, 2, arguments) ||
        (!address->name &&
         !settings_read(context, argv[1], numbers, strcmp(arguments->backend, "sysfs") == 0 ? 2 : 1, arguments)) ||
        !settings_read(context, argv[2], settings, sizeof settings / sizeof settings[0], arguments))
        return false;
    arguments->settings.is_output = arguments->direction == 1;
    if (arguments->settings.consumer && (address->name || address->chip))
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
