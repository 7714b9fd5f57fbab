/* Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. */
#ifndef NOUND_UTF8_H
#define NOUND_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the character that `text` begins with, or 0 when no well-formed one does. size: bytes in text.
 */
size_t utf8_character(const char *text, size_t size);

/* Returns whether all bytes are below 0x80. It reads words, not bytes. */
bool utf8_is_ascii(const char *text, size_t size);

/* Returns whether all of it is well-formed. */
bool utf8_is_valid(const char *text, size_t size);

#endif
