/* The class Socket of `nound:net` (ts/native/net.ts): what the script sees of a connection. */
#include "net/net_stream.h"

#include <stdlib.h>
#include <unistd.h>

#include "engine/handle.h"
#include "net/net_outbox.h"
#include "net/net_sending.h"
#include "text/byte_string.h"
#include "text/string_text.h"

static JSValue socket_get_peer(JSContext *context, JSValueConst this_value) {
    char text[NET_ENDPOINT_TEXT];
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    if (!stream)
        return JS_EXCEPTION;
    net_endpoint_print(&stream->peer, text);
    return JS_NewString(context, text);
}

static JSValue socket_get_handler(JSContext *context, JSValueConst this_value) {
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    return stream ? JS_DupValue(context, stream->handler) : JS_EXCEPTION;
}

static JSValue socket_set_handler(JSContext *context, JSValueConst this_value, JSValueConst value) {
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    if (!stream)
        return JS_EXCEPTION;
    if (!JS_IsObject(value) && !JS_IsNull(value))
        return JS_ThrowTypeError(context, "a socket's handler must be an object or null");
    if (!stream_is_open(stream))
        return JS_UNDEFINED; /* no event follows: nothing to keep it for */
    outbox_send_text_of(stream);
    JSValue old = stream->handler;
    stream->handler = JS_DupValue(context, value);
    JS_FreeValue(context, old);
    stream_update_watch(stream);
    return JS_UNDEFINED;
}

/*
 * UTF-8 cannot express half of a surrogate pair. It is sent as the three bytes of its number: as many bytes as U+FFFD
 * has.
 */
SCRIPT_FUNCTION(socket_write) {
    size_t length;
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    const char *text = stream ? string_text(context, argv[0], &length) : NULL; /* no copy where it is ASCII */
    if (!text)
        return JS_EXCEPTION;
    bool sent = stream_write(stream, text, length);
    JS_FreeCString(context, text);
    return JS_NewBool(context, sent);
}

SCRIPT_FUNCTION(socket_write_bytes) {
    size_t length;
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    char *bytes = stream ? byte_string_read(context, argv[0], &length) : NULL;
    if (!bytes)
        return JS_EXCEPTION;
    bool sent = stream_write(stream, bytes, length);
    free(bytes);
    return JS_NewBool(context, sent);
}

SCRIPT_FUNCTION(socket_write_soon) {
    size_t length;
    bool taken;
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    const char *text = stream ? string_text(context, argv[0], &length) : NULL;
    if (!text)
        return JS_EXCEPTION;
    bool sent = stream_write_soon(stream, text, length, &taken);
    if (!taken)
        JS_FreeCString(context, text);
    return JS_NewBool(context, sent);
}

SCRIPT_FUNCTION(socket_write_last) {
    size_t length;
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    size_t size = 0;
    const uint8_t *bytes = NULL;
    if (stream && !JS_IsUndefined(argv[1]) && !(bytes = JS_GetArrayBuffer(context, &size, argv[1])))
        return JS_EXCEPTION;
    const char *text = stream ? string_text(context, argv[0], &length) : NULL;
    if (!text)
        return JS_EXCEPTION;
    bool sent = stream_write_last(stream, text, length, bytes, size);
    JS_FreeCString(context, text);
    return JS_NewBool(context, sent);
}

SCRIPT_FUNCTION(socket_set_reading) {
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    if (!stream)
        return JS_EXCEPTION;
    stream->reading = JS_ToBool(context, argv[0]) == 1;
    stream_update_watch(stream);
    return JS_UNDEFINED;
}

/* magic: what happens to the connection. */
enum { LONG_LIVED, FINISH, CLOSE };
static void (*const acts[])(struct stream *stream) = {stream_set_long_lived, stream_finish, stream_close};

static JSValue socket_act(JSContext *context, JSValueConst this_value, int argc, JSValueConst *argv, int magic) {
    (void)argc, (void)argv;
    struct stream *stream = handle_of(context, this_value, HANDLE_SOCKET);
    if (!stream)
        return JS_EXCEPTION;
    acts[magic](stream);
    return JS_UNDEFINED;
}

