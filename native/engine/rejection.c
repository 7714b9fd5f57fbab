#include "engine/rejection.h"

#include <stdlib.h>

#include "engine/runtime.h"

struct rejection {
    JSValue promise, reason;
};

static void free_rejection(struct runtime *runtime, struct rejection *rejection) {
    JS_FreeValue(runtime->context, rejection->promise);
    JS_FreeValue(runtime->context, rejection->reason);
}

static void add(struct runtime *runtime, JSValueConst promise, JSValueConst reason) {
    if (runtime->rejection_count == runtime->rejection_capacity) {
        size_t capacity = runtime->rejection_capacity > 0 ? 2 * runtime->rejection_capacity : 4;
        struct rejection *rejections = realloc(runtime->rejections, capacity * sizeof *rejections);
        if (!rejections)
            return; /* a report is lost; the service goes on */
        runtime->rejections = rejections;
        runtime->rejection_capacity = capacity;
    }
    runtime->rejections[runtime->rejection_count++] = (struct rejection){
        .promise = JS_DupValue(runtime->context, promise),
        .reason = JS_DupValue(runtime->context, reason),
    };
}

static void remove_handled(struct runtime *runtime, JSValueConst promise) {
    for (size_t i = 0; i < runtime->rejection_count; i++) {
        if (!JS_IsSameValue(runtime->context, runtime->rejections[i].promise, promise))
            continue;
        struct rejection handled = runtime->rejections[i];
        runtime->rejection_count--;
        for (; i < runtime->rejection_count; i++)
            runtime->rejections[i] = runtime->rejections[i + 1];
        free_rejection(runtime, &handled);
        return;
    }
}

/* HostPromiseRejectionTracker (ECMA-262, 27.2.1.9). */
static void track(JSContext *context, JSValueConst promise, JSValueConst reason, bool is_handled, void *opaque) {
    (void)context;
    if (is_handled)
        remove_handled(opaque, promise);
    else
        add(opaque, promise, reason);
}

void rejection_track(struct runtime *runtime) {
    JS_SetHostPromiseRejectionTracker(runtime->engine, track, runtime);
}

/* Marks each promise with the guarded call that makes it, or with the mark of the promise that it follows from. */
static void mark(JSContext *context, JSPromiseHookType type, JSValueConst promise, JSValueConst parent, void *opaque) {
    struct runtime *runtime = opaque;
    if (type != JS_PROMISE_HOOK_INIT)
        return;
    JSValue origin = JS_DupValue(context, runtime->called);
    if (JS_IsUndefined(origin) && JS_IsObject(parent))
        origin = JS_GetProperty(context, parent, runtime->origin);
    if (JS_IsUndefined(origin))
        return;
    if (JS_IsException(origin) || JS_DefinePropertyValue(context, promise, runtime->origin, origin, 0) < 0)
        JS_FreeValue(context, JS_GetException(context)); /* no memory: the promise has no mark */
}

bool rejection_mark(struct runtime *runtime) {
    if (runtime->origin == JS_ATOM_NULL)
        runtime->origin = JS_NewAtom(runtime->context, "nound:origin");
    if (runtime->origin == JS_ATOM_NULL)
        return false;
    JS_SetPromiseHook(runtime->engine, mark, runtime);
    return true;
}

static JSValue origin_of(struct runtime *runtime, JSValueConst promise) {
    if (runtime->origin == JS_ATOM_NULL)
        return JS_UNDEFINED;
    JSValue origin = JS_GetProperty(runtime->context, promise, runtime->origin);
    if (!JS_IsException(origin))
        return origin;
    JS_FreeValue(runtime->context, JS_GetException(runtime->context));
    return JS_UNDEFINED;
}

static void report(struct runtime *runtime, struct rejection rejection) {
    if (!JS_IsUndefined(runtime->on_unhandled_rejection)) {
        JSValue origin = origin_of(runtime, rejection.promise);
        runtime_call(runtime, runtime->on_unhandled_rejection, 2, (JSValueConst[]){rejection.reason, origin});
        JS_FreeValue(runtime->context, origin);
    }
    free_rejection(runtime, &rejection);
}

void rejection_report(struct runtime *runtime) {
    struct rejection *rejections = runtime->rejections;
    size_t count = runtime->rejection_count;
    if (count == 0)
        return;
    runtime->rejections = NULL;
    runtime->rejection_count = runtime->rejection_capacity = 0;
    for (size_t i = 0; i < count; i++)
        report(runtime, rejections[i]);
    free(rejections);
    /* The handler itself caused the rejections that came meanwhile. They are dropped, because a failing handler would
     * otherwise run for ever. */
    rejection_clear(runtime);
}

void rejection_clear(struct runtime *runtime) {
    for (size_t i = 0; i < runtime->rejection_count; i++)
        free_rejection(runtime, &runtime->rejections[i]);
    free(runtime->rejections);
    runtime->rejections = NULL;
    runtime->rejection_count = runtime->rejection_capacity = 0;
}
