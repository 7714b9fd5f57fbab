#include "text/sentence.h"

#include <stdarg.h>
#include <stdio.h>

#include "engine/value.h"

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
    return value_throw_error(context, JS_NewStringLen(context, sentence->text, sentence->length));
}

JSValue sentence_throw_new(JSContext *context, const char *format, ...) {
    struct sentence sentence = {0};
    va_list arguments;
    va_start(arguments, format);
    append(&sentence, format, arguments);
    va_end(arguments);
    return sentence_throw(context, &sentence);
}
