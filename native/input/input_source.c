/* The class InputSource of `nound:input` (ts/native/input.ts): a key of an input device, or hotplug events. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <linux/input.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/handle.h"
#include "engine/interruption.h"
#include "input/input.h"
#include "input/uevents.h"
#include "loop/loop.h"
#include "text/byte_string.h"

#define EVENTS_A_TURN 64 /* as many as the kernel keeps for a simple device */

/* An open source. While it is open the module holds its object. */
struct input_source {
    struct handle_hold hold;     /* its callback is onEvent: a function, or null */
    struct loop_watcher watcher; /* its descriptor is -1 once closed */
    struct runtime *runtime;
    bool is_device;
    bool was_dropped; /* the kernel dropped events; those up to the next report are not complete */
    int level;        /* of a key or a switch */
    struct evdev_code code;
};

static bool is_open(const struct input_source *source) {
    return source->watcher.fd >= 0;
}

static void close_source(void *closing) {
    struct input_source *source = closing;
    if (!is_open(source))
        return;
    loop_close(source->runtime->loop, &source->watcher);
    handle_let_go(source->runtime->context, &source->hold);
}

/* Calls onEvent from the loop. Consumes the value, which may be an exception without memory: then it is lost. */
static void tell(struct input_source *source, JSValue value, double timestamp) {
    struct runtime *runtime = source->runtime;
    if (JS_IsException(value)) {
        JS_FreeValue(runtime->context, JS_GetException(runtime->context));
        return;
    }
    if (JS_IsFunction(runtime->context, source->hold.callback)) {
        JSValue function = JS_DupValue(runtime->context, source->hold.callback);
        JSValueConst arguments[] = {value, JS_NewFloat64(runtime->context, timestamp)};
        struct busy outer = interruption_enter(runtime);
        runtime_call(runtime, function, 2, arguments);
        interruption_leave(runtime, outer);
        JS_FreeValue(runtime->context, function);
    }
    JS_FreeValue(runtime->context, value);
}

/* Closes a source whose device is gone, and tells the script by null. */
static void gone(struct input_source *source) {
    JSValue function = JS_DupValue(source->runtime->context, source->hold.callback);
    close_source(source);
    if (JS_IsFunction(source->runtime->context, function)) {
        struct busy outer = interruption_enter(source->runtime);
        runtime_call(source->runtime, function, 2, (JSValueConst[]){JS_NULL, JS_UNDEFINED});
        interruption_leave(source->runtime, outer);
    }
    JS_FreeValue(source->runtime->context, function);
}

static double microseconds(const struct evdev_event *event) {
    return (double)event->seconds * 1e6 + (double)event->microseconds;
}

/* Tells the level again if it has changed while events were dropped. Returns false when the device is gone. */
static bool catch_up(struct input_source *source, double timestamp) {
    int level = evdev_value(source->watcher.fd, &source->code);
    source->was_dropped = false;
    if (level < 0)
        return false;
    if (source->code.type != EV_REL && level != source->level) {
        source->level = level;
        tell(source, JS_NewInt32(source->runtime->context, level), timestamp);
    }
    return true;
}

/* Tells any press, turn or switch by a number with its type and its code. */
static void tell_any(struct input_source *source, const struct evdev_event *event) {
    if ((event->type == EV_KEY && event->value == 1) || event->type == EV_REL || event->type == EV_SW)
        tell(source,
             JS_NewInt32(source->runtime->context, (int32_t)(event->type << 16 | event->code)),
             microseconds(event));
}

/* Takes one event. Returns false when the device is gone. */
static bool take_event(struct input_source *source, const struct evdev_event *event) {
    bool is_axis = source->code.type == EV_REL;
    if (source->code.type == EVDEV_ANY) {
        tell_any(source, event);
        return true;
    }
    if (event->type == EV_SYN && event->code == SYN_DROPPED)
        source->was_dropped = true;
    else if (event->type == EV_SYN && event->code == SYN_REPORT && source->was_dropped)
        return catch_up(source, microseconds(event));
    /* 2 is a key that repeats while it is held. */
    if (source->was_dropped || event->type != source->code.type || event->code != source->code.code ||
        (!is_axis && event->value != 0 && event->value != 1))
        return true;
    source->level = is_axis ? 0 : event->value;
    tell(source, JS_NewInt32(source->runtime->context, event->value), microseconds(event));
    return true;
}

static void read_device(struct input_source *source) {
    struct evdev_event events[EVENTS_A_TURN];
    ssize_t length = read(source->watcher.fd, events, sizeof events);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    bool is_there = length > 0;
    for (size_t i = 0; is_there && is_open(source) && i < (size_t)length / sizeof events[0]; i++)
        is_there = take_event(source, &events[i]);
    if (!is_there && is_open(source))
        gone(source);
}

static void read_uevent(struct input_source *source) {
    char message[UEVENT_SIZE];
    ssize_t length = uevents_take(source->watcher.fd, message, sizeof message);
    if (length > 0)
        tell(source, byte_string_new(source->runtime->context, (const uint8_t *)message, (size_t)length), 0);
    else if (length < 0)
        gone(source);
}

static void source_ready(struct loop_watcher *watcher, uint32_t events) {
    (void)events; /* reading tells an error, too */
    struct input_source *source = owner_of(watcher, struct input_source, watcher);
    JSContext *context = source->runtime->context;
    JSValue held = JS_DupValue(context, source->hold.handle); /* a callback may close it, and the script forget it */
    if (source->is_device)
        read_device(source);
    else
        read_uevent(source);
    JS_FreeValue(context, held);
}

JSValue input_source_new(struct runtime *runtime, int fd, const struct evdev_code *code) {
    JSContext *context = runtime->context;
    struct input_source *source = calloc(1, sizeof *source);
    JSValue object = handle_new(context, HANDLE_SOURCE, source);
    if (JS_IsException(object)) {
        close(fd);
        free(source);
        return object;
    }
    source->runtime = runtime;
    source->is_device = code != NULL;
    source->hold.callback = JS_NULL;
    source->watcher = (struct loop_watcher){.ready = source_ready, .fd = fd};
    handle_hold(context, HANDLE_SOURCE, &source->hold, object);
    if (code) {
        source->code = (struct evdev_code){.type = code->type, .code = code->code};
        source->level = evdev_value(fd, code);
    }
    if (source->level >= 0 && loop_watch(runtime->loop, &source->watcher, EPOLLIN))
        return object;
    int error = errno;
    close_source(source);
    JS_FreeValue(context, object);
    return JS_ThrowPlainError(context, "cannot read the input device: %s", strerror(error));
}

static JSValue source_get_level(JSContext *context, JSValueConst this_value) {
    struct input_source *source = handle_of(context, this_value, HANDLE_SOURCE);
    return source ? JS_NewInt32(context, source->level) : JS_EXCEPTION;
}

static const JSCFunctionListEntry members[] = {
    JS_CGETSET_DEF("level", source_get_level, NULL),
    HANDLE_FUNCTION("onEvent", HANDLE_SOURCE),
    HANDLE_CLOSE(HANDLE_SOURCE),
};

const struct handle_type input_source_type = {
    "InputSource", HANDLE_MEMBERS(members), HANDLE_HOLD, .close = close_source};
