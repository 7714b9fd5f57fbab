/*
 * The JS module `nound:acceptor` (ts/native/acceptor.ts): encrypted connections from clients, which another process
 * accepts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acceptor/acceptor_process.h"
#ifdef NOUND_TLS
#include "base/passed_descriptor.h"
#include "helper/helper.h"
#endif
#include "base/descriptor.h"
#include "engine/runtime.h"
#include "engine/value.h"
#include "keeper/keeper.h"
#include "loop/loop.h"
#include "net/net.h"
#include "net/net_listen.h"
#include "text/failure.h"
#include "text/hexadecimal.h"
#include "text/sentence.h"
#include "text/settings.h"
#include "text/text_argument.h"

#ifdef NOUND_TLS

struct acceptor_client {
    struct runtime *runtime;
    struct loop_watcher watcher; /* its descriptor is -1 once the acceptor has ended */
    JSValue handler;             /* an object */
    uint32_t listeners;          /* that were opened so far */
};

static bool is_running(const struct acceptor_client *client) {
    return client && client->watcher.fd >= 0;
}

/* Calls a method of the handler. Consumes the arguments. Returns whether it has returned. */
static bool tell(struct acceptor_client *client, const char *method, int argc, JSValue *argv) {
    JSContext *context = client->runtime->context;
    JSAtom name = JS_NewAtom(context, method);
    const bool returned =
        name != JS_ATOM_NULL && runtime_invoke(client->runtime, client->handler, name, argc, (JSValueConst *)argv);
    JS_FreeAtom(context, name);
    for (int i = 0; i < argc; i++)
        JS_FreeValue(context, argv[i]);
    return returned;
}

/* Waits, if it has a descriptor: then this process starts. Returns false with errno set. */
static bool order(const struct acceptor_client *client, const struct acceptor_order *message, int fd) {
    return passed_descriptor_send(client->watcher.fd, message, sizeof *message, fd, fd < 0 ? MSG_DONTWAIT : 0);
}

static bool leave(const struct runtime *runtime, uint32_t connection) {
    const struct acceptor_order message = {.type = ACCEPTOR_LEAVE, .connection = connection};
    return is_running(runtime->acceptor) && order(runtime->acceptor, &message, -1);
}

/* Nobody here has the connection of a message. One that the kernel encrypts would keep its place. */
static void lose(const struct acceptor_client *client, const struct acceptor_message *message) {
    if (message->in_kernel)
        (void)leave(client->runtime, message->connection);
}

static void deliver(struct acceptor_client *client, const struct acceptor_message *message, int fd) {
    JSContext *context = client->runtime->context;
    JSValue socket = net_socket_new(client->runtime->net, fd, &message->peer);
    JSValue key = message->has_key ? hexadecimal_new(context, message->client_key, TLS_HASH_BYTES) : JS_UNDEFINED;
    if (JS_IsException(socket) || JS_IsException(key)) { /* no memory: the connection is lost */
        JS_FreeValue(context, JS_GetException(context));
        JS_FreeValue(context, socket);
        JS_FreeValue(context, key);
        lose(client, message);
        return;
    }
    if (message->in_kernel)
        net_socket_seal(client->runtime->net, socket, message->connection);
    JSValue arguments[] = {JS_NewUint32(context, message->listener), JS_DupValue(context, socket), key};
    const bool returned = tell(client, "onConnection", 3, arguments);
    net_stream_start(client->runtime->net, socket, !returned);
    JS_FreeValue(context, socket);
}

static void tell_refusal(struct acceptor_client *client, struct acceptor_message *message) {
    char peer[NET_ENDPOINT_TEXT];
    JSContext *context = client->runtime->context;
    net_endpoint_print(&message->peer, peer);
    message->reason[sizeof message->reason - 1] = '\0';
    JSValue from = JS_NewString(context, peer), reason = JS_NewString(context, message->reason);
    if (JS_IsException(from) || JS_IsException(reason)) { /* no memory: it is not told */
        JS_FreeValue(context, JS_GetException(context));
        JS_FreeValue(context, from);
        JS_FreeValue(context, reason);
        return;
    }
    JSValue arguments[] = {from, reason};
    (void)tell(client, "onRefusal", 2, arguments);
}

static void tell_closed(struct acceptor_client *client, uint32_t listener) {
    JSValue number = JS_NewUint32(client->runtime->context, listener);
    (void)tell(client, "onClosed", 1, &number);
}

