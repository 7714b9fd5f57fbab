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
