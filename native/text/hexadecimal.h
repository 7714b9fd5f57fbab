/* Bytes as hexadecimal digits. */
#ifndef NOUND_HEXADECIMAL_H
#define NOUND_HEXADECIMAL_H

#include <quickjs.h>

#define HEXADECIMAL_BYTES 256 /* the most bytes of a text */

/* Returns two digits in lower case for each byte, or an exception. */
JSValue hexadecimal_new(JSContext *context, const uint8_t *bytes, size_t count);

#endif
