/*
 * The JS module `nound:connector` (ts/native/connector.ts): connections to what the configuration names, by another
 * process.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "connector/connector.h"
#include "engine/runtime.h"
#include "loop/loop.h"
#include "net/net.h"
#include "text/text_argument.h"

struct connector {
    struct runtime *runtime;
    struct loop_watcher watcher;   /* its descriptor is -1 once the connector has ended */
    JSValue on_end;                /* a function */
    JSValue waiting[MOST_TARGETS]; /* a function for each target that was asked for; otherwise undefined */
    int under_way;
    size_t targets; /* that it was started with */
};

static bool is_running(const struct connector *connector) {
    return connector->watcher.fd >= 0;
}

/* Returns the function that waits for a target, or undefined. */
static JSValue take_waiting(struct connector *connector, uint32_t target) {
    JSValue callback = connector->waiting[target];
    connector->waiting[target] = JS_UNDEFINED;
    if (!JS_IsUndefined(callback))
        connector->under_way--;
    return callback;
}

/* Calls back with a socket, or with the reason. Consumes both values. */
static void tell(struct connector *connector, JSValue callback, JSValue socket, JSValue reason) {
    JSContext *context = connector->runtime->context;
    if (JS_IsException(reason) || JS_IsException(socket))
        JS_FreeValue(context, JS_GetException(context)); /* without memory, the connection has failed */
    JSValue arguments[] = {JS_IsException(socket) ? JS_UNDEFINED : socket,
                           JS_IsException(reason) ? JS_UNDEFINED : reason};
    bool returned = runtime_call(connector->runtime, callback, 2, (JSValueConst *)arguments);
    if (JS_IsObject(arguments[0]))
        net_stream_start(connector->runtime->net, arguments[0], !returned);
    JS_FreeValue(context, arguments[0]);
    JS_FreeValue(context, arguments[1]);
    JS_FreeValue(context, callback);
}

static void answered(struct connector *connector, const struct connector_answer *answer, int fd) {
    JSContext *context = connector->runtime->context;
    JSValue callback = answer->target < MOST_TARGETS ? take_waiting(connector, answer->target) : JS_UNDEFINED;
    if (JS_IsUndefined(callback)) { /* it was not asked for */
        if (fd >= 0)
            close(fd);
        return;
    }
    JSValue socket = JS_UNDEFINED;
    if (fd >= 0)
        socket = net_socket_new(connector->runtime->net, fd, &answer->peer);
    tell(connector, callback, socket, JS_NewString(context, answer->reason));
}

static void ended(struct connector *connector) {
    JSContext *context = connector->runtime->context;
    loop_unwatch(connector->runtime->loop, &connector->watcher);
    close(connector->watcher.fd);
    connector->watcher.fd = -1;
    for (uint32_t target = 0; target < MOST_TARGETS; target++) {
        JSValue callback = take_waiting(connector, target);
        if (!JS_IsUndefined(callback))
            tell(connector, callback, JS_UNDEFINED, JS_NewString(context, "the connector has ended"));
    }
    runtime_call(connector->runtime, connector->on_end, 0, NULL);
}

static void ready(struct loop_watcher *watcher, uint32_t events) {
    (void)events;
    struct connector *connector = owner_of(watcher, struct connector, watcher);
    struct connector_answer answer;
    int fd;
    switch (connector_take(watcher->fd, &answer, &fd)) {
    case 1:
        answered(connector, &answer, fd);
        break;
    case -1:
        ended(connector);
        break;
    default:
        break;
    }
}

/* Reads the targets of an array. Returns false with an exception. */
static bool read_targets(JSContext *context, JSValueConst array, struct target *targets, size_t count) {
    struct sentence sentence = {0};
    for (size_t i = 0; i < count; i++) {
        JSValue value = JS_GetPropertyInt64(context, array, (int64_t)i);
        const char *text = JS_IsException(value) ? NULL : text_argument(context, value, "a target");
        const char *reason = text ? target_parse(text, &targets[i]) : NULL;
        if (reason) {
            sentence_say(&sentence, "cannot connect to %s: %s", text, reason);
            sentence_throw(context, &sentence);
        }
        JS_FreeCString(context, text);
        JS_FreeValue(context, value);
        if (!text || reason)
            return false;
    }
    return true;
}

