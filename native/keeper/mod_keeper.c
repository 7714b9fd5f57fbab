/* The JS module `nound:keeper` (ts/native/keeper.ts): what a reload hands over. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/runtime.h"
#include "keeper/keeper.h"
#include "text/sha256.h"
#include "text/text_argument.h"

#define CONFIGURATION "configuration" /* the key of its text */

SCRIPT_FUNCTION(keeper_exists_js) {
    return JS_NewBool(context, keeper_exists());
}

SCRIPT_FUNCTION(keeper_has_history_js) {
    return JS_NewBool(context, keeper_has_history());
}

SCRIPT_FUNCTION(keeper_is_checker_js) {
    return JS_NewBool(context, keeper_is_checker());
}

/* Kept is a hash of the text: who reads the keeper's memory learns no password. */
SCRIPT_FUNCTION(keeper_is_same_js) {
    char key[KEEPER_KEY_SIZE];
    uint8_t hash[SHA256_LENGTH];
    size_t length;
    const char *name = text_argument(context, argv[0], "a name");
    const char *text = name ? JS_ToCStringLen(context, &length, argv[1]) : NULL;
    if (text) {
        sha256((const uint8_t *)text, length, hash);
        size_t end = (size_t)snprintf(key, sizeof key - sizeof hash * 2, "%s ", name);
        for (size_t i = 0; i < sizeof hash; i++, end += 2)
            snprintf(key + end, sizeof key - end, "%02x", hash[i]);
        keeper_claim(key);
    }
    JS_FreeCString(context, text);
    JS_FreeCString(context, name);
    return text ? JS_NewBool(context, keeper_holds(key)) : JS_EXCEPTION;
}

SCRIPT_FUNCTION(keeper_keep_js) {
    const char *key = text_argument(context, argv[0], "a key");
    if (!key)
        return JS_EXCEPTION;
    keeper_keep(key, -1);
    JS_FreeCString(context, key);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_inherit_js) {
    const char *prefix = text_argument(context, argv[0], "the beginning of a key");
    if (!prefix)
        return JS_EXCEPTION;
    const char *rest = keeper_inherit(prefix);
    JS_FreeCString(context, prefix);
    return rest ? JS_NewString(context, rest) : JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_ready_js) {
    const char *status = text_argument(context, argv[0], "a sentence");
    if (!status)
        return JS_EXCEPTION;
    keeper_ready(status);
    JS_FreeCString(context, status);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_begin_js) {
    (void)context;
    keeper_begin_handing_over();
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_is_handing_over_js) {
    return JS_NewBool(context, keeper_is_handing_over());
}

SCRIPT_FUNCTION(keeper_hand_over_js) {
    size_t length;
    const char *text = JS_ToCStringLen(context, &length, argv[0]);
    if (!text)
        return JS_EXCEPTION;
    keeper_hand_over(text, length);
    JS_FreeCString(context, text);
    return JS_UNDEFINED;
}

static JSValue new_text(JSContext *context, char *text, size_t length) {
    JSValue result = text ? JS_NewStringLen(context, text, length) : JS_UNDEFINED;
    free(text);
    return result;
}

SCRIPT_FUNCTION(keeper_states_js) {
    size_t length = 0;
    char *text = keeper_states(&length);
    return new_text(context, text, length);
}

SCRIPT_FUNCTION(keeper_tokens_js) {
    size_t length = 0;
    char *text = keeper_tokens(&length);
    return new_text(context, text, length);
}

/* The text is written before any request is read, and sealed, so that no later fault of this process changes it. */
SCRIPT_FUNCTION(keeper_keep_configuration_js) {
    size_t length;
    const char *text = keeper_exists() ? JS_ToCStringLen(context, &length, argv[0]) : NULL;
    if (!text)
        return keeper_exists() ? JS_EXCEPTION : JS_UNDEFINED;
    int fd = memfd_create("nound-configuration", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && write(fd, text, length) == (ssize_t)length &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        keeper_keep(CONFIGURATION, fd);
    if (fd >= 0)
        close(fd);
    JS_FreeCString(context, text);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_previous_configuration_js) {
    int fd = keeper_is_fallback() ? keeper_take(CONFIGURATION, NULL) : -1;
    if (fd < 0)
        return JS_UNDEFINED;
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = size > 0 ? malloc((size_t)size) : NULL;
    JSValue result = JS_UNDEFINED;
    if (text && pread(fd, text, (size_t)size, 0) == (ssize_t)size)
        result = JS_NewStringLen(context, text, (size_t)size);
    free(text);
    close(fd);
    return result;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("exists", 0, keeper_exists_js),
    JS_CFUNC_DEF("hasHistory", 0, keeper_has_history_js),
    JS_CFUNC_DEF("isChecker", 0, keeper_is_checker_js),
    JS_CFUNC_DEF("isSame", 2, keeper_is_same_js),
    JS_CFUNC_DEF("keep", 1, keeper_keep_js),
    JS_CFUNC_DEF("inherit", 1, keeper_inherit_js),
    JS_CFUNC_DEF("ready", 1, keeper_ready_js),
    JS_CFUNC_DEF("beginHandingOver", 0, keeper_begin_js),
    JS_CFUNC_DEF("isHandingOver", 0, keeper_is_handing_over_js),
    JS_CFUNC_DEF("handOver", 1, keeper_hand_over_js),
    JS_CFUNC_DEF("states", 0, keeper_states_js),
    JS_CFUNC_DEF("tokens", 0, keeper_tokens_js),
    JS_CFUNC_DEF("keepConfiguration", 1, keeper_keep_configuration_js),
    JS_CFUNC_DEF("previousConfiguration", 0, keeper_previous_configuration_js),
};

const struct native_module mod_keeper = {.name = "nound:keeper", NATIVE_EXPORTS(exports)};
