/*
 * An accepted stream connection: watching, receiving, sending, and how it ends.
 *
 * While a connection is watched the loop holds its JS object (class Socket, net_socket.c); once it is not, the object
 * lives as long as the script knows it, and its finalizer closes the descriptor.
 */
#ifndef NOUND_NET_STREAM_H
#define NOUND_NET_STREAM_H

#include "net/net.h"

/* Returns an open connection that takes `fd`, or NULL without memory. Its `self` is to be set before anything else. */
struct stream *stream_new(struct net *net, int fd, const struct net_endpoint *peer);

/* Sends bytes, or keeps what the kernel does not take. Returns true when nothing waits. No effect once finishing or
 * closed. */
bool stream_write(struct stream *stream, const char *bytes, size_t length);

/*
 * Like stream_write for a text of string_text, which may leave at the end of the turn only. Returns true when nothing
 * waits longer, as far as is known. taken: whether the text is freed here, once it has been sent.
 */
bool stream_write_soon(struct stream *stream, const char *text, size_t length, bool *taken);

/* Like stream_write if no bytes wait; otherwise it does not send these bytes. Returns true when nothing waits.
 */
bool stream_broadcast(struct stream *stream, const char *bytes, size_t length);

/* As stream_write of the text, then of the bytes, then stream_finish: they leave in one packet where they can. */
bool stream_write_last(struct stream *stream, const char *text, size_t length, const uint8_t *bytes, size_t size);

/* Sends FIN, once what waits has been sent. */
void stream_finish(struct stream *stream);

/*
 * Prepares a connection for long silence: the kernel notices within 30 s that the peer has vanished, and buffers little
 * that the peer does not read.
 */
void stream_set_long_lived(struct stream *stream);

/*
 * Sends the texts of the outbox, and tells the handlers of the streams in which bytes wait (onBlocked). Only from the
 * loop: at the end of a turn, and of a part of it.
 */
void net_stream_send_posted(struct net *net);

/* Closes at once. Does nothing to a closed one. */
void stream_close(struct stream *stream);

/* Closes, if need be, and frees. For the finalizer alone: touches no JS object. */
void stream_free(void *stream);

#endif