/* Takes any message, and nothing but the end for the end: a message that is none is a connection that is lost. */
static void ready(struct loop_watcher *watcher, uint32_t events) {
    (void)events;
    struct acceptor_client *client = owner_of(watcher, struct acceptor_client, watcher);
    struct acceptor_message message;
    int fd;
    const ssize_t length = passed_descriptor_receive(watcher->fd, &message, sizeof message, &fd, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return;
    const bool is_whole = length == (ssize_t)sizeof message;
    if (is_whole && message.type == ACCEPTOR_CONNECTION && fd >= 0) {
        deliver(client, &message, fd);
        return;
    }
    descriptor_close(fd);
    if (is_whole && message.type == ACCEPTOR_CONNECTION) { /* there was no descriptor left for it */
        lose(client, &message);
    } else if (is_whole && (message.type == ACCEPTOR_FULL || message.type == ACCEPTOR_DUE)) {
        (void)tell(client, message.type == ACCEPTOR_FULL ? "onFull" : "onDue", 0, NULL);
    } else if (is_whole && message.type == ACCEPTOR_REFUSED) {
        tell_refusal(client, &message);
    } else if (is_whole && message.type == ACCEPTOR_CLOSED) {
        tell_closed(client, message.listener);
    } else if (length <= 0) {
        loop_close(client->runtime->loop, &client->watcher);
        (void)tell(client, "onEnd", 0, NULL);
    }
}

static const struct setting numbers[] = {
    {"most", SETTING_NUMBER, offsetof(struct acceptor_plan, most), NULL},
    {"asks", SETTING_FLAG, offsetof(struct acceptor_plan, asks), NULL},
    {"tells", SETTING_FLAG, offsetof(struct acceptor_plan, tells), NULL},
};

/* Returns a plan to be freed, or NULL with an exception. */
static struct acceptor_plan *read_plan(JSContext *context, JSValueConst object) {
    struct acceptor_plan *plan = calloc(1, sizeof *plan);
    if (!plan) {
        JS_ThrowOutOfMemory(context);
        return NULL;
    }
    struct tls_server_settings *settings = &plan->settings;
    plan->account = *runtime_of(context)->account;
    if (settings_read_text(context, object, "certificate", settings->certificate, sizeof settings->certificate) &&
        settings_read_text(context, object, "key", settings->key, sizeof settings->key) &&
        settings_read_text(context, object, "folder", settings->folder, sizeof settings->folder) &&
        settings_read_text(context, object, "names", settings->names, sizeof settings->names - 1) &&
        settings_read(context, object, numbers, sizeof numbers / sizeof numbers[0], plan)) {
        for (char *comma = settings->names; (comma = strchr(comma, ',')) != NULL; comma++)
            *comma = '\0';
        plan->most = plan->most < 1 ? 1 : plan->most > MOST_ACCEPTED ? MOST_ACCEPTED : plan->most;
        return plan;
    }
    free(plan);
    return NULL;
}

/* Takes the first message. Returns whether its sender has read the certificate; otherwise says the reason. */
static bool take_facts(int sender, struct tls_server_facts *facts, struct sentence *reason) {
    struct acceptor_message message = {0};
    int fd = -1;
    const ssize_t length = passed_descriptor_receive(sender, &message, sizeof message, &fd, 0);
    descriptor_close(fd);
    *facts = message.facts;
    if (length == (ssize_t)sizeof message && message.reason[0] == '\0')
        return true;
    message.reason[sizeof message.reason - 1] = '\0';
    sentence_say(reason, "https: %s", message.reason[0] == '\0' ? "its process has ended" : message.reason);
    return false;
}

/* Starts the acceptor and waits until it has given up its rights. Returns the descriptor, or -1 with the reason. */
static int start_acceptor(const struct acceptor_plan *plan, struct tls_server_facts *facts, struct sentence *reason) {
    const int acceptor = helper_start(KEEPER_ACCEPTOR, plan, sizeof *plan, acceptor_run);
    if (acceptor < 0)
        sentence_say(reason, "cannot start the process for https: %s", strerror(errno));
    else if (take_facts(acceptor, facts, reason))
        return acceptor;
    descriptor_close(acceptor);
    return -1;
}

/* Reads the certificate in a process of its own. Returns false with the reason. */
static bool inspect_certificate(const struct acceptor_plan *plan, struct tls_server_facts *facts,
                                struct sentence *reason) {
    int sender, how;
    const pid_t child = passed_descriptor_fork(SOCK_SEQPACKET, &sender);
    if (child == 0)
        acceptor_inspect(sender, plan);
    if (child < 0) {
        sentence_say(reason, "cannot read the certificate: %s", strerror(errno));
        return false;
    }
    const bool is_read = take_facts(sender, facts, reason);
    close(sender);
    (void)waitpid(child, &how, 0);
    return is_read;
}

static JSValue describe(JSContext *context, const struct tls_server_facts *facts) {
    JSValue object = JS_NewObject(context);
    value_define(
        context, &object, "certificate", hexadecimal_new(context, facts->certificate, sizeof facts->certificate));
    value_define(context, &object, "key", hexadecimal_new(context, facts->key, sizeof facts->key));
    value_define(context, &object, "isNew", JS_NewBool(context, facts->is_new));
    value_define(context, &object, "end", JS_NewInt64(context, facts->end));
    return object;
}

SCRIPT_FUNCTION(start) {
    struct runtime *runtime = runtime_of(context);
    struct sentence reason = {0};
    struct tls_server_facts facts;
    if (runtime->acceptor)
        return JS_ThrowPlainError(context, "the acceptor was started already");
    struct acceptor_plan *plan = read_plan(context, argv[0]);
    if (!plan)
        return JS_EXCEPTION;
    int fd = start_acceptor(plan, &facts, &reason);
    free(plan);
    if (fd < 0)
        return sentence_throw(context, &reason);
    struct acceptor_client *client = runtime->acceptor = calloc(1, sizeof *client);
    if (client) {
        *client = (struct acceptor_client){
            .runtime = runtime, .watcher = {.ready = ready, .fd = fd}, .handler = JS_DupValue(context, argv[1])};
        runtime->net->leave = leave;
        if (loop_watch(runtime->loop, &client->watcher, EPOLLIN))
            return describe(context, &facts);
        client->watcher.fd = -1;
    }
    close(fd);
    return JS_ThrowOutOfMemory(context);
}

SCRIPT_FUNCTION(inspect) {
    struct sentence reason = {0};
    struct tls_server_facts facts;
    struct acceptor_plan *plan = read_plan(context, argv[0]);
    if (!plan)
        return JS_EXCEPTION;
    const bool is_read = inspect_certificate(plan, &facts, &reason);
    free(plan);
    return is_read ? describe(context, &facts) : sentence_throw(context, &reason);
}

static JSValue throw_not_ordered(JSContext *context) {
    return JS_ThrowPlainError(context, "its process takes no order: %s", strerror(errno));
}

/* Returns the address as bound, or an exception. Owns the descriptor. */
static JSValue pass_listener(JSContext *context, struct acceptor_client *client, int fd) {
    char text[NET_ENDPOINT_TEXT];
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    const struct acceptor_order message = {.type = ACCEPTOR_LISTEN, .listener = client->listeners};
    const bool is_passed = getsockname(fd, (struct sockaddr *)&bound, &length) == 0 && order(client, &message, fd);
    const int error = errno;
    close(fd);
    if (!is_passed)
        return JS_ThrowPlainError(context, "cannot listen: %s", strerror(error));
    client->listeners++;
    const struct net_endpoint endpoint = net_endpoint_of(&bound);
    net_endpoint_print(&endpoint, text);
    return JS_NewString(context, text);
}

SCRIPT_FUNCTION(listen_sealed) {
    struct acceptor_client *client = runtime_of(context)->acceptor;
    struct net_address address;
    int lock = -1;
    if (!is_running(client) || client->listeners == MOST_LISTENERS)
        return JS_ThrowPlainError(context, "there are at most %d addresses of https", MOST_LISTENERS);
    TEXT_ARGUMENT(text, context, argv[0], "an address");
    if (!text)
        return JS_EXCEPTION;
    const char *what = net_address_parse(text, &address);
    if (!what && address.any.sa_family == AF_UNIX)
        what = "address";
    const int fd = what ? -1 : net_listen_on(&address, text, &lock, &what);
    return fd < 0 ? failure_throw_new(context, what, errno, "%s", text) : pass_listener(context, client, fd);
}

SCRIPT_FUNCTION(close_sealed) {
    struct acceptor_client *client = runtime_of(context)->acceptor;
    uint32_t number;
    if (JS_ToUint32(context, &number, argv[0]) < 0)
        return JS_EXCEPTION;
    /* As net_listener.c does: the keeper has a duplicate, on which clients would wait in vain. */
    const struct acceptor_order message = {.type = keeper_is_handing_over() ? ACCEPTOR_CLOSE : ACCEPTOR_END,
                                           .listener = number};
    if (!is_running(client)) /* it has ended, so the socket is closed */
        return JS_UNDEFINED;
    return order(client, &message, -1) ? JS_UNDEFINED : throw_not_ordered(context);
}

SCRIPT_FUNCTION(confirm) {
    (void)context;
    return JS_UNDEFINED;
}

SCRIPT_FUNCTION(ask) {
    const struct acceptor_client *client = runtime_of(context)->acceptor;
    const struct acceptor_order message = {.type = ACCEPTOR_ASK, .listener = JS_ToBool(context, argv[0]) == 1};
    return !is_running(client) || order(client, &message, -1) ? JS_UNDEFINED : throw_not_ordered(context);
}

static void release(struct runtime *runtime) {
    struct acceptor_client *client = runtime->acceptor;
    if (!client)
        return;
    loop_close(client->runtime->loop, &client->watcher);
    JS_FreeValue(runtime->context, client->handler);
}

#else

void acceptor_run_plan(int asker, pid_t parent, int file) {
    (void)asker, (void)parent, (void)file;
}

SCRIPT_FUNCTION(start) {
    return sentence_throw_new(context, "this nound was built without TLS (-DNOUND_TLS=off)");
}
#define inspect start
#define listen_sealed start
#define close_sealed start
#define confirm start
#define ask start

static void release(struct runtime *runtime) {
    (void)runtime;
}

#endif

static const JSCFunctionListEntry exports[] = {
    JS_CFUNC_DEF("start", 2, start),
    JS_CFUNC_DEF("inspect", 1, inspect),
    JS_CFUNC_DEF("listen", 1, listen_sealed),
    JS_CFUNC_DEF("close", 1, close_sealed),
    JS_CFUNC_DEF("ask", 1, ask),
    JS_CFUNC_DEF("confirm", 0, confirm),
};

const struct native_module mod_acceptor = {.name = "nound:acceptor", NATIVE_EXPORTS(exports), .release = release};
