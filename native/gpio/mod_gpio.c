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

/*
 * Requests the lines: two of one backend as one request where that can be, otherwise one after the other. Returns false
 * with a failure, and then holds none.
 */
static bool open_lines(const struct gpio_backend *const used[], const struct gpio_arguments arguments[], size_t count,
                       struct gpio_line *lines[], struct failure *failure) {
    const struct gpio_address addresses[] = {arguments[0].address, arguments[1].address};
    const struct gpio_settings settings[] = {arguments[0].settings, arguments[1].settings};
    bool are_joined = false;
    if (count == 2 && used[0] == used[1] && used[0]->joins && !used[0]->joins(addresses, &are_joined, failure))
        return false;
    if (are_joined)
        return used[0]->open(addresses, settings, 2, lines, failure);
    for (size_t i = 0; i < count; i++) {
        if (used[i]->open(&addresses[i], &settings[i], 1, &lines[i], failure))
            continue;
        if (i > 0)
            used[0]->close(lines[0]);
        return false;
    }
    return true;
}

/* Returns the object of a line, or an array with those of two; or an exception. */
static JSValue open_objects(JSContext *context, const struct gpio_arguments arguments[], size_t count) {
    struct failure failure;
    struct gpio_line *lines[2];
    const struct gpio_backend *used[2];
    JSValue objects[] = {JS_UNDEFINED, JS_UNDEFINED};
    bool are_made = true;
    for (size_t i = 0; i < count; i++)
        if (!(used[i] = find_backend(arguments[i].backend, &failure)))
            return failure_throw(context, &failure);
    if (!open_lines(used, arguments, count, lines, &failure))
        return failure_throw(context, &failure);
    for (size_t i = 0; i < count; i++) {
        if (are_made)
            objects[i] = gpio_line_new(runtime_of(context), used[i], lines[i]);
        else
            used[i]->close(lines[i]);
        are_made = are_made && !JS_IsException(objects[i]);
    }
    if (are_made)
        return count == 1 ? objects[0] : JS_NewArrayFrom(context, 2, objects);
    if (JS_IsObject(objects[0]))
        (void)handle_close(context, objects[0], 0, NULL, HANDLE_LINE);
    JS_FreeValue(context, objects[0]);
    return JS_EXCEPTION;
}

/* openLine and openPair, which has the arguments of two lines. */
static JSValue gpio_open(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv, int count) {
    (void)this_value, (void)argc;
    struct gpio_arguments arguments[2] = {0};
    const bool are_read = gpio_arguments_read(context, argv, &arguments[0]) &&
                          (count == 1 || gpio_arguments_read(context, argv + 3, &arguments[1]));
    JSValue result = are_read ? open_objects(context, arguments, (size_t)count) : JS_EXCEPTION;
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
    JS_CFUNC_MAGIC_DEF("openLine", 3, gpio_open, 1),
    JS_CFUNC_MAGIC_DEF("openPair", 6, gpio_open, 2),
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

static int initialize(JSContext *context, JSModuleDef *module) {
    JSValue names = new_backends(context);
    return JS_IsException(names) ? -1 : JS_SetModuleExport(context, module, "backends", names);
}

static bool open_module(struct runtime *runtime) {
    (void)runtime;
    keeper_on_unclaimed(leave);
    return true;
}

const struct native_module mod_gpio = {.name = "nound:gpio",
                                       NATIVE_EXPORTS(exports),
                                       .values = {"backends"},
                                       .initialize = initialize,
                                       .open = open_module};
