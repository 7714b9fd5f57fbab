/* The class Line of `nound:gpio` (ts/native/gpio.ts): a requested line. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/handle.h"
#include "engine/interruption.h"
#include "engine/value.h"
#include "gpio/gpio.h"
#include "loop/loop.h"

#define EVENTS_A_TURN 16 /* of a line, so that a fast one does not starve the sockets */

/* A line of the script. While it is open the loop holds its object. */
struct script_line {
    struct handle_hold hold; /* its callback is onEdge: a function, or null */
    struct loop_watcher watcher;
    struct runtime *runtime;
    const struct gpio_backend *backend;
    struct gpio_line *line; /* NULL once closed */
    char description[sizeof((struct gpio_line *)NULL)->description];
    char chip[sizeof((struct gpio_line *)NULL)->chip];
};

static void close_line(void *closing) {
    struct script_line *line = closing;
    if (!line->line)
        return;
    loop_unwatch(line->runtime->loop, &line->watcher);
    line->backend->close(line->line);
    line->line = NULL;
    handle_let_go(line->runtime->context, &line->hold);
}

static JSValue new_event(JSContext *context, const struct gpio_event *event) {
    JSValue object = JS_NewObject(context);
    value_define(context, &object, "value", JS_NewInt32(context, event->value));
    value_define(context, &object, "timestamp", JS_NewInt64(context, (int64_t)event->timestamp));
    value_define(context, &object, "sequence", JS_NewInt64(context, (int64_t)event->sequence));
    return object;
}

static void deliver_event(struct script_line *line, const struct gpio_event *event) {
    JSContext *context = line->runtime->context;
    if (!JS_IsFunction(context, line->hold.callback))
        return;
    JSValue object = new_event(context, event);
    if (JS_IsException(object)) { /* no memory: the gap in the sequence shows it */
        JS_FreeValue(context, JS_GetException(context));
        return;
    }
    struct busy outer = interruption_enter(line->runtime);
    runtime_call(line->runtime, line->hold.callback, 1, (JSValueConst[]){object});
    interruption_leave(line->runtime, outer);
    JS_FreeValue(context, object);
}

static void line_ready(struct loop_watcher *watcher, uint32_t mask) {
    (void)mask;
    struct script_line *line = owner_of(watcher, struct script_line, watcher);
    JSContext *context = line->runtime->context;
    struct gpio_event events[EVENTS_A_TURN];
    int count = line->backend->read_events(line->line, events, EVENTS_A_TURN);
    if (count < 0) { /* the chip is gone and would report that for ever; getValue will report it */
        loop_unwatch(line->runtime->loop, watcher);
        return;
    }
    JSValue held = JS_DupValue(context, line->hold.handle);
    for (int i = 0; i < count && line->line; i++)
        deliver_event(line, &events[i]);
    JS_FreeValue(context, held);
}

/* Begins to watch a line that reports edges. Returns false with errno set. */
static bool watch_line(struct script_line *line) {
    line->watcher.fd = line->line->event_fd;
    return line->line->event_fd < 0 || loop_watch(line->runtime->loop, &line->watcher, line->line->event_mask);
}

JSValue gpio_line_new(struct runtime *runtime, const struct gpio_backend *backend, struct gpio_line *requested) {
    JSContext *context = runtime->context;
    struct script_line *line = calloc(1, sizeof *line);
    JSValue object = handle_new(context, HANDLE_LINE, line);
    if (JS_IsException(object)) {
        backend->close(requested);
        free(line);
        return object;
    }
    line->runtime = runtime;
    line->backend = backend;
    line->line = requested;
    line->hold.callback = JS_NULL;
    line->watcher = (struct loop_watcher){.ready = line_ready, .fd = -1};
    memcpy(line->description, requested->description, sizeof line->description);
    memcpy(line->chip, requested->chip, sizeof line->chip);
    handle_hold(context, HANDLE_LINE, &line->hold, object);
    if (watch_line(line))
        return object;
    int error = errno;
    close_line(line);
    JS_FreeValue(context, object);
    return failure_throw_new(context, "gpioEdges", error, "%s", "");
}

