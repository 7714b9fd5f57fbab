/* The JS module `nound:keeper` (ts/native/keeper.ts): what a reload hands over. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "engine/runtime.h"
#include "keeper/keeper.h"
#include "text/failure.h"
#include "text/text_argument.h"

/* exists(), isSuccessor(), isChecker(), isHandingOver() and hasGoneBack() */
static JSValue keeper_is(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv, int question) {
    static bool (*const answers[])(void) = {
        keeper_exists, keeper_is_successor, keeper_is_checker, keeper_is_handing_over, keeper_has_gone_back};
    (void)this_value, (void)argc, (void)argv;
    return JS_NewBool(context, answers[question]());
}

/* Reads the kind of something without a descriptor. Returns false with an exception. */
static bool read_kind(JSContext *context, JSValueConst value, enum keeper_kind *kind) {
    TEXT_ARGUMENT(text, context, value, "a kind");
    if (!text)
        return false;
    *kind = strcmp(text, "led") == 0    ? KEEPER_LED
            : strcmp(text, "pwm") == 0  ? KEEPER_PWM
            : strcmp(text, "line") == 0 ? KEEPER_LINE
                                        : KEEPER_HASH;
    return true;
}

SCRIPT_FUNCTION(keeper_keep_js) {
    enum keeper_kind kind;
    uint32_t number;
    if (!read_kind(context, argv[0], &kind) || JS_ToUint32(context, &number, argv[2]) < 0)
        return JS_EXCEPTION;
    TEXT_ARGUMENT(name, context, argv[1], "a name");
    TEXT_ARGUMENT(note, context, argv[3], "a note");
    if (!name || !note)
        return JS_EXCEPTION;
    const struct keeper_thing thing = keeper_thing_of(kind, name, number, note, strlen(note) + 1);
    keeper_keep(&thing, -1);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_inherit_js) {
    enum keeper_kind kind;
    uint32_t number;
    const bool is_any = JS_IsUndefined(argv[1]);
    if (!read_kind(context, argv[0], &kind) || JS_ToUint32(context, &number, argv[2]) < 0)
        return JS_EXCEPTION;
    const char *name = is_any ? NULL : text_argument(context, argv[1], "a name");
    if (!name && !is_any)
        return JS_EXCEPTION;
    const struct keeper_thing *thing = keeper_find(kind, name, number);
    JS_FreeCString(context, name);
    if (!thing)
        return JS_UNDEFINED;
    (void)keeper_take(thing);
    JSValue parts[] = {
        JS_NewString(context, thing->name), JS_NewUint32(context, thing->number), JS_NewString(context, thing->note)};
    return JS_NewArrayFrom(context, sizeof parts / sizeof parts[0], parts);
}

SCRIPT_FUNCTION(keeper_ready_js) {
    TEXT_ARGUMENT(status, context, argv[0], "a sentence");
    uint32_t closing;
    if (!status || JS_ToUint32(context, &closing, argv[2]) < 0)
        return JS_EXCEPTION;
    keeper_ready(status, JS_ToBool(context, argv[1]) > 0, closing);
    return JS_UNDEFINED;
}

/* beginHandingOver(), refuse(), online() and admit() */
static JSValue keeper_act(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv, int act) {
    static void (*const acts[])(void) = {keeper_begin_handing_over, keeper_refuse, keeper_online, keeper_admit};
    (void)context, (void)this_value, (void)argc, (void)argv;
    acts[act]();
    return JS_UNDEFINED;
}

static JSValue throw_not_left(JSContext *context) {
    return failure_throw_new(context, "leave", errno, "%u", (unsigned)(KEEPER_MOST_LEFT >> 20));
}

SCRIPT_FUNCTION(keeper_leave_js) {
    size_t length;
    const char *text = JS_ToCStringLen(context, &length, argv[0]);
    if (!text)
        return JS_EXCEPTION;
    const bool is_left = keeper_leave(text, length, JS_ToBool(context, argv[1]) > 0);
    JSValue result = is_left ? JS_UNDEFINED : throw_not_left(context);
    JS_FreeCString(context, text);
    return result;
}

