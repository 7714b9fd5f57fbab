#define _GNU_SOURCE 1
#include "net/net_stream.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "engine/handle.h"
#include "net/long_lived.h"
#include "net/net_outbox.h"
#include "net/net_sending.h"
#include "text/byte_string.h"

/* Bytes passed to the script at once. All connections share one buffer, because each receives in its own turn. */
#define RECEIVE_SIZE BYTE_STRING_LIMIT
static uint8_t received[RECEIVE_SIZE];

#define LATE 1000 /* µs that a turn has taken when the texts of the outbox no longer wait for its end */

static JSContext *context_of(const struct stream *stream) {
    return stream->net->runtime->context;
}

/* Releases everything of the kernel. The script's reference to the object keeps the memory; callers hold `self`
 * meanwhile.
 */
static void close_descriptor(struct stream *stream) {
    if (stream->sealed && !stream_leave(stream))
        shutdown(stream->watcher.fd, SHUT_RDWR); /* the acceptor has the connection, too (farewell.h) */
    close(stream->watcher.fd);                   /* also after an error, the descriptor is free (close(2)) */
    stream->watcher.fd = -1;
    byte_queue_clear(&stream->unsent);
    list_remove(&stream->link);
}

void stream_close(struct stream *stream) {
    if (!stream_is_open(stream))
        return;
    outbox_send_text_of(stream);
    JSContext *context = context_of(stream);
    JSValue handler = stream->handler;
    JSValue held = JS_DupValue(context, stream->self);
    stream_unwatch(stream);
    close_descriptor(stream);
    stream->handler = JS_NULL;
    JS_FreeValue(context, handler);
    JS_FreeValue(context, held);
}

/* Closes a broken connection and tells its handler. Only from the loop. */
static void gone(struct stream *stream) {
    JSContext *context = context_of(stream);
    struct net *net = stream->net;
    JSValue handler = JS_DupValue(context, stream->handler);
    stream_close(stream);
    if (!JS_IsNull(handler))
        runtime_invoke(net->runtime, handler, net->runtime->methods[ON_GONE], 0, NULL);
    JS_FreeValue(context, handler);
}

/*
 * Tells the handler of an event. If the handler throws, for example because memory is short, nobody knows how much it
 * has done. So the connection is closed.
 */
static void tell(struct stream *stream, enum handler_method event, int argc, JSValueConst *argv) {
    struct runtime *runtime = stream->net->runtime;
    if (!runtime_invoke(runtime, stream->handler, runtime->methods[event], argc, argv) && stream_is_open(stream))
        gone(stream);
}

/* Sends waiting bytes. The kernel has reported that it takes more. */
static void send_unsent(struct stream *stream) {
    if (!stream_send_unsent(stream)) {
        gone(stream);
        return;
    }
    bool owed = stream->drain_owed && !stream_has_unsent(stream);
    if (!owed)
        return;
    stream->drain_owed = false;
    if (!JS_IsNull(stream->handler))
        tell(stream, ON_DRAIN, 0, NULL);
}

/* Tells the handler of bytes that wait, if there are any. Only from the loop. */
static void tell_waiting(struct stream *stream) {
    if (!stream_has_unsent(stream) || JS_IsNull(stream->handler))
        return;
    JSValue waiting = JS_NewInt64(context_of(stream), (int64_t)byte_queue_length(&stream->unsent));
    tell(stream, ON_BLOCKED, 1, (JSValueConst[]){waiting});
}

void net_stream_send_posted(struct net *net) {
    struct stream *streams[OUTBOX_PLACES];
    int count = outbox_send_all(net, streams);
    for (int i = 0; i < count; i++) {
        tell_waiting(streams[i]);
        JS_FreeValue(net->runtime->context, streams[i]->self);
    }
}

static void receive(struct stream *stream, uint32_t events) {
    struct net *net = stream->net;
    const ssize_t length = UNINTERRUPTED(recv(stream->watcher.fd, received, sizeof received, MSG_DONTWAIT));
    if (length > 0) {
        /* More bytes, bytes behind urgent data (tcp(7)), FIN or an error may have come with these. */
        if ((size_t)length == sizeof received || (events & ~(uint32_t)EPOLLIN))
            loop_rearm(net->runtime->loop, &stream->watcher);
        JSValue bytes = byte_string_new(net->runtime->context, received, (size_t)length);
        if (JS_IsException(bytes)) { /* no memory: bytes are lost, so the connection is */
            JS_FreeValue(context_of(stream), JS_GetException(context_of(stream)));
            gone(stream);
            return;
        }
        tell(stream, ON_BYTES, 1, (JSValueConst[]){bytes});
        JS_FreeValue(net->runtime->context, bytes);
    } else if (length == 0 || (errno == EIO && stream->sealed)) { /* FIN, or an alert or another message of TLS */
        stream->ended = true;
        stream_update_watch(stream); /* level-triggered, the end would be reported again and again */
        tell(stream, ON_END, 0, NULL);
    } else if (!(errno == EAGAIN || errno == EWOULDBLOCK) || (events & (EPOLLERR | EPOLLHUP))) {
        gone(stream);
    }
}

