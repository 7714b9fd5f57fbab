#define _GNU_SOURCE 1
#include "net/net_stream.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "text/byte_string.h"

/* Bytes passed to the script at once. All connections share one buffer, because each receives in its own turn. */
#define RECEIVE_SIZE BYTE_STRING_LIMIT
static uint8_t received[RECEIVE_SIZE];

/*
 * What a long-lived stream sends, in bytes, before the kernel must report that it takes more (EPOLLOUT). send() alone
 * is no bound: it fills the last segment, which has up to 64 KB on loopback, whatever SO_SNDBUF and TCP_NOTSENT_LOWAT
 * say.
 */
#define LONG_LIVED_UNCONFIRMED 8192u

static JSContext *context_of(const struct stream *stream) {
    return stream->net->runtime->context;
}

static bool has_unsent(const struct stream *stream) {
    return byte_queue_length(&stream->unsent) > 0;
}

static bool wants_bytes(const struct stream *stream) {
    return stream->reading && !stream->ended && !stream->broken && !JS_IsNull(stream->handler);
}

/*
 * A TCP connection that waits for bytes alone is edge-triggered: epoll then does not check it again after each request.
 * EPOLLPRI and EPOLLRDHUP tell `receive` that more may be left than new bytes would report. A Unix socket stays
 * level-triggered, because recv stops after a passed descriptor, and no event tells of that.
 */
static uint32_t events_wanted(const struct stream *stream) {
    bool reads = wants_bytes(stream), sends = has_unsent(stream);
    if (reads && !sends && stream->peer.family != AF_UNIX)
        return EPOLLIN | EPOLLPRI | EPOLLRDHUP | EPOLLET;
    return (reads ? EPOLLIN : 0u) | (sends ? EPOLLOUT : 0u);
}

static void watch(struct stream *stream) {
    if (loop_watch(stream->net->runtime->loop, &stream->watcher, events_wanted(stream)))
        JS_DupValue(context_of(stream), stream->self);
}

static void unwatch(struct stream *stream) {
    if (!stream->watcher.watched)
        return;
    loop_unwatch(stream->net->runtime->loop, &stream->watcher);
    JS_FreeValue(context_of(stream), stream->self);
}

void stream_update_watch(struct stream *stream) {
    if (!stream->started || !stream_is_open(stream))
        return;
    if (stream->watcher.watched)
        loop_rewatch(stream->net->runtime->loop, &stream->watcher, events_wanted(stream));
    else if (events_wanted(stream) !=
             0) /* it was unwatched when both sides had finished, but there are still bytes to read */
        watch(stream);
}

/* Releases everything of the kernel. The script's reference to the object keeps the memory; callers hold `self`
 * meanwhile.
 */
static void close_descriptor(struct stream *stream) {
    close(stream->watcher.fd); /* also after an error, the descriptor is free (close(2)) */
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
    unwatch(stream);
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
        runtime_invoke(net->runtime, handler, net->on_gone, 0, NULL);
    JS_FreeValue(context, handler);
}

/*
 * Tells the handler of an event. If the handler throws, for example because memory is short, nobody knows how much it
 * has done. So the connection is closed.
 */
static void tell(struct stream *stream, JSAtom event, int argc, JSValueConst *argv) {
    struct net *net = stream->net;
    if (!runtime_invoke(net->runtime, stream->handler, event, argc, argv) && stream_is_open(stream))
        gone(stream);
}

/* Once both directions are shut down, epoll always reports EPOLLHUP in the next turn. */
void stream_break(struct stream *stream) {
    stream->broken = true;
    byte_queue_clear(&stream->unsent);
    shutdown(stream->watcher.fd, SHUT_RDWR); /* ENOTCONN means that the kernel has already done so */
    stream_update_watch(stream);
}

/* Sends FIN if it was requested and no bytes wait. */
static void finish_if_sent(struct stream *stream) {
    if (!stream->finishing || stream->finished || stream->broken || has_unsent(stream))
        return;
    stream->finished = true;
    shutdown(stream->watcher.fd, SHUT_WR); /* this fails if the connection was reset meanwhile; epoll reports that */
}

