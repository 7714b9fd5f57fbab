/* The UTF-8 of a string, without a leak of the engine's. For strings whose length a client decides. */
#ifndef NOUND_STRING_TEXT_H
#define NOUND_STRING_TEXT_H

#include <stddef.h>

#include <quickjs.h>

/*
 * Returns what JS_ToCStringLen returns, for JS_FreeCString; or NULL with an exception. Where quickjs-ng 0.17.0 has no
 * memory for the copy of a string that is not ASCII, it keeps the string for good.
 */
const char *string_text(JSContext *context, JSValueConst string, size_t *length);

#endif
