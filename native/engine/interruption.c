#include "engine/interruption.h"

#include <stdio.h>
#include <time.h>

#include "engine/quota.h"

/* µs of processor time that a start may take until its top level ends: ten times what the slowest device needs.
 */
#define LONGEST_START (UINT64_C(3) * 1000000 * SLOWNESS)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
#define SLOWNESS 20 /* of what is built for tests of nound itself */
#else
#define SLOWNESS 1
#endif

/* A start time so long ago that the next check interrupts again, unless there is a restart. */
#define LONG_AGO 1

/* Processor time used so far, in µs and above LONG_AGO. A change of the device's clock does not change it. */
static uint64_t processor_time(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000 + LONG_AGO + 1;
}

/* The engine asks after each ten thousand of function calls and turns of loops. Returns 1 to interrupt. */
static int look(JSRuntime *engine, void *opaque) {
    (void)engine;
    struct runtime *runtime = opaque;
    struct busy *busy = &runtime->busy;
    uint64_t limit = runtime->is_running ? runtime->busy_limit : LONGEST_START;
    if (!busy->is_guarded || limit == 0)
        return 0;
    uint64_t now = processor_time();
    if (busy->since == 0) { /* the first time in this call */
        busy->since = now;
        return 0;
    }
    if (now - busy->since < limit)
        return 0;
    busy->since = LONG_AGO;
    return 1;
}

void interruption_watch(struct runtime *runtime) {
    runtime->interruption = runtime->called = JS_UNDEFINED;
    JS_SetInterruptHandler(runtime->engine, look, runtime);
}

void interruption_set_limit(struct runtime *runtime, uint32_t limit) {
    runtime->busy_limit = (uint64_t)limit * 1000;
}

bool interruption_tame(struct runtime *runtime, JSValueConst error) {
    JSContext *context = runtime->context;
    char text[192];
    if (!JS_IsUncatchableError(error))
        return false;
    JS_ClearUncatchableError(context, error);
    if (runtime->is_running)
        snprintf(text,
                 sizeof text,
                 "it used the processor for %lu ms without returning, and was interrupted",
                 (unsigned long)(runtime->busy_limit / 1000));
    else
        snprintf(
            text,
            sizeof text,
            "the start used the processor for %lu s and was interrupted: a loop at the top level of the application "
            "does not end; use a timer for repeated work",
            (unsigned long)(LONGEST_START / 1000000));
    JSValue message = JS_NewString(context, text);
    if (JS_IsException(message) ||
        JS_DefinePropertyValueStr(context, error, "message", message, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE) < 0)
        JS_FreeValue(context, JS_GetException(context)); /* without memory, the engine's own message is enough */
    JSValue last = runtime->interruption;
    runtime->interruption = JS_DupValue(context, error);
    JS_FreeValue(context, last);
    return true;
}

SCRIPT_FUNCTION(do_nothing) {
    (void)context;
    return JS_UNDEFINED;
}

void interruption_persist(struct runtime *runtime) {
    JSContext *context = runtime->context;
    if (runtime->busy.since != LONG_AGO)
        return;
    JSValue function = JS_NewCFunction(context, do_nothing, "", 0);
    runtime->busy_phase = (runtime->busy_phase + 1) % 16;
    for (unsigned i = 0; i < runtime->busy_phase && !JS_IsException(function); i++)
        JS_FreeValue(context, JS_Call(context, function, JS_UNDEFINED, 0, NULL));
    JS_FreeValue(context, function);
}

JSValue interruption_call(struct runtime *runtime, JSValueConst function, int argc, JSValueConst *argv) {
    JSContext *context = runtime->context;
    struct busy busy = interruption_enter(runtime);
    size_t reserve = quota_enter(runtime->quota);
    JSValueConst outer = runtime->called;
    runtime->called = function;
    JSValue result = JS_Call(context, function, JS_UNDEFINED, argc, argv);
    runtime->called = outer;
    quota_leave(runtime->quota, reserve);
    interruption_leave(runtime, busy);
    if (!JS_IsException(result))
        return result;
    JSValue error = JS_GetException(context);
    interruption_tame(runtime, error);
    return JS_Throw(context, error);
}

JSValue interruption_exempt(struct runtime *runtime, JSValueConst function, int argc, JSValueConst *argv) {
    struct busy outer = runtime->busy;
    bool is_counting = outer.since > LONG_AGO; /* to read the clock is a system call */
    uint64_t began = is_counting ? processor_time() : 0;
    runtime->busy = (struct busy){.is_guarded = false};
    JSValue result = JS_Call(runtime->context, function, JS_UNDEFINED, argc, argv);
    if (is_counting)
        outer.since += processor_time() - began;
    runtime->busy = outer;
    return result;
}

bool interruption_is(struct runtime *runtime, JSValueConst error) {
    /* The engine itself makes a rejection of one, where it happens while a promise adopts another. */
    if (interruption_tame(runtime, error))
        return true;
    return !JS_IsUndefined(error) && JS_IsStrictEqual(runtime->context, runtime->interruption, error);
}