/*
 * Returns the bytes the kernel took, which may be 0; or -1 when the connection is broken. `more` is MSG_MORE when FIN
 * follows at once: it is then sent in one packet with the bytes.
 */
static ssize_t send_some(struct stream *stream, const char *bytes, size_t length, int more) {
    ssize_t sent;
    do
        sent = send(stream->watcher.fd, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT | more);
    while (sent < 0 && errno == EINTR);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM))
        return 0;
    return sent;
}

/* Sends the waiting bytes, as many as the kernel accepts. It has reported that it takes more. */
static void send_unsent(struct stream *stream) {
    struct net *net = stream->net;
    ssize_t sent = send_some(stream, byte_queue_first(&stream->unsent), byte_queue_length(&stream->unsent), 0);
    if (sent < 0) {
        gone(stream);
        return;
    }
    stream->unconfirmed = (uint32_t)sent;
    byte_queue_drop(&stream->unsent, (size_t)sent);
    if (has_unsent(stream))
        return;
    finish_if_sent(stream);
    stream_update_watch(stream);
    bool owed = stream->drain_owed;
    stream->drain_owed = false;
    if (owed && !JS_IsNull(stream->handler))
        tell(stream, net->on_drain, 0, NULL);
}

static void receive(struct stream *stream, uint32_t events) {
    struct net *net = stream->net;
    ssize_t length;
    do
        length = recv(stream->watcher.fd, received, sizeof received, MSG_DONTWAIT);
    while (length < 0 && errno == EINTR);
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
        tell(stream, net->on_bytes, 1, (JSValueConst[]){bytes});
        JS_FreeValue(net->runtime->context, bytes);
    } else if (length == 0) {
        stream->ended = true;
        stream_update_watch(stream); /* level-triggered, the end would be reported again and again */
        tell(stream, net->on_end, 0, NULL);
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
        unwatch(stream);
    else
        gone(stream);
}

