/* The JS module `nound:loop` (ts/native/loop.ts): the clock, the timers and the signals of the event loop. */
#include <math.h>
#include <stdlib.h>
#include <sysexits.h>

#include "engine/quota.h"
#include "engine/rejection.h"
#include "engine/runtime.h"
#include "loop/loop.h"

/* The low bits of a timer's name are its slot; the bits above count its uses, so that an old name finds nothing. */
#define SLOT_BITS 20
#define MOST_TIMERS (UINT32_C(1) << SLOT_BITS)
#define NO_SLOT UINT32_MAX

/* A timer of the script. It stays in its slot when it has fired, ready for the next use. */
struct script_timer {
    struct loop_timer timer;
    struct runtime *runtime;
    JSValue callback;
    uint32_t slot, use;
    uint32_t next_free;
    bool is_noun; /* whether it calls the code of a noun */
};

struct script_timers {
    struct script_timer **slots;
    uint32_t count, capacity;
    uint32_t first_free;
};

static void free_slot(struct script_timers *timers, struct script_timer *timer) {
    timer->use++;
    timer->callback = JS_UNDEFINED;
    timer->next_free = timers->first_free;
    timers->first_free = timer->slot;
}

static void timer_fired(struct loop_timer *loop_timer) {
    struct script_timer *timer = owner_of(loop_timer, struct script_timer, timer);
    struct runtime *runtime = timer->runtime;
    JSValue callback = timer->callback;
    free_slot(runtime->timers, timer); /* first: the callback may set the next timer */
    if (timer->is_noun)
        runtime_call_noun(runtime, callback);
    else
        runtime_call(runtime, callback, 0, NULL);
    JS_FreeValue(runtime->context, callback);
}

/* Adds a slot with a new timer, in the script's memory. Returns NULL without memory. */
static struct script_timer *add_slot(struct runtime *runtime) {
    struct script_timers *timers = runtime->timers;
    if (timers->count == timers->capacity) {
        uint32_t capacity = timers->capacity > 0 ? 2 * timers->capacity : 16;
        struct script_timer **slots =
            js_realloc(runtime->context, timers->slots, capacity * sizeof(struct script_timer *));
        if (!slots)
            return NULL;
        timers->slots = slots;
        timers->capacity = capacity;
    }
    struct script_timer *timer = js_mallocz(runtime->context, sizeof *timer);
    if (!timer)
        return NULL;
    timer->timer.fired = timer_fired;
    timer->runtime = runtime;
    timer->callback = JS_UNDEFINED;
    timer->slot = timers->count;
    timer->use = 1; /* so that no timer's name is 0 */
    timers->slots[timers->count++] = timer;
    return timer;
}

static struct script_timer *take_slot(struct runtime *runtime) {
    struct script_timers *timers = runtime->timers;
    if (timers->first_free == NO_SLOT)
        return timers->count < MOST_TIMERS ? add_slot(runtime) : NULL;
    struct script_timer *timer = timers->slots[timers->first_free];
    timers->first_free = timer->next_free;
    return timer;
}

SCRIPT_FUNCTION(loop_now_js) {
    return JS_NewInt64(context, (int64_t)loop_now(runtime_of(context)->loop));
}

SCRIPT_FUNCTION(loop_turn_time_js) {
    return JS_NewFloat64(context, (double)loop_turn_time(runtime_of(context)->loop) / 1000);
}

/* magic: whether it calls the code of a noun. */
static JSValue loop_set_timer_js(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv, int magic) {
    (void)this_value, (void)argc;
    struct runtime *runtime = runtime_of(context);
    double delay;
    if (!JS_IsFunction(context, argv[0]))
        return JS_ThrowTypeError(context, "setTimer expects a function and a delay in ms");
    if (JS_ToFloat64(context, &delay, argv[1]) < 0)
        return JS_EXCEPTION;
    struct script_timer *timer = take_slot(runtime);
    if (!timer)
        return JS_ThrowOutOfMemory(context);
    /* Rounds a part of a millisecond up, so that the timer is never early. The loop limits long times. */
    uint64_t whole = delay > 0 ? (uint64_t)ceil(fmin(delay, 9e15)) : 0;
    if (!loop_start_timer(runtime->loop, &timer->timer, whole)) {
        free_slot(runtime->timers, timer);
        return JS_ThrowOutOfMemory(context);
    }
    timer->callback = JS_DupValue(context, argv[0]);
    timer->is_noun = magic;
    return JS_NewInt64(context, ((int64_t)timer->use << SLOT_BITS) | timer->slot);
}

SCRIPT_FUNCTION(loop_clear_timer_js) {
    struct runtime *runtime = runtime_of(context);
    int64_t name;
    if (JS_ToInt64(context, &name, argv[0]) < 0)
        return JS_EXCEPTION;
    uint64_t slot = (uint64_t)name & (MOST_TIMERS - 1);
    if (name < 0 || slot >= runtime->timers->count)
        return JS_UNDEFINED;
    struct script_timer *timer = runtime->timers->slots[slot];
    if (timer->timer.place == 0 || timer->use != (uint64_t)name >> SLOT_BITS)
        return JS_UNDEFINED;
    loop_stop_timer(runtime->loop, &timer->timer);
    JSValue callback = timer->callback;
    free_slot(runtime->timers, timer);
    JS_FreeValue(context, callback);
    return JS_UNDEFINED;
}

