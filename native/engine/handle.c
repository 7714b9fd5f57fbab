#include "engine/handle.h"

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
