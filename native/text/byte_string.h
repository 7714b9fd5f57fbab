/* Bytes in JavaScript: a string with one character for each byte, U+0000 to U+00FF. This encodes bytes and interprets
 * nothing. */
#ifndef NOUND_BYTE_STRING_H
#define NOUND_BYTE_STRING_H

#include <stddef.h>
#include <stdint.h>

#include <quickjs.h>

/* The largest number of bytes in one string. */
#define BYTE_STRING_LIMIT (16 * 1024)

/* Returns the string of at most BYTE_STRING_LIMIT bytes, or an exception without memory. */
JSValue byte_string_new(JSContext *context, const uint8_t *bytes, size_t length);

/* Returns the bytes of a string, for free(), or NULL with an exception: a RangeError for a character beyond U+00FF. */
char *byte_string_read(JSContext *context, JSValueConst string, size_t *length);

#endif
