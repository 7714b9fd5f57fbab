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

#endif
