/* Arrays and objects for the script, made by C. */
#ifndef NOUND_VALUE_H
#define NOUND_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include <quickjs.h>

/* Replaces a value by an exception that has been thrown. */
static inline void value_spoil(JSContext *context, JSValue *value) {
    JS_FreeValue(context, *value);
    *value = JS_EXCEPTION;
}

/* Throws an Error with this message: a string, or an exception. Consumes it. Returns JS_EXCEPTION. */
static inline JSValue value_throw_error(JSContext *context, JSValue message) {
    JSValue error = JS_IsException(message) ? JS_EXCEPTION : JS_NewError(context);
    if (JS_IsException(error)) {
        JS_FreeValue(context, message);
        return JS_EXCEPTION;
    }
    if (JS_DefinePropertyValueStr(context, error, "message", message, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE) >= 0)
        return JS_Throw(context, error);
    JS_FreeValue(context, error);
    return JS_EXCEPTION;
}

/* Defines a property of an object, which becomes an exception if that fails. Consumes the property's value. */
static inline void value_define(JSContext *context, JSValue *object, const char *name, JSValue value) {
    if (JS_IsException(*object))
        JS_FreeValue(context, value);
    else if (JS_IsException(value) || JS_DefinePropertyValueStr(context, *object, name, value, JS_PROP_C_W_E) < 0)
        value_spoil(context, object);
}

/* Sets an element of an array, which becomes an exception if that fails. Consumes the element. */
static inline void value_set_element(JSContext *context, JSValue *array, uint32_t index, JSValue element) {
    if (JS_IsException(*array))
        JS_FreeValue(context, element);
    else if (JS_IsException(element) || JS_SetPropertyUint32(context, *array, index, element) < 0)
        value_spoil(context, array);
}

#endif
