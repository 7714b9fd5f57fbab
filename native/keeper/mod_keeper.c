/* The JS module `nound:keeper` (ts/native/keeper.ts): what a reload hands over. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/runtime.h"
#include "keeper/keeper.h"
#include "text/sentence.h"
#include "text/sha256.h"
#include "text/text_argument.h"

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
    uint8_t hash[SHA256_LENGTH];
    struct keeper_note note;
    size_t length;
    const char *name = text_argument(context, argv[0], "a name");
    const char *text = name ? JS_ToCStringLen(context, &length, argv[1]) : NULL;
    bool is_same = false;
    if (text) {
        const struct keeper_key key = keeper_key_of(KEEPER_HASH, name, 0);
        sha256((const uint8_t *)text, length, hash);
        keeper_note_set(&note, hash, sizeof hash);
        const struct keeper_note *before = keeper_note_of(&key);
        is_same = before && before->length == note.length && memcmp(before->bytes, hash, sizeof hash) == 0;
        if (is_same)
            keeper_claim(&key);
        else
            keeper_keep(&key, &note, -1);
    }
    JS_FreeCString(context, text);
    JS_FreeCString(context, name);
    return text ? JS_NewBool(context, is_same) : JS_EXCEPTION;
}

/* Reads "led" or "pwm". Returns false with an exception. */
static bool read_kind(JSContext *context, JSValueConst value, enum keeper_kind *kind) {
    const char *text = text_argument(context, value, "a kind");
    if (!text)
        return false;
    *kind = strcmp(text, "led") == 0 ? KEEPER_LED : KEEPER_PWM;
    JS_FreeCString(context, text);
    return true;
}

SCRIPT_FUNCTION(keeper_keep_js) {
    enum keeper_kind kind;
    uint32_t number;
    struct keeper_note note;
    size_t length;
    if (!read_kind(context, argv[0], &kind) || JS_ToUint32(context, &number, argv[2]) < 0)
        return JS_EXCEPTION;
    const char *name = text_argument(context, argv[1], "a name");
    const char *text = name ? JS_ToCStringLen(context, &length, argv[3]) : NULL;
    if (text) {
        const struct keeper_key key = keeper_key_of(kind, name, number);
        if (keeper_note_set(&note, text, length))
            keeper_keep(&key, &note, -1);
        else
            fprintf(stderr, "nound: the settings of %s are too long to be kept over a reload\n", name);
    }
    JS_FreeCString(context, text);
    JS_FreeCString(context, name);
    return text ? JS_UNDEFINED : JS_EXCEPTION;
}

/* Adds a value to an array. Consumes it. Returns false with an exception. */
static bool add(JSContext *context, JSValue array, JSValue value) {
    int64_t length;
    if (JS_IsException(value))
        return false;
    if (JS_GetLength(context, array, &length) == 0)
        return JS_SetPropertyInt64(context, array, length, value) >= 0;
    JS_FreeValue(context, value);
    return false;
}

