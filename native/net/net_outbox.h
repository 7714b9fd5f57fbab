/*
 * Short answers wait for the end of the turn, and are then sent one after the other. If each is sent between two calls
 * of the script, the script and the kernel take turns in the processor's caches: of 16 requests in a turn, each
 * costs 1.15 times the cycles outside the kernel.
 */
#ifndef NOUND_NET_OUTBOX_H
#define NOUND_NET_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>

#define OUTBOX_LONGEST 4096 /* bytes of a text: a turn's texts are a quarter of a megabyte at most */

struct net;
struct stream;

struct outbox {
    struct outbox_text {
        struct stream *stream; /* whose object is held */
        const char *text;      /* of string_text */
        size_t length;         /* bytes */
    } texts[64];               /* as many as the loop takes events in a turn */
    int count;
};

/*
 * Takes a text of string_text, which leaves by the end of the turn. A stream has one at a time. Returns false, and has
 * not taken it, where it must be sent at once: it is long, or there is no place.
 */
bool outbox_take(struct net *net, struct stream *stream, const char *text, size_t length);

/* Sends the text of one stream now, if it has one. What the kernel does not accept waits as after stream_write. */
void outbox_send_text_of(struct stream *stream);

/*
 * Sends all texts, and tells the handlers of the streams in which bytes wait (onBlocked). Only from the loop: at the
 * end of a turn, and of a part of it.
 */
void outbox_send_all(struct net *net);

/* Sends all texts if the turn has taken so long that they should not wait for its end. Only from the loop. */
void outbox_send_all_if_late(struct net *net);

#endif