SCRIPT_FUNCTION(keeper_hand_over_js) {
    return keeper_hand_over(JS_ToBool(context, argv[0]) > 0) ? JS_UNDEFINED : throw_not_left(context);
}

/* Returns a text, or undefined. Consumes it. */
static JSValue new_text(JSContext *context, char *text, size_t length) {
    JSValue result = text ? JS_NewStringLen(context, text, length) : JS_UNDEFINED;
    free(text);
    return result;
}

/* states() and tokens() */
static JSValue keeper_read_left(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv, int what) {
    static char *(*const readers[])(size_t *length) = {keeper_states, keeper_tokens};
    size_t length = 0;
    (void)this_value, (void)argc, (void)argv;
    char *text = readers[what](&length);
    return new_text(context, text, length);
}

/* The text is written before any request is read, and sealed, so that no later fault of this process changes it. */
SCRIPT_FUNCTION(keeper_keep_configuration_js) {
    size_t length;
    const char *text = keeper_exists() ? JS_ToCStringLen(context, &length, argv[0]) : NULL;
    if (!text)
        return keeper_exists() ? JS_EXCEPTION : JS_UNDEFINED;
    int fd = memfd_create("nound-configuration", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && descriptor_write(fd, text, length) &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) == 0) {
        const struct keeper_thing thing = keeper_thing_of(KEEPER_CONFIGURATION, "the configuration", 0, "", 0);
        keeper_keep(&thing, fd);
    }
    descriptor_close(fd);
    JS_FreeCString(context, text);
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(keeper_previous_configuration_js) {
    const bool is_asked = keeper_is_fallback() || JS_ToBool(context, argv[0]) > 0;
    int fd = is_asked ? keeper_take(keeper_find(KEEPER_CONFIGURATION, NULL, 0)) : -1;
    if (fd < 0)
        return JS_UNDEFINED;
    off_t size = lseek(fd, 0, SEEK_END);
    char *text = size > 0 && lseek(fd, 0, SEEK_SET) == 0 ? malloc((size_t)size) : NULL;
    if (text && descriptor_read(fd, text, (size_t)size) != (ssize_t)size) {
        free(text);
        text = NULL;
    }
    close(fd);
    return new_text(context, text, (size_t)size);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_MAGIC_DEF("exists", 0, keeper_is, 0),
    JS_CFUNC_MAGIC_DEF("isSuccessor", 0, keeper_is, 1),
    JS_CFUNC_MAGIC_DEF("isChecker", 0, keeper_is, 2),
    JS_CFUNC_MAGIC_DEF("isHandingOver", 0, keeper_is, 3),
    JS_CFUNC_DEF("keep", 4, keeper_keep_js),
    JS_CFUNC_DEF("inherit", 3, keeper_inherit_js),
    JS_CFUNC_MAGIC_DEF("hasGoneBack", 0, keeper_is, 4),
    JS_CFUNC_DEF("ready", 3, keeper_ready_js),
    JS_CFUNC_MAGIC_DEF("online", 0, keeper_act, 2),
    JS_CFUNC_MAGIC_DEF("beginHandingOver", 0, keeper_act, 0),
    JS_CFUNC_DEF("leave", 2, keeper_leave_js),
    JS_CFUNC_DEF("handOver", 1, keeper_hand_over_js),
    JS_CFUNC_MAGIC_DEF("refuse", 0, keeper_act, 1),
    JS_CFUNC_MAGIC_DEF("admit", 0, keeper_act, 3),
    JS_CFUNC_MAGIC_DEF("states", 0, keeper_read_left, 0),
    JS_CFUNC_MAGIC_DEF("tokens", 0, keeper_read_left, 1),
    JS_CFUNC_DEF("keepConfiguration", 1, keeper_keep_configuration_js),
    JS_CFUNC_DEF("previousConfiguration", 1, keeper_previous_configuration_js),
};

const struct native_module mod_keeper = {.name = "nound:keeper", NATIVE_EXPORTS(exports)};