/* Returns an open line, or NULL with an exception. */
static struct script_line *open_line_of(JSContext *context, JSValueConst value) {
    struct script_line *line = handle_of(context, value, HANDLE_LINE);
    if (line && !line->line) {
        JS_ThrowPlainError(context, "the GPIO line %s is closed", line->description);
        return NULL;
    }
    return line;
}

SCRIPT_FUNCTION(line_get_value) {
    struct script_line *line = open_line_of(context, this_value);
    if (!line)
        return JS_EXCEPTION;
    int value = line->backend->get_value(line->line);
    if (value >= 0)
        return JS_NewInt32(context, value);
    return failure_throw_new(context, "gpioRead", errno, "%s", line->description);
}

SCRIPT_FUNCTION(line_set_value) {
    struct script_line *line = open_line_of(context, this_value);
    if (!line)
        return JS_EXCEPTION;
    int value = JS_ToBool(context, argv[0]);
    if (value < 0)
        return JS_EXCEPTION;
    if (line->backend->set_value(line->line, value))
        return JS_UNDEFINED;
    return failure_throw_new(context, "gpioSet", errno, "%s", line->description);
}

SCRIPT_FUNCTION(line_set_edges) {
    enum gpio_edges edges;
    struct script_line *line = open_line_of(context, this_value);
    if (!line || !gpio_edges_read(context, argv[0], &edges))
        return JS_EXCEPTION;
    loop_unwatch(line->runtime->loop, &line->watcher);
    const bool is_set = line->backend->set_edges(line->line, edges);
    const int error = errno;
    if (!watch_line(line))
        return failure_throw_new(context, "gpioEdges", errno, "%s", "");
    return is_set ? JS_UNDEFINED : failure_throw_new(context, "gpioNoEdges", error, "%s", line->description);
}

static JSValue line_get_edges(JSContext *context, JSValueConst this_value) {
    struct script_line *line = handle_of(context, this_value, HANDLE_LINE);
    return line ? JS_NewString(context, gpio_edges_word(line->line ? line->line->edges : GPIO_EDGES_NONE))
                : JS_EXCEPTION;
}

static JSValue line_get_chip(JSContext *context, JSValueConst this_value) {
    struct script_line *line = handle_of(context, this_value, HANDLE_LINE);
    return line ? JS_NewString(context, line->chip) : JS_EXCEPTION;
}

/* The kernel says so when the line is read. A chip on a bus that does not answer gives another error. */
static JSValue line_is_gone(JSContext *context, JSValueConst this_value) {
    struct script_line *line = handle_of(context, this_value, HANDLE_LINE);
    if (!line)
        return JS_EXCEPTION;
    return JS_NewBool(context, line->line && line->backend->get_value(line->line) < 0 && errno == ENODEV);
}

static const JSCFunctionListEntry members[] = {
    JS_CGETSET_DEF("chip", line_get_chip, NULL),
    JS_CGETSET_DEF("isGone", line_is_gone, NULL),
    HANDLE_TEXT("description", HANDLE_LINE),
    JS_CGETSET_DEF("edges", line_get_edges, NULL),
    HANDLE_FUNCTION("onEdge", HANDLE_LINE),
    JS_CFUNC_DEF("getValue", 0, line_get_value),
    JS_CFUNC_DEF("setEdges", 1, line_set_edges),
    JS_CFUNC_DEF("setValue", 1, line_set_value),
    HANDLE_CLOSE(HANDLE_LINE),
};

const struct handle_type gpio_line_type = {"Line",
                                           HANDLE_MEMBERS(members),
                                           HANDLE_HOLD,
                                           .text = offsetof(struct script_line, description),
                                           .close = close_line};