/* Returns whether an array holds Sockets and nothing else, with an exception where not. */
static bool are_sockets(struct net *net, JSValueConst array, int64_t count) {
    JSContext *context = net->runtime->context;
    for (int64_t i = 0; i < count; i++) {
        JSValue element = JS_GetPropertyInt64(context, array, i);
        bool is_socket = handle_of(context, element, HANDLE_SOCKET);
        JS_FreeValue(context, element);
        if (!is_socket)
            return false;
    }
    return true;
}

/* Adds a number to an array. Returns false when there is no memory; no exception is left. */
static bool add_number(JSContext *context, JSValueConst array, uint32_t place, int64_t number) {
    if (JS_SetPropertyUint32(context, array, place, JS_NewInt64(context, number)) >= 0)
        return true;
    JS_FreeValue(context, JS_GetException(context));
    return false;
}

/* Accepts only Sockets. No function called here runs the script, which could change the array meanwhile. */
static void send_to_all(struct net *net, JSValueConst sockets, int64_t count, const char *text, size_t length,
                        JSValueConst waiting) {
    JSContext *context = net->runtime->context;
    uint32_t places = 0;
    for (int64_t i = 0; i < count; i++) {
        JSValue socket = JS_GetPropertyInt64(context, sockets, i);
        struct stream *stream = handle_of(context, socket, HANDLE_SOCKET);
        if (!stream_broadcast(stream, text, length)) {
            if (add_number(context, waiting, places, i))
                places++;
            else
                stream_break(stream); /* nothing would wait until it accepts bytes again */
        }
        JS_FreeValue(context, socket);
    }
}

JSValue net_socket_broadcast(struct net *net, JSValueConst text, JSValueConst sockets) {
    JSContext *context = net->runtime->context;
    int64_t count;
    size_t length;
    if (JS_GetLength(context, sockets, &count) < 0 || !are_sockets(net, sockets, count))
        return JS_EXCEPTION;
    const char *bytes = string_text(context, text, &length);
    JSValue waiting = bytes ? JS_NewArray(context) : JS_EXCEPTION;
    if (!JS_IsException(waiting))
        send_to_all(net, sockets, count, bytes, length, waiting);
    JS_FreeCString(context, bytes);
    return waiting;
}

static const JSCFunctionListEntry members[] = {
    JS_CGETSET_DEF("peer", socket_get_peer, NULL),
    JS_CGETSET_DEF("handler", socket_get_handler, socket_set_handler),
    JS_CFUNC_DEF("write", 1, socket_write),
    JS_CFUNC_DEF("writeBytes", 1, socket_write_bytes),
    JS_CFUNC_DEF("writeSoon", 1, socket_write_soon),
    JS_CFUNC_DEF("writeLast", 2, socket_write_last),
    JS_CFUNC_DEF("setReading", 1, socket_set_reading),
    JS_CFUNC_MAGIC_DEF("setLongLived", 0, socket_act, LONG_LIVED),
    JS_CFUNC_MAGIC_DEF("finish", 0, socket_act, FINISH),
    JS_CFUNC_MAGIC_DEF("close", 0, socket_act, CLOSE),
};

JSValue net_socket_new(struct net *net, int fd, const struct net_endpoint *peer) {
    JSContext *context = net->runtime->context;
    struct stream *stream = stream_new(net, fd, peer);
    JSValue object = handle_new(context, HANDLE_SOCKET, stream);
    if (!JS_IsException(object))
        stream->self = object;
    else if (stream)
        stream_free(stream);
    else
        close(fd);
    return object;
}

void net_socket_seal(struct net *net, JSValueConst socket, uint32_t connection) {
    struct stream *stream = handle_of(net->runtime->context, socket, HANDLE_SOCKET);
    stream->sealed = true;
    stream->connection = connection;
}

const struct handle_type net_socket_type = {
    "Socket", HANDLE_MEMBERS(members), .callback = offsetof(struct stream, handler), .free = stream_free};
