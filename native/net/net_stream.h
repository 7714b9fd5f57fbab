/*
 * An accepted stream connection: watching, receiving, sending, and how it ends.
 *
 * While a connection is watched the loop holds its JS object (class Socket, net_socket.c); once it is not, the object
 * lives as long as the script knows it, and its finalizer closes the descriptor.
 */
#ifndef NOUND_NET_STREAM_H
#define NOUND_NET_STREAM_H

#include "loop/byte_queue.h"
#include "loop/loop.h"
#include "net/net.h"

struct stream {
    struct loop_watcher watcher; /* its descriptor is -1 once closed */
    bool started : 1;            /* the accept callback has returned */
    bool reading : 1;            /* as the script wants it */
    bool ended : 1;              /* the peer has sent FIN */
    bool finishing : 1;          /* FIN is to follow what waits */
    bool finished : 1;           /* FIN is sent */
    bool drain_owed : 1;         /* a write returned false */
    bool posted : 1;             /* a text of it waits for the end of the turn (net_outbox.h) */
    bool broken : 1;             /* sending failed; onGone is to come from the loop */
    bool long_lived : 1;         /* the kernel is to hold little for it */
    uint32_t unconfirmed;        /* bytes the kernel took since it last reported that it takes more */
    struct net *net;
    struct list_link link;    /* in the list of the open ones */
    JSValue self;             /* a counted reference while watched, otherwise not counted */
    JSValue handler;          /* an object, or null */
    struct byte_queue unsent; /* what the kernel has not taken yet */
    struct net_endpoint peer;
};

/* Returns an open connection that takes `fd`, or NULL without memory. Its `self` is to be set before anything else. */
struct stream *stream_new(struct net *net, int fd, const struct net_endpoint *peer);

/* Returns whether it has not been closed. */
static inline bool stream_is_open(const struct stream *stream) {
    return stream->watcher.fd >= 0;
}

/* Brings what epoll watches in line with the state. Call it after changing `handler` or `reading`. */
void stream_update_watch(struct stream *stream);

/* Sends bytes, or keeps what the kernel does not take. Returns true when nothing waits. No effect once finishing or
 * closed. */
bool stream_write(struct stream *stream, const char *bytes, size_t length);

/*
 * Like stream_write for a text of string_text, which may leave at the end of the turn only. Returns true when nothing
 * waits longer, as far as is known. taken: whether the text is freed here, once it has been sent.
 */
bool stream_write_soon(struct stream *stream, const char *text, size_t length, bool *taken);

/* Tells the handler of bytes that wait, if there are any. Only from the loop. */
void stream_tell_waiting(struct stream *stream);

/* Like stream_write if no bytes wait; otherwise it does not send these bytes. Returns true when nothing waits.
 */
bool stream_broadcast(struct stream *stream, const char *bytes, size_t length);

/* Marks a connection as broken, which its handler is told of from the loop. */
void stream_break(struct stream *stream);

/* As stream_write of the text, then of the bytes, then stream_finish: they leave in one packet where they can. */
bool stream_write_last(struct stream *stream, const char *text, size_t length, const uint8_t *bytes, size_t size);

/* Sends FIN, once what waits has been sent. */
void stream_finish(struct stream *stream);

/*
 * Prepares a connection for long silence: the kernel notices within 30 s that the peer has vanished, and buffers little
 * that the peer does not read.
 */
void stream_set_long_lived(struct stream *stream);

/* Closes at once. Does nothing to a closed one. */
void stream_close(struct stream *stream);

/* Closes, if need be, and frees. For the finalizer alone: touches no JS object. */
void stream_free(struct stream *stream);

#endif