/*
 * EPOLLHUP, which cannot be switched off, although nothing is to be read now: both directions are shut down. Either the
 * peer closed a connection that was not finished here, which is a loss. Or both sides have finished: then nothing more
 * can come, and watching it would spin.
 */
static void hung_up(struct stream *stream) {
    if (stream->finished)
        stream_unwatch(stream);
    else
        gone(stream);
}

static void stream_ready(struct loop_watcher *watcher, uint32_t events) {
    struct stream *stream = owner_of(watcher, struct stream, watcher);
    JSContext *context = context_of(stream);
    JSValue held = JS_DupValue(context, stream->self); /* a callback may close it, and the script forget it */
    struct net *net = stream->net;
    if (net->outbox.count > 0 && loop_turn_time(net->runtime->loop) > LATE)
        net_stream_send_posted(net);
    if (stream->broken)
        gone(stream);
    else if ((events & EPOLLOUT) && stream_has_unsent(stream))
        send_unsent(stream);
    /* The callback may have changed everything but what this function holds. */
    if (stream_is_open(stream) && !stream->broken) {
        if (stream_wants_bytes(stream) && (events & (EPOLLIN | EPOLLERR | EPOLLHUP)))
            receive(stream, events);
        else if (events & EPOLLERR)
            gone(stream);
        else if (events & EPOLLHUP)
            hung_up(stream);
    }
    JS_FreeValue(context, held);
}

struct stream *stream_new(struct net *net, int fd, const struct net_endpoint *peer) {
    struct stream *stream = js_mallocz_rt(net->runtime->engine, sizeof *stream);
    if (!stream)
        return NULL;
    stream->watcher = (struct loop_watcher){.ready = stream_ready, .fd = fd};
    stream->reading = true;
    stream->net = net;
    stream->unsent.engine = net->runtime->engine;
    stream->self = JS_UNDEFINED;
    stream->handler = JS_NULL;
    stream->peer = *peer;
    list_add(&net->streams, &stream->link);
    return stream;
}

void stream_free(void *freeing) {
    struct stream *stream = freeing;
    if (stream_is_open(stream))
        close_descriptor(stream);
    js_free_rt(stream->net->runtime->engine, stream);
}

bool stream_write(struct stream *stream, const char *bytes, size_t length) {
    outbox_send_text_of(stream);
    return stream_send(stream, bytes, length, 0);
}

bool stream_write_soon(struct stream *stream, const char *text, size_t length, bool *taken) {
    bool may_wait = stream_is_open(stream) && !stream->broken && !stream->finishing && !stream_has_unsent(stream);
    *taken = may_wait && outbox_take(stream->net, stream, text, length);
    return *taken || stream_write(stream, text, length);
}

bool stream_broadcast(struct stream *stream, const char *bytes, size_t length) {
    return !stream_has_unsent(stream) && stream_send(stream, bytes, length, 0);
}

bool stream_write_last(struct stream *stream, const char *text, size_t length, const uint8_t *bytes, size_t size) {
    outbox_send_text_of(stream);
    bool sent = stream_send(stream, text, length, MSG_MORE);
    if (size > 0)
        sent = stream_send(stream, (const char *)bytes, size, MSG_MORE);
    stream_finish(stream);
    return sent;
}

void stream_set_long_lived(struct stream *stream) {
    static const int buffer = 16384;
    if (!stream_is_open(stream))
        return;
    long_lived_set(stream->watcher.fd);
    /* The kernel buffers little, and the script keeps the newest state. */
    (void)setsockopt(stream->watcher.fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    stream->long_lived = true;
}

void stream_finish(struct stream *stream) {
    outbox_send_text_of(stream);
    stream->finishing = true;
    if (stream_is_open(stream))
        stream_finish_if_sent(stream);
}

void net_stream_start(struct net *net, JSValueConst socket, bool abandoned) {
    struct stream *stream = handle_of(net->runtime->context, socket, HANDLE_SOCKET);
    if (!stream_is_open(stream))
        return;
    stream->started = true;
    /*
     * Many clients have already sent their request. A connection that is answered and closed at once is never watched.
     */
    if (!abandoned && stream_wants_bytes(stream))
        receive(stream, 0);
    if (!stream_is_open(stream))
        return;
    if (!abandoned && !stream->watcher.watched)
        stream_watch(stream);
    if (!stream->watcher.watched) /* the kernel has no memory, or its limit of watches is reached */
        gone(stream);
}

void net_stream_close_all(struct net *net) {
    while (net->streams)
        stream_close(owner_of(net->streams, struct stream, link));
}
