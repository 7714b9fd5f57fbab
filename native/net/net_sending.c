#include "net/net_sending.h"

#include <errno.h>
#include <sys/socket.h>

#include "base/descriptor.h"
#include "base/socket_send.h"

/*
 * What a long-lived stream sends, in bytes, before the kernel must report that it takes more (EPOLLOUT). send() alone
 * is no bound: it fills the last segment, which has up to 64 KB on loopback, whatever SO_SNDBUF and TCP_NOTSENT_LOWAT
 * say.
 */
#define LONG_LIVED_UNCONFIRMED 8192u

static JSContext *context_of(const struct stream *stream) {
    return stream->net->runtime->context;
}

/*
 * A TCP connection that waits for bytes alone is edge-triggered: epoll then does not check it again after each request.
 * EPOLLPRI and EPOLLRDHUP tell `receive` that more may be left than new bytes would report. A Unix socket stays
 * level-triggered, because recv stops after a passed descriptor, and no event tells of that. Where the kernel encrypts,
 * it stops before an alert.
 */
static uint32_t events_wanted(const struct stream *stream) {
    bool reads = stream_wants_bytes(stream), sends = stream_has_unsent(stream);
    if (reads && !sends && stream->peer.family != AF_UNIX && !stream->sealed)
        return EPOLLIN | EPOLLPRI | EPOLLRDHUP | EPOLLET;
    return (reads ? EPOLLIN : 0u) | (sends ? EPOLLOUT : 0u);
}

void stream_watch(struct stream *stream) {
    if (loop_watch(stream->net->runtime->loop, &stream->watcher, events_wanted(stream)))
        JS_DupValue(context_of(stream), stream->self);
}

void stream_unwatch(struct stream *stream) {
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
        stream_watch(stream);
}

/* Once both directions are shut down, epoll always reports EPOLLHUP in the next turn. */
void stream_break(struct stream *stream) {
    stream->broken = true;
    byte_queue_clear(&stream->unsent);
    shutdown(stream->watcher.fd, SHUT_RDWR); /* ENOTCONN means that the kernel has already done so */
    stream_update_watch(stream);
}

bool stream_leave(struct stream *stream) {
    if (stream->sealed && !stream->left)
        stream->left = stream->net->leave(stream->net->runtime, stream->connection);
    return stream->left;
}

void stream_finish_if_sent(struct stream *stream) {
    if (!stream->finishing || stream->finished || stream->broken || stream_has_unsent(stream))
        return;
    stream->finished = true;
    if (!stream_leave(stream))
        shutdown(stream->watcher.fd,
                 SHUT_WR); /* this fails if the connection was reset meanwhile; epoll reports that */
}

/*
 * Returns the bytes the kernel took, which may be 0; or -1 when the connection is broken. `more` is MSG_MORE when FIN
 * follows at once: it is then sent in one packet with the bytes.
 */
static ssize_t send_some(struct stream *stream, const char *bytes, size_t length, int more) {
    if (stream->sealed) /* its record would wait for more */
        more = 0;
    const ssize_t sent = UNINTERRUPTED(socket_send(stream->watcher.fd, bytes, length, more));
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS || errno == ENOMEM))
        return 0;
    return sent;
}

/* Returns whether bytes may be sent before the kernel has reported that it takes more. */
static bool may_send_now(const struct stream *stream) {
    return !stream_has_unsent(stream) && !(stream->long_lived && stream->unconfirmed >= LONG_LIVED_UNCONFIRMED);
}

bool stream_send(struct stream *stream, const char *bytes, size_t length, int more) {
    if (!stream_is_open(stream) || stream->broken || stream->finishing)
        return !stream_has_unsent(stream);
    ssize_t sent = 0;
    if (length > 0 && may_send_now(stream))
        sent = send_some(stream, bytes, length, more);
    if (stream->long_lived && sent > 0)
        stream->unconfirmed += (uint32_t)sent;
    if (sent < 0 || !byte_queue_append(&stream->unsent, bytes + sent, length - (size_t)sent))
        stream_break(stream);
    if (stream_has_unsent(stream)) {
        stream->drain_owed = true;
        stream_update_watch(stream);
    }
    return !stream_has_unsent(stream);
}

bool stream_send_unsent(struct stream *stream) {
    ssize_t sent = send_some(stream, byte_queue_first(&stream->unsent), byte_queue_length(&stream->unsent), 0);
    if (sent < 0)
        return false;
    stream->unconfirmed = (uint32_t)sent;
    byte_queue_drop(&stream->unsent, (size_t)sent);
    if (!stream_has_unsent(stream)) {
        stream_finish_if_sent(stream);
        stream_update_watch(stream);
    }
    return true;
}
