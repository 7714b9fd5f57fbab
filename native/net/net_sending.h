/*
 * What epoll watches of a connection, and how it sends: the kernel takes bytes at once, or they wait until it reports
 * that it takes more. Nothing here calls the script.
 */
#ifndef NOUND_NET_SENDING_H
#define NOUND_NET_SENDING_H

#include "net/net.h"

/* Returns whether bytes wait for the kernel. */
static inline bool stream_has_unsent(const struct stream *stream) {
    return byte_queue_length(&stream->unsent) > 0;
}

/* Returns whether received bytes are for the handler. */
static inline bool stream_wants_bytes(const struct stream *stream) {
    return stream->reading && !stream->ended && !stream->broken && !JS_IsNull(stream->handler);
}

/* Begins to watch the connection, and holds its object. It stays unwatched where the kernel refuses. */
void stream_watch(struct stream *stream);

/* Ends that. The connection's memory may be gone when this returns. */
void stream_unwatch(struct stream *stream);

/* Brings what epoll watches in line with the state. Call it after changing `handler` or `reading`. */
void stream_update_watch(struct stream *stream);

/*
 * Sends bytes, or keeps what the kernel does not take. Returns true when nothing waits. No effect once finishing or
 * closed. more: MSG_MORE when FIN follows at once, which is then sent in one packet with the bytes; or 0.
 */
bool stream_send(struct stream *stream, const char *bytes, size_t length, int more);

/* Sends the waiting bytes, as many as the kernel takes. Returns false when the connection is broken. */
bool stream_send_unsent(struct stream *stream);

/* Sends FIN if it was requested and no bytes wait. */
void stream_finish_if_sent(struct stream *stream);

/* Has the acceptor end a connection that the kernel encrypts. Returns false if it is none, or that is not possible. */
bool stream_leave(struct stream *stream);

/* Marks a connection as broken, which its handler is told of from the loop. */
void stream_break(struct stream *stream);

#endif
