/* Texts that a script passes to C, which ends a text at its first NUL. */
#ifndef NOUND_TEXT_ARGUMENT_H
#define NOUND_TEXT_ARGUMENT_H

#include <stddef.h>

#include <quickjs.h>

/*
 * Returns a text without NUL, for JS_FreeCString, or NULL with an exception.
 * what: the text's name in the exception's message, "the path of a device".
 */
const char *text_argument(JSContext *context, JSValueConst value, const char *what);

struct text_argument {
    JSContext *context;
    const char *text;
};

static inline void text_argument_free(struct text_argument *argument) {
    JS_FreeCString(argument->context, argument->text);
}

/* Declares `name`, a `const char *` as text_argument returns it. It is freed where its block ends. */
#define TEXT_ARGUMENT(name, context, value, what)                                                                      \
    __attribute__((cleanup(text_argument_free))) struct text_argument name##_held = {                                  \
        context, text_argument(context, value, what)};                                                                 \
    const char *const name = name##_held.text

#endif
