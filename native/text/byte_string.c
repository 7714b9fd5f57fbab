#include "text/byte_string.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "text/string_text.h"
#include "text/utf8.h"

/* The engine uses UTF-8. There a byte from 0x80 becomes the two bytes of the character with that number. */
static char expanded[2 * BYTE_STRING_LIMIT];

JSValue byte_string_new(JSContext *context, const uint8_t *bytes, size_t length) {
    assert(length <= BYTE_STRING_LIMIT);
    if (utf8_is_ascii((const char *)bytes, length))
        return JS_NewStringLen(context, (const char *)bytes, length);
    size_t end = 0;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] < 0x80) {
            expanded[end++] = (char)bytes[i];
        } else {
            expanded[end++] = (char)(0xc0 | bytes[i] >> 6);
            expanded[end++] = (char)(0x80 | (bytes[i] & 0x3f));
        }
    }
    return JS_NewStringLen(context, expanded, end);
}

/* Returns how many bytes the text represents, or -1 if one of its characters is not a byte. */
static ptrdiff_t shrink(const uint8_t *text, size_t length, char *bytes) {
    char *end = bytes;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < 0x80)
            *end++ = (char)text[i];
        else if (text[i] <= 0xc3 && i + 1 < length) { /* the lead of U+0080 to U+00FF is 0xC2 or 0xC3 */
            *end++ = (char)(text[i] << 6 | (text[i + 1] & 0x3f));
            i++;
        } else
            return -1;
    }
    return end - bytes;
}

char *byte_string_read(JSContext *context, JSValueConst string, size_t *length) {
    size_t size;
    const char *text = string_text(context, string, &size);
    if (!text)
        return NULL;
    char *bytes = malloc(size + 1); /* never 0 */
    ptrdiff_t count = bytes ? shrink((const uint8_t *)text, size, bytes) : 0;
    JS_FreeCString(context, text);
    if (bytes && count >= 0) {
        *length = (size_t)count;
        return bytes;
    }
    if (bytes)
        JS_ThrowRangeError(context, "bytes to send have one character each, from 0x00 to 0xFF");
    else
        JS_ThrowOutOfMemory(context);
    free(bytes);
    return NULL;
}
