/*
 * The JS module `nound:connector` (ts/native/connector.ts): connections to what the configuration names, by another
 * process.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "connector/connector.h"
#ifdef NOUND_TLS
#include "connector/sealed_connection.h"
#include "connector/tls_argument.h"
#endif
#include "base/descriptor.h"
#include "engine/runtime.h"
#include "keeper/keeper.h"
#include "loop/loop.h"
#include "net/net.h"
#include "text/text_argument.h"

struct connector {
    struct runtime *runtime;
    struct loop_watcher keeper;     /* of the channel by which the next connector comes; or -1 */
    struct loop_watcher watcher;    /* its descriptor is -1 once the connector has ended */
    JSValue on_end;                 /* a function */
    JSValue waiting[MOST_TARGETS];  /* a function for each target that was asked for; otherwise undefined */
    uint32_t numbers[MOST_TARGETS]; /* of the last question to each target */
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
    const bool is_asked = answer->target < MOST_TARGETS && answer->number == connector->numbers[answer->target];
    JSValue callback = is_asked ? take_waiting(connector, answer->target) : JS_UNDEFINED;
    if (JS_IsUndefined(callback)) { /* it was not asked for */
        descriptor_close(fd);
        return;
    }
    JSValue socket = JS_UNDEFINED;
    if (fd >= 0)
        socket = net_socket_new(connector->runtime->net, fd, &answer->peer);
    const bool is_lost = fd < 0 && answer->reason[0] == '\0';
    tell(connector,
         callback,
         socket,
         JS_NewString(context, is_lost ? "this process may open no more files" : answer->reason));
}

