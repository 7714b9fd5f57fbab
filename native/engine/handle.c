#include "engine/handle.h"

#include <stdlib.h>

static const struct handle_type *type_of(JSRuntime *engine, JSClassID class) {
    const struct handle_class *one = ((struct runtime *)JS_GetRuntimeOpaque(engine))->handles;
    while (one->id != class)
        one++;
    return one->type;
}

static JSValue *callback_of(void *object, const struct handle_type *type) {
    return (JSValue *)(void *)((char *)object + type->callback);
}

/* A handle that handle_new has not finished has no object. */
static void finalize(JSRuntime *engine, JSValueConst handle) {
    JSClassID class;
    void *object = JS_GetAnyOpaque(handle, &class);
    if (!object)
        return;
    const struct handle_type *type = type_of(engine, class);
    if (type->callback > 0)
        JS_FreeValueRT(engine, *callback_of(object, type));
    (type->free ? type->free : free)(object);
}

static void mark(JSRuntime *engine, JSValueConst handle, JS_MarkFunc *mark_value) {
    JSClassID class;
    void *object = JS_GetAnyOpaque(handle, &class);
    const struct handle_type *type = type_of(engine, class);
    if (object && type->callback > 0)
        JS_MarkValue(engine, *callback_of(object, type), mark_value);
}

bool handle_register(struct runtime *runtime, enum handle_kind kind, const struct handle_type *type) {
    JSContext *context = runtime->context;
    struct handle_class *class = &runtime->handles[kind];
    class->type = type;
    JS_NewClassID(runtime->engine, &class->id);
    const JSClassDef definition = {.class_name = type->name, .finalizer = finalize, .gc_mark = mark};
    if (JS_NewClass(runtime->engine, class->id, &definition) < 0)
        return false;
    JSValue prototype = JS_NewObject(context);
    if (JS_IsException(prototype))
        return false;
    JS_SetClassProto(context, class->id, prototype); /* which owns it from here on */
    return JS_SetPropertyFunctionList(context, prototype, type->members, type->member_count) == 0;
}

JSValue handle_new(JSContext *context, enum handle_kind kind, void *object) {
    JSValue handle =
        object ? JS_NewObjectClass(context, runtime_of(context)->handles[kind].id) : JS_ThrowOutOfMemory(context);
    if (!JS_IsException(handle))
        JS_SetOpaque(handle, object);
    return handle;
}

void *handle_of(JSContext *context, JSValueConst value, enum handle_kind kind) {
    return JS_GetOpaque2(context, value, runtime_of(context)->handles[kind].id);
}

void handle_hold(JSContext *context, enum handle_kind kind, struct handle_hold *hold, JSValueConst handle) {
    hold->handle = JS_DupValue(context, handle);
    list_add(&runtime_of(context)->handles[kind].open, &hold->link);
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

void handle_close_all(struct runtime *runtime) {
    for (const struct handle_class *class = runtime->handles; class < runtime->handles + HANDLE_KINDS; class++)
        while (class->open)
            class->type->close(class->open); /* which is what the object begins with */
}

JSValue handle_get_callback(JSContext *context, JSValueConst handle, int kind) {
    const struct handle_hold *hold = handle_of(context, handle, kind);
    return hold ? JS_DupValue(context, hold->callback) : JS_EXCEPTION;
}

JSValue handle_set_function(JSContext *context, JSValueConst handle, JSValueConst value, int kind) {
    struct handle_hold *hold = handle_of(context, handle, kind);
    if (!hold)
        return JS_EXCEPTION;
    if (!JS_IsNull(value) && !JS_IsFunction(context, value))
        return JS_ThrowTypeError(context, "a function or null is expected for an event");
    handle_set_callback(context, hold, value);
    return JS_UNDEFINED;
}

JSValue handle_get_text(JSContext *context, JSValueConst handle, int kind) {
    const char *object = handle_of(context, handle, kind);
    return object ? JS_NewString(context, object + runtime_of(context)->handles[kind].type->text) : JS_EXCEPTION;
}

JSValue handle_close(JSContext *context, JSValueConst handle, int argc, JSValueConst *argv, int kind) {
    (void)argc, (void)argv;
    void *object = handle_of(context, handle, kind);
    if (!object)
        return JS_EXCEPTION;
    runtime_of(context)->handles[kind].type->close(object);
    return JS_UNDEFINED;
}
