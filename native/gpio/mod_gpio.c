/* The JS module `nound:gpio` (ts/native/gpio.ts): GPIO lines of either backend, and their edges from the loop. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/handle.h"
#include "engine/value.h"
#include "gpio/gpio.h"
#include "keeper/keeper.h"

static const struct gpio_backend *const backends[] = {
#ifdef NOUND_GPIOD
    &gpio_gpiod,
#endif
    &gpio_sysfs,
};
static const size_t backend_count = sizeof backends / sizeof backends[0];

/* Returns the backend of this name, or NULL with a failure, which has the names that there are. */
static const struct gpio_backend *find_backend(const char *name, struct failure *failure) {
    failure_note(failure, "gpioBackend", 0, "%.64s" AND, name);
    for (size_t i = 0; i < backend_count; i++) {
        if (strcmp(backends[i]->name, name) == 0)
            return backends[i];
        failure_add(failure, "%s%s", i > 0 ? ", " : "", backends[i]->name);
    }
    return NULL;
}

static JSValue open_line(JSContext *context, const struct gpio_arguments *arguments) {
    struct failure failure;
    const struct gpio_backend *backend = find_backend(arguments->backend, &failure);
    struct gpio_line *line = backend ? backend->open(&arguments->address, &arguments->settings, &failure) : NULL;
    return line ? gpio_line_new(runtime_of(context), backend, line) : failure_throw(context, &failure);
}

SCRIPT_FUNCTION(gpio_open_line) {
    struct gpio_arguments arguments;
    bool read = gpio_arguments_read(context, argv, &arguments);
    JSValue result = read ? open_line(context, &arguments) : JS_EXCEPTION;
    gpio_arguments_free(context, &arguments);
    return result;
}

/* Requests two lines one after the other. Returns false with a failure, and then holds neither. */
static bool open_both(const struct gpio_backend *const backend[2], const struct gpio_arguments arguments[2],
                      struct gpio_line *lines[2], struct failure *failure) {
    lines[0] = backend[0]->open(&arguments[0].address, &arguments[0].settings, failure);
    lines[1] = lines[0] ? backend[1]->open(&arguments[1].address, &arguments[1].settings, failure) : NULL;
    if (lines[0] && !lines[1])
        backend[0]->close(lines[0]);
    return lines[1] != NULL;
}

static JSValue open_pair(JSContext *context, const struct gpio_arguments arguments[2]) {
    struct failure failure;
    struct gpio_line *lines[2];
    const struct gpio_backend *const first = find_backend(arguments[0].backend, &failure);
    const struct gpio_backend *const second = first ? find_backend(arguments[1].backend, &failure) : NULL;
    if (!second)
        return failure_throw(context, &failure);
    const struct gpio_address addresses[] = {arguments[0].address, arguments[1].address};
    const struct gpio_settings settings[] = {arguments[0].settings, arguments[1].settings};
    const bool is_open = first == second && first->open_pair
                             ? first->open_pair(addresses, settings, lines, &failure)
                             : open_both((const struct gpio_backend *[]){first, second}, arguments, lines, &failure);
    if (!is_open)
        return failure_throw(context, &failure);
    JSValue handles[] = {gpio_line_new(runtime_of(context), first, lines[0]), JS_EXCEPTION};
    if (JS_IsException(handles[0])) {
        second->close(lines[1]);
        return JS_EXCEPTION;
    }
    handles[1] = gpio_line_new(runtime_of(context), second, lines[1]);
    if (!JS_IsException(handles[1]))
        return JS_NewArrayFrom(context, 2, handles);
    (void)handle_close(context, handles[0], 0, NULL, HANDLE_LINE);
    JS_FreeValue(context, handles[0]);
    return JS_EXCEPTION;
}

SCRIPT_FUNCTION(gpio_open_pair) {
    struct gpio_arguments arguments[2] = {0};
    const bool read =
        gpio_arguments_read(context, argv, &arguments[0]) && gpio_arguments_read(context, argv + 3, &arguments[1]);
    JSValue result = read ? open_pair(context, arguments) : JS_EXCEPTION;
    gpio_arguments_free(context, &arguments[0]);
    gpio_arguments_free(context, &arguments[1]);
    return result;
}

SCRIPT_FUNCTION(gpio_check_line) {
    struct gpio_arguments arguments;
    struct failure failure;
    bool read = gpio_arguments_read(context, argv, &arguments);
    const struct gpio_backend *backend = read ? find_backend(arguments.backend, &failure) : NULL;
    bool is_free = backend && backend->check(&arguments.address, &arguments.settings, &failure);
    gpio_arguments_free(context, &arguments);
    return is_free ? JS_UNDEFINED : read ? failure_throw(context, &failure) : JS_EXCEPTION;
}

SCRIPT_FUNCTION(gpio_list_chips) {
#ifdef NOUND_GPIOD
    return gpio_survey(context);
#else
    return JS_NewArray(context);
#endif
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("checkLine", 3, gpio_check_line),
    JS_CFUNC_DEF("listChips", 0, gpio_list_chips),
    JS_CFUNC_DEF("openLine", 3, gpio_open_line),
    JS_CFUNC_DEF("openPair", 6, gpio_open_pair),
};

/* Returns the names of what is built in, frozen. */
static JSValue new_backends(JSContext *context) {
    JSValue names = JS_NewArray(context);
    for (uint32_t i = 0; i < backend_count; i++)
        value_set_element(context, &names, i, JS_NewString(context, backends[i]->name));
    if (!JS_IsException(names) && JS_FreezeObject(context, names) < 0)
        value_spoil(context, &names);
    return names;
}

/* After a reload: an output that no noun has any more gets the level of its exit rule. */
static void leave(const struct keeper_thing *line, int fd) {
    for (size_t i = 0; i < backend_count; i++) {
        if (backends[i]->kept_kind != line->kind)
            continue;
        const struct gpio_note note = gpio_note_read(line);
        if (note.exit >= 0 && !backends[i]->set_kept(fd, &note, note.exit == 1) &&
            errno != ENODEV) /* its chip is gone */
            fprintf(stderr,
                    "nound: cannot set the GPIO line %s %lu, which no noun has any more\n",
                    line->name,
                    (unsigned long)line->number);
    }
}

static void release(struct runtime *runtime) {
    handle_close_all(runtime, HANDLE_LINE);
}

static int initialize(JSContext *context, JSModuleDef *module) {
    JSValue names = new_backends(context);
    return JS_IsException(names) ? -1 : JS_SetModuleExport(context, module, "backends", names);
}

static bool open_module(struct runtime *runtime) {
    keeper_on_unclaimed(leave);
    return gpio_line_register(runtime);
}

const struct native_module mod_gpio = {.name = "nound:gpio",
                                       NATIVE_EXPORTS(exports),
                                       .values = {"backends"},
                                       .initialize = initialize,
                                       .open = open_module,
                                       .release = release};