static void ended(struct connector *connector) {
    JSContext *context = connector->runtime->context;
    loop_close(connector->runtime->loop, &connector->watcher);
    for (uint32_t target = 0; target < MOST_TARGETS; target++) {
        JSValue callback = take_waiting(connector, target);
        if (!JS_IsUndefined(callback))
            tell(connector, callback, JS_UNDEFINED, JS_NewString(context, "the connector has ended"));
    }
    JSValue is_replaced = JS_NewBool(context, connector->keeper.fd >= 0);
    runtime_call(connector->runtime, connector->on_end, 1, (JSValueConst *)&is_replaced);
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

/* Owns the descriptor. Returns false with errno set. */
static bool watch(struct connector *connector, int fd) {
    connector->watcher = (struct loop_watcher){.ready = ready, .fd = fd, .background = true};
    if (loop_watch(connector->runtime->loop, &connector->watcher, EPOLLIN))
        return true;
    loop_close(connector->runtime->loop, &connector->watcher);
    return false;
}

/* The keeper has started another connector. Its first answer is taken as any other. */
static void replaced(struct loop_watcher *watcher, uint32_t events) {
    (void)events;
    struct connector *connector = owner_of(watcher, struct connector, keeper);
    int fd = keeper_take_helper(KEEPER_CONNECTOR, false);
    if (fd >= 0 && is_running(connector))
        ended(connector); /* its end was not read yet */
    if (fd >= 0 && !watch(connector, fd))
        perror("nound: cannot use the connector that was started again");
}

/* Watches for further connectors, if the keeper starts them. Returns false with errno set. */
static bool watch_keeper(struct connector *connector) {
    connector->keeper = (struct loop_watcher){.ready = replaced, .fd = keeper_connector_channel(), .background = true};
    return connector->keeper.fd < 0 || loop_watch(connector->runtime->loop, &connector->keeper, EPOLLIN);
}

/* Reads the targets of an array. Returns false with an exception. */
static bool read_targets(JSContext *context, JSValueConst array, struct connector_plan *plan) {
    struct sentence sentence = {0};
    for (size_t i = 0; i < plan->count; i++) {
        JSValue value = JS_GetPropertyInt64(context, array, (int64_t)i);
        const char *text = JS_IsException(value) ? NULL : text_argument(context, value, "a target");
        const char *reason = text ? target_parse(text, &plan->targets[i]) : NULL;
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

/* Reads the settings of TLS, and the date that has passed. Returns false with an exception. */
static bool read_tls(JSContext *context, JSValueConst array, JSValueConst earliest, struct connector_plan *plan) {
    if (JS_IsUndefined(array))
        return true;
#ifdef NOUND_TLS
    return (JS_IsUndefined(earliest) || JS_ToInt64(context, &plan->earliest, earliest) == 0) &&
           tls_argument_read(context, array, plan);
#else
    (void)earliest;
    (void)plan;
    sentence_throw_new(context, "this nound was built without TLS (-DNOUND_TLS=off)");
    return false;
#endif
}

/*
 * Returns a plan to be filled and freed, or NULL after throwing. array: has one element for each target. has_tls:
 * whether some of them may be encrypted.
 */
static struct connector_plan *plan_for(JSContext *context, JSValueConst array, bool has_tls) {
    int64_t count;
    if (JS_GetLength(context, array, &count) < 0)
        return NULL;
    if (count > MOST_TARGETS) {
        JS_ThrowRangeError(context, "there are at most %d targets", MOST_TARGETS);
        return NULL;
    }
    struct connector_plan *plan = calloc(1, connector_plan_size((size_t)count, has_tls ? (size_t)count : 0));
    if (!plan) {
        JS_ThrowOutOfMemory(context);
        return NULL;
    }
    plan->count = (size_t)count;
    plan->account = *runtime_of(context)->account;
    return plan;
}

SCRIPT_FUNCTION(start) {
    struct runtime *runtime = runtime_of(context);
    struct connector *connector = runtime->connector;
    struct sentence reason = {0};
    if (!JS_IsUndefined(connector->on_end))
        return JS_ThrowPlainError(context, "the connector was started already");
    if (!JS_IsFunction(context, argv[1]))
        return JS_ThrowTypeError(context, "start expects targets and a function");
    struct connector_plan *plan = plan_for(context, argv[0], !JS_IsUndefined(argv[2]));
    if (!plan)
        return JS_EXCEPTION;
    const size_t count = plan->count;
    const bool are_read = read_targets(context, argv[0], plan) && read_tls(context, argv[2], argv[3], plan);
    int fd = are_read ? connector_start(plan, &reason) : -1;
    free(plan);
    if (fd < 0)
        return are_read ? sentence_throw(context, &reason) : JS_EXCEPTION;
    if (!watch(connector, fd) || !watch_keeper(connector)) {
        sentence_say(&reason, "cannot watch the connector: %s", strerror(errno));
        loop_close(connector->runtime->loop, &connector->watcher);
        return sentence_throw(context, &reason);
    }
    connector->on_end = JS_DupValue(context, argv[1]);
    connector->targets = count;
    return JS_UNDEFINED;
}

#ifdef NOUND_TLS
/* Returns an array with two numbers for each settings. */
static JSValue list_ends(JSContext *context, const struct tls_ends *ends, size_t count) {
    JSValue array = JS_NewArray(context);
    for (size_t i = 0; i < count && !JS_IsException(array); i++) {
        const int64_t place = 2 * (int64_t)i;
        if (JS_SetPropertyInt64(context, array, place, JS_NewInt64(context, ends[i].certificate)) >= 0 &&
            JS_SetPropertyInt64(context, array, place + 1, JS_NewInt64(context, ends[i].authorities)) >= 0)
            continue;
        JS_FreeValue(context, array);
        return JS_EXCEPTION;
    }
    return array;
}
#endif

SCRIPT_FUNCTION(check_tls) {
    struct sentence reason = {0};
    struct connector_plan *plan = plan_for(context, argv[0], true);
    if (!plan)
        return JS_EXCEPTION;
    JSValue answer = JS_UNDEFINED;
    const bool are_read = read_tls(context, argv[0], JS_UNDEFINED, plan);
#ifdef NOUND_TLS
    struct tls_ends ends[MOST_TARGETS] = {0};
    if (are_read && sealed_connection_open(plan, &reason) && sealed_connection_check(plan, ends, &reason))
        answer = list_ends(context, ends, plan->tls_count);
    sealed_connection_close(plan);
#endif
    free(plan);
    if (!are_read)
        return JS_EXCEPTION;
    return reason.length > 0 ? sentence_throw(context, &reason) : answer;
}

SCRIPT_FUNCTION(connect_target) {
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
        !connector_ask(connector->watcher.fd, target, ++connector->numbers[target], time))
        return JS_ThrowPlainError(context, "the connector is busy");
    connector->waiting[target] = JS_DupValue(context, argv[2]);
    connector->under_way++;
    return JS_UNDEFINED;
}

/* The connector ends when nobody can ask it any more. */
static void release(struct runtime *runtime) {
    struct connector *connector = runtime->connector;
    if (!connector)
        return;
    JSContext *context = connector->runtime->context;
    loop_close(connector->runtime->loop, &connector->watcher);
    if (connector->keeper.fd >= 0) /* the keeper's channel stays open */
        loop_unwatch(connector->runtime->loop, &connector->keeper);
    connector->keeper.fd = -1;
    for (uint32_t target = 0; target < MOST_TARGETS; target++)
        JS_FreeValue(context, take_waiting(connector, target));
    JS_FreeValue(context, connector->on_end);
}

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("start", 4, start),
    JS_CFUNC_DEF("check", 1, check_tls),
    JS_CFUNC_DEF("connect", 3, connect_target),
};

static bool open_module(struct runtime *runtime) {
    struct connector *connector = runtime->connector = calloc(1, sizeof *connector);
    if (!connector)
        return false;
    connector->runtime = runtime;
    connector->watcher.fd = connector->keeper.fd = -1;
    connector->on_end = JS_UNDEFINED;
    for (size_t i = 0; i < MOST_TARGETS; i++)
        connector->waiting[i] = JS_UNDEFINED;
    return true;
}

const struct native_module mod_connector = {
    .name = "nound:connector", NATIVE_EXPORTS(exports), .open = open_module, .release = release};
