#include "text/hexadecimal.h"

#include <assert.h>

JSValue hexadecimal_new(JSContext *context, const uint8_t *bytes, size_t count) {
    static const char digits[] = "0123456789abcdef";
    char text[2 * HEXADECIMAL_BYTES];
    assert(count <= HEXADECIMAL_BYTES);
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    return JS_NewStringLen(context, text, 2 * count);
}