static const char *signal_name(int signal) {
    return signal == SIGTERM ? "SIGTERM" : signal == SIGINT ? "SIGINT" : "SIGHUP";
}

/* If the handler cannot be called, the signal ends the program, as if it had not been caught. */
static void signalled(void *opaque, int signal) {
    struct runtime *runtime = opaque;
    bool ends = signal != SIGHUP;
    if (ends)
        quota_grant_ending(runtime->quota);
    JSValue name = JS_NewString(runtime->context, signal_name(signal));
    bool returned = !JS_IsException(name) && runtime_call(runtime, runtime->on_signal, 1, (JSValueConst[]){name});
    if (JS_IsException(name))
        JS_FreeValue(runtime->context, JS_GetException(runtime->context));
    JS_FreeValue(runtime->context, name);
    if (ends && !returned)
        loop_exit(runtime->loop, 128 + signal);
}

/* Stores a handler. Returns false when it is none; the exception is set then. */
static bool set_handler(JSContext *context, JSValue *handler, JSValueConst value) {
    if (!JS_IsFunction(context, value)) {
        JS_ThrowTypeError(context, "a handler must be a function");
        return false;
    }
    JSValue old = *handler;
    *handler = JS_DupValue(context, value);
    JS_FreeValue(context, old);
    return true;
}

SCRIPT_FUNCTION(loop_on_signal_js) {
    struct runtime *runtime = runtime_of(context);
    if (!set_handler(context, &runtime->on_signal, argv[0]))
        return JS_EXCEPTION;
    if (!loop_catch_signals(runtime->loop, signalled, runtime))
        return JS_ThrowPlainError(context, "cannot catch signals: the kernel refused a signalfd");
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(loop_on_unhandled_rejection_js) {
    struct runtime *runtime = runtime_of(context);
    if (!set_handler(context, &runtime->on_unhandled_rejection, argv[0]) || !rejection_mark(runtime))
        return JS_EXCEPTION;
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(loop_on_uncaught_error_js) {
    return set_handler(context, &runtime_of(context)->on_uncaught_error, argv[0]) ? JS_UNDEFINED : JS_EXCEPTION;
}

static void stood_still(void *opaque, uint64_t duration) {
    struct runtime *runtime = opaque;
    JSValue time = JS_NewInt64(runtime->context, (int64_t)duration);
    runtime_call(runtime, runtime->on_standstill, 1, (JSValueConst[]){time});
}

SCRIPT_FUNCTION(loop_on_standstill_js) {
    struct runtime *runtime = runtime_of(context);
    if (!set_handler(context, &runtime->on_standstill, argv[0]))
        return JS_EXCEPTION;
    loop_at_standstill(runtime->loop, stood_still, runtime);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(loop_exit_js) {
    int32_t status;
    if (JS_ToInt32(context, &status, argv[0]) < 0)
        return JS_EXCEPTION;
    loop_exit(runtime_of(context)->loop, status & 0xff);
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("now", 0, loop_now_js),
    JS_CFUNC_DEF("turnTime", 0, loop_turn_time_js),
    JS_CFUNC_MAGIC_DEF("setTimer", 2, loop_set_timer_js, false),
    JS_CFUNC_MAGIC_DEF("setNounTimer", 2, loop_set_timer_js, true),
    JS_CFUNC_DEF("clearTimer", 1, loop_clear_timer_js),
    JS_CFUNC_DEF("onSignal", 1, loop_on_signal_js),
    JS_CFUNC_DEF("onUnhandledRejection", 1, loop_on_unhandled_rejection_js),
    JS_CFUNC_DEF("onUncaughtError", 1, loop_on_uncaught_error_js),
    JS_CFUNC_DEF("onStandstill", 1, loop_on_standstill_js),
    JS_CFUNC_DEF("exit", 1, loop_exit_js),
};

static void release(struct runtime *runtime) {
    JSContext *context = runtime->context;
    struct script_timers *timers = runtime->timers;
    for (uint32_t i = 0; timers && i < timers->count; i++) {
        loop_stop_timer(runtime->loop, &timers->slots[i]->timer);
        JS_FreeValue(context, timers->slots[i]->callback);
        js_free(context, timers->slots[i]);
    }
    if (timers)
        js_free(context, timers->slots);
    JS_FreeValue(context, runtime->on_signal);
    JS_FreeValue(context, runtime->on_unhandled_rejection);
    JS_FreeValue(context, runtime->on_uncaught_error);
    JS_FreeValue(context, runtime->on_standstill);
}

static bool open_module(struct runtime *runtime) {
    runtime->timers = calloc(1, sizeof *runtime->timers);
    if (!runtime->timers)
        return false;
    runtime->timers->first_free = NO_SLOT;
    return true;
}

const struct native_module mod_loop = {
    .name = "nound:loop", NATIVE_EXPORTS(exports), .open = open_module, .release = release};