static void stream_ready(struct loop_watcher *watcher, uint32_t events) {
    struct stream *stream = owner_of(watcher, struct stream, watcher);
    JSContext *context = context_of(stream);
    JSValue held = JS_DupValue(context, stream->self); /* a callback may close it, and the script forget it */
    outbox_send_all_if_late(stream->net);
    if (stream->broken)
        gone(stream);
    else if ((events & EPOLLOUT) && has_unsent(stream))
        send_unsent(stream);
    /* The callback may have changed everything but what this function holds. */
    if (stream_is_open(stream) && !stream->broken) {
        if (wants_bytes(stream) && (events & (EPOLLIN | EPOLLERR | EPOLLHUP)))
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

void stream_free(struct stream *stream) {
    if (stream_is_open(stream))
        close_descriptor(stream);
    JSRuntime *engine = stream->net->runtime->engine;
    JS_FreeValueRT(engine, stream->handler);
    js_free_rt(engine, stream);
}

/* Returns whether bytes may be sent before the kernel has reported that it takes more. */
static bool may_send_now(const struct stream *stream) {
    return !has_unsent(stream) && !(stream->long_lived && stream->unconfirmed >= LONG_LIVED_UNCONFIRMED);
}

static bool write_some(struct stream *stream, const char *bytes, size_t length, int more) {
    if (!stream_is_open(stream) || stream->broken || stream->finishing)
        return !has_unsent(stream);
    ssize_t sent = 0;
    if (length > 0 && may_send_now(stream))
        sent = send_some(stream, bytes, length, more);
    if (stream->long_lived && sent > 0)
        stream->unconfirmed += (uint32_t)sent;
    if (sent < 0 || !byte_queue_append(&stream->unsent, bytes + sent, length - (size_t)sent))
        stream_break(stream);
    if (has_unsent(stream)) {
        stream->drain_owed = true;
        stream_update_watch(stream);
    }
    return !has_unsent(stream);
}

bool stream_write(struct stream *stream, const char *bytes, size_t length) {
    outbox_send_text_of(stream);
    return write_some(stream, bytes, length, 0);
}

bool stream_write_soon(struct stream *stream, const char *text, size_t length, bool *taken) {
    bool may_wait = stream_is_open(stream) && !stream->broken && !stream->finishing && !has_unsent(stream);
    *taken = may_wait && outbox_take(stream->net, stream, text, length);
    return *taken || stream_write(stream, text, length);
}

void stream_tell_waiting(struct stream *stream) {
    if (!has_unsent(stream) || JS_IsNull(stream->handler))
        return;
    JSValue waiting = JS_NewInt64(context_of(stream), (int64_t)byte_queue_length(&stream->unsent));
    tell(stream, stream->net->on_blocked, 1, (JSValueConst[]){waiting});
}

bool stream_broadcast(struct stream *stream, const char *bytes, size_t length) {
    return !has_unsent(stream) && write_some(stream, bytes, length, 0);
}

bool stream_write_last(struct stream *stream, const char *text, size_t length, const uint8_t *bytes, size_t size) {
    outbox_send_text_of(stream);
    bool sent = write_some(stream, text, length, MSG_MORE);
    if (size > 0)
        sent = write_some(stream, (const char *)bytes, size, MSG_MORE);
    stream_finish(stream);
    return sent;
}

static void set_option(const struct stream *stream, int level, int option, int value) {
    /* An old kernel or a Unix socket does not have the option. That does no harm. */
    (void)setsockopt(stream->watcher.fd, level, option, &value, sizeof value);
}

/*
 * A silent connection is probed after 8 s and after 12 s, and is dropped then unless the peer has answered. What was
 * sent may stay unacknowledged for 11.5 s (tcp(7), TCP_USER_TIMEOUT). The worst case is a segment that is sent just
 * before the peer would be dropped: 12 s and 11.5 s, plus the delay of the last retransmission.
 *
 * To the kernel, a peer that is there but takes no bytes is the same, so it loses its stream after 11.5 s, too. A
 * longer time for such a peer would be a longer time for one that has vanished.
 */
void stream_set_long_lived(struct stream *stream) {
    if (!stream_is_open(stream))
        return;
    set_option(stream, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(stream, IPPROTO_TCP, TCP_KEEPIDLE, 8);         /* s */
    set_option(stream, IPPROTO_TCP, TCP_KEEPINTVL, 4);        /* s */
    set_option(stream, IPPROTO_TCP, TCP_KEEPCNT, 3);          /* where there is no TCP_USER_TIMEOUT: 20 s */
    set_option(stream, IPPROTO_TCP, TCP_USER_TIMEOUT, 11500); /* ms */
    /* Bytes in the kernel's buffer are old when the peer reads them. So the kernel buffers little, and the script keeps
     * the newest state. */
    set_option(stream, IPPROTO_TCP, TCP_NOTSENT_LOWAT, 4096);
    set_option(stream, SOL_SOCKET, SO_SNDBUF, 16384);
    stream->long_lived = true;
}

void stream_finish(struct stream *stream) {
    outbox_send_text_of(stream);
    stream->finishing = true;
    if (stream_is_open(stream))
        finish_if_sent(stream);
}

void net_stream_start(struct net *net, JSValueConst socket, bool abandoned) {
    struct stream *stream = JS_GetOpaque(socket, net->stream_class);
    if (!stream_is_open(stream))
        return;
    stream->started = true;
    /*
     * Many clients have already sent their request. A connection that is answered and closed at once is never watched.
     */
    if (!abandoned && wants_bytes(stream))
        receive(stream, 0);
    if (!stream_is_open(stream))
        return;
    if (!abandoned && !stream->watcher.watched)
        watch(stream);
    if (!stream->watcher.watched) /* the kernel has no memory, or its limit of watches is reached */
        gone(stream);
}

void net_stream_close_all(struct net *net) {
    while (net->streams)
        stream_close(owner_of(net->streams, struct stream, link));
}
