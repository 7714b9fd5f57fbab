/* The JS module `nound:keeper` (ts/native/keeper.ts): what a reload hands over. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/runtime.h"
#include "keeper/keeper.h"
#include "text/text_argument.h"

#define CONFIGURATION "configuration" /* the key of its text */

SCRIPT_FUNCTION(keeper_exists_js) {
    return JS_NewBool(context, keeper_exists());
}

SCRIPT_FUNCTION(keeper_has_history_js) {
    return JS_NewBool(context, keeper_has_history());
}

SCRIPT_FUNCTION(keeper_claim_js) {
    const char *key = text_argument(context, argv[0], "a key");
    if (!key)
        return JS_EXCEPTION;
    bool is_known = keeper_claim(key);
    JS_FreeCString(context, key);
    return JS_NewBool(context, is_known);
}

SCRIPT_FUNCTION(keeper_ready_js) {
    (void)context;
    keeper_ready();
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_begin_js) {
    (void)context;
    keeper_begin_handing_over();
    return JS_UNDEFINED;
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

SCRIPT_FUNCTION(keeper_states_js) {
    size_t length;
    char *text = keeper_states(&length);
    JSValue result = text ? JS_NewStringLen(context, text, length) : JS_UNDEFINED;
    free(text);
    return result;
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
    JS_CFUNC_DEF("claim", 1, keeper_claim_js),
    JS_CFUNC_DEF("ready", 0, keeper_ready_js),
    JS_CFUNC_DEF("beginHandingOver", 0, keeper_begin_js),
    JS_CFUNC_DEF("handOver", 1, keeper_hand_over_js),
    JS_CFUNC_DEF("states", 0, keeper_states_js),
    JS_CFUNC_DEF("keepConfiguration", 1, keeper_keep_configuration_js),
    JS_CFUNC_DEF("previousConfiguration", 0, keeper_previous_configuration_js),
};

const struct native_module mod_keeper = {.name = "nound:keeper", NATIVE_EXPORTS(exports)};
