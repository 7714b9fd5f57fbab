#include "text/sentence.h"

#include <stdarg.h>
#include <stdio.h>

static void append(struct sentence *sentence, const char *format, va_list arguments) {
    size_t room = sizeof sentence->text - sentence->length;
    int length = vsnprintf(sentence->text + sentence->length, room, format, arguments);
    if (length > 0)
        sentence->length += (size_t)length < room ? (size_t)length : room - 1;
}

void sentence_say(struct sentence *sentence, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    sentence->length = 0;
    append(sentence, format, arguments);
    va_end(arguments);
}

void sentence_add(struct sentence *sentence, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    append(sentence, format, arguments);
    va_end(arguments);
}

JSValue sentence_throw(JSContext *context, const struct sentence *sentence) {
    JSValue error = JS_NewError(context);
    if (JS_IsException(error))
        return error;
    JSValue message = JS_NewStringLen(context, sentence->text, sentence->length);
    if (JS_IsException(message) ||
        JS_DefinePropertyValueStr(context, error, "message", message, JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE) < 0) {
        JS_FreeValue(context, error);
        return JS_EXCEPTION;
    }
    return JS_Throw(context, error);
}

JSValue sentence_throw_new(JSContext *context, const char *format, ...) {
    struct sentence sentence = {0};
    va_list arguments;
    va_start(arguments, format);
    append(&sentence, format, arguments);
    va_end(arguments);
    return sentence_throw(context, &sentence);
}
