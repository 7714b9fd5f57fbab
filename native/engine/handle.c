#include "engine/handle.h"

#include <stdlib.h>

JSValue handle_new(JSContext *context, JSClassID class, void *object) {
    JSValue handle = object ? JS_NewObjectClass(context, class) : JS_ThrowOutOfMemory(context);
    if (!JS_IsException(handle))
        JS_SetOpaque(handle, object);
    return handle;
}

void *handle_object(JSValueConst handle) {
    JSClassID class;
    return JS_GetAnyOpaque(handle, &class);
}

void handle_hold(JSContext *context, struct list_link **open, struct handle_hold *hold, JSValueConst handle) {
    hold->handle = JS_DupValue(context, handle);
    list_add(open, &hold->link);
}

void handle_let_go(JSContext *context, struct handle_hold *hold) {
    list_remove(&hold->link);
    JS_FreeValue(context, hold->handle);
}

void handle_set_callback(JSContext *context, struct handle_hold *hold, JSValueConst callback) {
    JSValue old = hold->callback;
    hold->callback = JS_DupValue(context, callback);
    JS_FreeValue(context, old);
}

void handle_finalize(JSRuntime *engine, JSValueConst handle) {
    struct handle_hold *hold = handle_object(handle);
    if (hold)
        JS_FreeValueRT(engine, hold->callback);
    free(hold);
}

void handle_mark(JSRuntime *engine, JSValueConst handle, JS_MarkFunc *mark_value) {
    struct handle_hold *hold = handle_object(handle);
    if (hold)
        JS_MarkValue(engine, hold->callback, mark_value);
}
