#include "rejection.h"

#include <stdlib.h>

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

void rejection_clear(struct runtime *runtime) {
    while (runtime->rejection_count > 0) {
        struct rejection rejection = runtime->rejections[--runtime->rejection_count];
        free_rejection(runtime, &rejection);
    }
    free(runtime->rejections);
    runtime->rejections = NULL;
    runtime->rejection_capacity = 0;
}

void rejection_report(struct runtime *runtime) {
    if (runtime->rejection_count == 0)
        return;
    /* What is rejected from here on is the handler's own doing. It is dropped, lest a failing handler runs for ever. */
    size_t count = runtime->rejection_count;
    for (size_t i = 0; i < count && i < runtime->rejection_count; i++) {
        if (JS_IsUndefined(runtime->on_unhandled_rejection))
            break;
        JSValue reason = JS_DupValue(runtime->context, runtime->rejections[i].reason);
        runtime_call(runtime, runtime->on_unhandled_rejection, 1, (JSValueConst[]){reason});
        JS_FreeValue(runtime->context, reason);
    }
    rejection_clear(runtime);
}