SCRIPT_FUNCTION(connector_start) {
    struct runtime *runtime = runtime_of(context);
    struct connector *connector = runtime->connector;
    struct sentence reason = {0};
    if (!JS_IsUndefined(connector->on_end))
        return JS_ThrowPlainError(context, "the connector was started already");
    if (!JS_IsFunction(context, argv[1]))
        return JS_ThrowTypeError(context, "start expects targets and a function");
    int64_t count;
    if (JS_GetLength(context, argv[0], &count) < 0)
        return JS_EXCEPTION;
    if (count > MOST_TARGETS)
        return JS_ThrowRangeError(context, "there are at most %d targets", MOST_TARGETS);
    struct target *targets = calloc((size_t)count + 1, sizeof *targets); /* never 0 */
    if (!targets)
        return JS_ThrowOutOfMemory(context);
    const bool are_read = read_targets(context, argv[0], targets, (size_t)count);
    const struct connector_plan plan = {
        .targets = targets,
        .count = (size_t)count,
        .account = runtime->account,
    };
    int fd = are_read ? connector_fork(&plan, &reason) : -1;
    free(targets);
    if (fd < 0)
        return are_read ? sentence_throw(context, &reason) : JS_EXCEPTION;
    connector->watcher = (struct loop_watcher){.ready = ready, .fd = fd, .background = true};
    if (!loop_watch(runtime->loop, &connector->watcher, EPOLLIN)) {
        sentence_say(&reason, "cannot watch the connector: %s", strerror(errno));
        close(fd);
        connector->watcher.fd = -1;
        return sentence_throw(context, &reason);
    }
    connector->on_end = JS_DupValue(context, argv[1]);
    connector->targets = (size_t)count;
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(connector_connect) {
    struct connector *connector = runtime_of(context)->connector;
    uint32_t target, time;
    if (!JS_IsFunction(context, argv[2]))
        return JS_ThrowTypeError(context, "connect expects a target's number, a time and a function");
    if (JS_ToUint32(context, &target, argv[0]) < 0 || JS_ToUint32(context, &time, argv[1]) < 0)
        return JS_EXCEPTION;
    if (!is_running(connector))
        return JS_ThrowPlainError(context, "the connector has ended");
    if (target >= connector->targets)
        return JS_ThrowRangeError(context, "there is no such target");
    if (connector->under_way == MOST_DIALS || !JS_IsUndefined(connector->waiting[target]) ||
        !connector_ask(connector->watcher.fd, target, time))
        return JS_ThrowPlainError(context, "the connector is busy");
    connector->waiting[target] = JS_DupValue(context, argv[2]);
    connector->under_way++;
    return JS_UNDEFINED;
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("start", 2, connector_start),
    JS_CFUNC_DEF("connect", 3, connector_connect),
};

static void release(struct runtime *runtime) {
    struct connector *connector = runtime->connector;
    if (!connector)
        return;
    if (is_running(connector)) {
        loop_unwatch(runtime->loop, &connector->watcher);
        close(connector->watcher.fd);
        connector->watcher.fd = -1;
    }
    for (uint32_t target = 0; target < MOST_TARGETS; target++)
        JS_FreeValue(runtime->context, take_waiting(connector, target));
    JS_FreeValue(runtime->context, connector->on_end);
}

static bool open_module(struct runtime *runtime) {
    struct connector *connector = runtime->connector = calloc(1, sizeof *connector);
    if (!connector)
        return false;
    connector->runtime = runtime;
    connector->watcher.fd = -1;
    connector->on_end = JS_UNDEFINED;
    for (size_t i = 0; i < MOST_TARGETS; i++)
        connector->waiting[i] = JS_UNDEFINED;
    return true;
}

const struct native_module mod_connector = {
    .name = "nound:connector", NATIVE_EXPORTS(exports), .open = open_module, .release = release};
