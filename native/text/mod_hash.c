/*
 * The JS module `nound:hash` (ts/native/hash.ts): SHA-256, and a comparison that does not end at the first difference.
 * Both are in C because in the engine they would cost a hundred times as much: one token would cost as much as many
 * requests.
 */
#include <stdlib.h>

#include "engine/runtime.h"
#include "text/byte_string.h"
#include "text/sha256.h"
#include "text/string_text.h"

static JSValue hash_sha256(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    static const char digits[] = "0123456789abcdef";
    size_t length;
    uint8_t hash[SHA256_LENGTH];
    char hex[2 * SHA256_LENGTH];
    char *bytes = byte_string_read(context, argv[0], &length);
    if (!bytes)
        return JS_EXCEPTION;
    sha256((const uint8_t *)bytes, length, hash);
    free(bytes);
    for (int i = 0; i < SHA256_LENGTH; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    return JS_NewStringLen(context, hex, sizeof hex);
}

static JSValue hash_are_equal(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv) {
    (void)this_value, (void)argc;
    size_t length, other_length;
    if (JS_IsString(argv[0]) && JS_IsString(argv[1]) && JS_VALUE_GET_PTR(argv[0]) == JS_VALUE_GET_PTR(argv[1]))
        return JS_TRUE; /* one string, which net_received.h gives for the same bytes */
    const char *one = string_text(context, argv[0], &length);
    if (!one)
        return JS_EXCEPTION;
    const char *other = string_text(context, argv[1], &other_length);
    bool are_equal =
        other && length == other_length && byte_string_equal((const uint8_t *)one, (const uint8_t *)other, length);
    JS_FreeCString(context, one);
    if (!other)
        return JS_EXCEPTION;
    JS_FreeCString(context, other);
    return JS_NewBool(context, are_equal);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("sha256", 1, hash_sha256),
    JS_CFUNC_DEF("areEqual", 2, hash_are_equal),
};
static const int export_count = sizeof exports / sizeof exports[0];

static int initialize(JSContext *context, JSModuleDef *module) {
    return runtime_set_exports(context, module, exports, export_count);
}

bool mod_hash_register(struct runtime *runtime) {
    JSContext *context = runtime->context;
    JSModuleDef *module = JS_NewCModule(context, "nound:hash", initialize);
    return module && JS_AddModuleExportList(context, module, exports, export_count) == 0;
}
