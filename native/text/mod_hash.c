/*
 * The JS module `nound:hash` (ts/native/hash.ts): SHA-256, and a hash for tables. They are in C because in the engine
 * they would cost a hundred times as much: one token would cost as much as many requests.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

#include "engine/runtime.h"
#include "text/byte_string.h"
#include "text/hexadecimal.h"
#include "text/keyed_hash.h"
#include "text/sha256.h"
#include "text/string_text.h"

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

/*
 * Returns the key of this process, which is made when it is first needed. Before the kernel has gathered randomness
 * after boot, it is the number that the kernel gives each process (getauxval(3)).
 */
static const uint8_t *key_of_process(void) {
    static uint8_t key[KEYED_HASH_LENGTH];
    static bool is_made;
    if (is_made)
        return key;
    if (getrandom(key, sizeof key, GRND_NONBLOCK) != (ssize_t)sizeof key)
        memcpy(key, (const void *)(uintptr_t)getauxval(AT_RANDOM), sizeof key);
    is_made = true;
    return key;
}

SCRIPT_FUNCTION(hash_keyed) {
    size_t length;
    uint8_t hash[KEYED_HASH_LENGTH];
    char ascii[KEYED_HASH_LENGTH];
    const char *text = string_text(context, argv[0], &length);
    if (!text)
        return JS_EXCEPTION;
    keyed_hash(key_of_process(), (const uint8_t *)text, length, hash);
    JS_FreeCString(context, text);
    for (size_t i = 0; i < sizeof hash; i++)
        ascii[i] = (char)(hash[i] & 0x7f);
    return JS_NewStringLen(context, ascii, sizeof ascii);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("keyed", 1, hash_keyed),
    JS_CFUNC_DEF("sha256", 1, hash_sha256),
};

const struct native_module mod_hash = {.name = "nound:hash", NATIVE_EXPORTS(exports)};
