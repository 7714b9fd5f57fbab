/*
 * Short answers wait for the end of the turn, and are then sent one after the other. If each is sent between two calls
 * of the script, the script and the kernel displace each other in the processor's caches.
 */
#ifndef NOUND_NET_OUTBOX_H
#define NOUND_NET_OUTBOX_H

#include "net/net.h"

/*
 * Takes a text of string_text, which leaves by the end of the turn. A stream has one at a time. Returns false, and has
 * not taken it, where it must be sent at once: it is long, or there is no place.
 */
bool outbox_take(struct net *net, struct stream *stream, const char *text, size_t length);

/* Sends the text of one stream now, if it has one. What the kernel does not accept waits as after stream_write. */
void outbox_send_text_of(struct stream *stream);

/*
 * Sends all texts. Returns how many there were. The streams that they were of are in `streams` then, and each of their
 * objects is held.
 */
int outbox_send_all(struct net *net, struct stream *streams[OUTBOX_PLACES]);

#endif
