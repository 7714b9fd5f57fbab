/*
 * The JS module `nound:hash` (ts/native/hash.ts): SHA-256. It is in C because in the engine it would cost a hundred
 * times as much: one token would cost as much as many requests.
 */
#include <stdlib.h>

#include "engine/runtime.h"
#include "text/byte_string.h"
#include "text/hexadecimal.h"
#include "text/sha256.h"

SCRIPT_FUNCTION(hash_sha256) {
    size_t length;
    uint8_t hash[SHA256_LENGTH];
    char *bytes = byte_string_read(context, argv[0], &length);
    if (!bytes)
        return JS_EXCEPTION;
    sha256((const uint8_t *)bytes, length, hash);
    free(bytes);
    return hexadecimal_new(context, hash, sizeof hash);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("sha256", 1, hash_sha256),
};

const struct native_module mod_hash = {.name = "nound:hash", NATIVE_EXPORTS(exports)};
