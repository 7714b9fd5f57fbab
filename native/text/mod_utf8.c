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

static JSValue utf8_decode(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
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

static JSValue utf8_byte_length(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
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
static const int export_count = sizeof exports / sizeof exports[0];

static int initialize(JSContext *context, JSModuleDef *module) {
    return runtime_set_exports(context, module, exports, export_count);
}

bool mod_utf8_register(struct runtime *runtime) {
    JSModuleDef *module = JS_NewCModule(runtime->context, "nound:utf8", initialize);
    return module && JS_AddModuleExportList(runtime->context, module, exports, export_count) == 0;
}
