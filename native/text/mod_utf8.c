/*
 * The JS module `nound:utf8` (ts/native/utf8.ts): decodes byte strings to text, and measures the length of a text in
 * UTF-8. In the engine, that would take much longer for a character that is not ASCII.
 */
#include <stdlib.h>

#include "engine/runtime.h"
#include "text/byte_string.h"
#include "text/string_text.h"
#include "text/utf8.h"

static JSValue decode_bytes(JSContext *context, JSValueConst string) {
    size_t length;
    char *bytes = byte_string_read(context, string, &length);
    if (!bytes)
        return JS_EXCEPTION;
    JSValue text = utf8_is_valid(bytes, length) ? JS_NewStringLen(context, bytes, length) : JS_UNDEFINED;
    free(bytes);
    return text;
}

SCRIPT_FUNCTION(utf8_decode) {
    size_t length;
    if (!JS_IsString(argv[0]))
        return JS_ThrowTypeError(context, "decode expects a byte string");
    const char *encoded = string_text(context, argv[0], &length); /* no copy where it is ASCII */
    if (!encoded)
        return JS_EXCEPTION;
    bool is_ascii = utf8_is_ascii(encoded, length);
    JS_FreeCString(context, encoded);
    return is_ascii ? JS_DupValue(context, argv[0]) : decode_bytes(context, argv[0]);
}

SCRIPT_FUNCTION(utf8_byte_length) {
    size_t length;
    const char *encoded = string_text(context, argv[0], &length);
    if (!encoded)
        return JS_EXCEPTION;
    JS_FreeCString(context, encoded);
    return JS_NewInt64(context, (int64_t)length);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("decode", 1, utf8_decode),
    JS_CFUNC_DEF("byteLength", 1, utf8_byte_length),
};

const struct native_module mod_utf8 = {.name = "nound:utf8", NATIVE_EXPORTS(exports)};