SCRIPT_FUNCTION(keeper_inherit_js) {
    enum keeper_kind kind;
    uint32_t number = 0;
    const struct keeper_note *note;
    const bool is_any = JS_IsUndefined(argv[1]);
    if (!read_kind(context, argv[0], &kind) || (!is_any && JS_ToUint32(context, &number, argv[2]) < 0))
        return JS_EXCEPTION;
    const char *name = is_any ? NULL : text_argument(context, argv[1], "a name");
    if (!name && !is_any)
        return JS_EXCEPTION;
    const struct keeper_key *key = keeper_inherit(kind, name, number, &note);
    JS_FreeCString(context, name);
    if (!key)
        return JS_UNDEFINED;
    JSValue found = JS_NewArray(context);
    if (!JS_IsException(found) &&
        (!add(context, found, JS_NewString(context, key->name)) ||
         !add(context, found, JS_NewUint32(context, key->number)) ||
         !add(context, found, JS_NewStringLen(context, (const char *)note->bytes, note->length)))) {
        JS_FreeValue(context, found);
        return JS_EXCEPTION;
    }
    return found;
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

SCRIPT_FUNCTION(keeper_leave_js) {
    size_t name_length, length;
    const char *name = JS_ToCStringLen(context, &name_length, argv[0]);
    const char *text = name ? JS_ToCStringLen(context, &length, argv[1]) : NULL;
    JSValue result = text ? JS_UNDEFINED : JS_EXCEPTION;
    if (text && !keeper_leave(name, name_length, text, length))
        result =
            errno == E2BIG
                ? sentence_throw_new(context, "the states take more than %u MiB", (unsigned)(KEEPER_MOST_LEFT >> 20))
                : sentence_throw_new(context, "the states cannot be written: %s", strerror(errno));
    JS_FreeCString(context, text);
    JS_FreeCString(context, name);
    return result;
}

SCRIPT_FUNCTION(keeper_leave_nothing_js) {
    (void)context;
    keeper_leave_nothing();
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_hand_over_js) {
    keeper_hand_over();
    return sentence_throw_new(context, "the states cannot be written: %s", strerror(errno));
}

SCRIPT_FUNCTION(keeper_refuse_js) {
    (void)context;
    keeper_refuse();
    return JS_UNDEFINED;
}

/* Returns an array, in which each name is followed by its text. Consumes the records. */
static JSValue new_records(JSContext *context, char *bytes, size_t length) {
    struct keeper_record record = {.rest = bytes, .rest_length = bytes ? length : 0};
    JSValue array = JS_NewArray(context);
    while (!JS_IsException(array) && keeper_next_record(&record))
        if (!add(context, array, JS_NewStringLen(context, record.name, record.name_length)) ||
            !add(context, array, JS_NewStringLen(context, record.text, record.text_length))) {
            JS_FreeValue(context, array);
            array = JS_EXCEPTION;
        }
    free(bytes);
    return array;
}

SCRIPT_FUNCTION(keeper_states_js) {
    size_t length = 0;
    char *records = keeper_states(&length);
    return new_records(context, records, length);
}

SCRIPT_FUNCTION(keeper_tokens_js) {
    size_t length = 0;
    char *records = keeper_tokens(&length);
    return new_records(context, records, length);
}

static struct keeper_key configuration_key(void) {
    return keeper_key_of(KEEPER_CONFIGURATION, "configuration", 0);
}

/* The text is written before any request is read, and sealed, so that no later fault of this process changes it. */
SCRIPT_FUNCTION(keeper_keep_configuration_js) {
    size_t length;
    const char *text = keeper_exists() ? JS_ToCStringLen(context, &length, argv[0]) : NULL;
    if (!text)
        return keeper_exists() ? JS_EXCEPTION : JS_UNDEFINED;
    const struct keeper_key key = configuration_key();
    int fd = memfd_create("nound-configuration", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && write(fd, text, length) == (ssize_t)length &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0)
        keeper_keep(&key, NULL, fd);
    if (fd >= 0)
        close(fd);
    JS_FreeCString(context, text);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_previous_configuration_js) {
    const struct keeper_key key = configuration_key();
    int fd = keeper_is_fallback() ? keeper_take(&key) : -1;
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
    JS_CFUNC_DEF("keep", 4, keeper_keep_js),
    JS_CFUNC_DEF("inherit", 3, keeper_inherit_js),
    JS_CFUNC_DEF("ready", 1, keeper_ready_js),
    JS_CFUNC_DEF("beginHandingOver", 0, keeper_begin_js),
    JS_CFUNC_DEF("isHandingOver", 0, keeper_is_handing_over_js),
    JS_CFUNC_DEF("leave", 2, keeper_leave_js),
    JS_CFUNC_DEF("leaveNothing", 0, keeper_leave_nothing_js),
    JS_CFUNC_DEF("handOver", 0, keeper_hand_over_js),
    JS_CFUNC_DEF("refuse", 0, keeper_refuse_js),
    JS_CFUNC_DEF("states", 0, keeper_states_js),
    JS_CFUNC_DEF("tokens", 0, keeper_tokens_js),
    JS_CFUNC_DEF("keepConfiguration", 1, keeper_keep_configuration_js),
    JS_CFUNC_DEF("previousConfiguration", 0, keeper_previous_configuration_js),
};

const struct native_module mod_keeper = {.name = "nound:keeper", NATIVE_EXPORTS(exports)};
