/* The parts of the module `nound:net` that its files share: its state and its two classes. */
#ifndef NOUND_NET_H
#define NOUND_NET_H

#include "base/list.h"
#include "engine/runtime.h"
#include "loop/byte_queue.h"
#include "loop/loop.h"
#include "net/net_address.h"

/* An accepted connection: of net_stream.c. */
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
    bool sealed : 1;             /* the kernel encrypts (tls/kernel_tls.h) */
    bool left : 1;               /* the acceptor was told to end it */
    uint32_t connection;         /* its number, if so */
    uint32_t unconfirmed;        /* bytes the kernel took since it last reported that it takes more */
    struct net *net;
    struct list_link link;    /* in the list of the open ones */
    JSValue self;             /* a counted reference while watched, otherwise not counted */
    JSValue handler;          /* an object, or null */
    struct byte_queue unsent; /* what the kernel has not taken yet */
    struct net_endpoint peer;
};

/* Returns whether it has not been closed. */
static inline bool stream_is_open(const struct stream *stream) {
    return stream->watcher.fd >= 0;
}

/* Of net_outbox.c. */
#define OUTBOX_LONGEST 4096 /* bytes of a text: a turn's texts are a quarter of a megabyte at most */
#define OUTBOX_PLACES 64    /* as many as the loop takes events in a turn */

struct outbox {
    struct outbox_text {
        struct stream *stream; /* whose object is held */
        const char *text;      /* of string_text */
        size_t length;         /* bytes */
    } texts[OUTBOX_PLACES];
    int count;
};

/* The state of the module. */
struct net {
    struct runtime *runtime;
    struct list_link *streams; /* the open ones */
    struct outbox outbox;
    /* Ends a connection that the kernel encrypts, once its client has everything. Returns false if it cannot. */
    bool (*leave)(const struct runtime *runtime, uint32_t connection);
    int reserve; /* a descriptor to give up when there are no others, or -1 */
};

/*
 * Makes a Socket of an accepted connection. The Socket then owns the descriptor. If this fails, the descriptor is
 * closed.
 * Returns the object, or an exception. Reading begins with net_stream_start.
 */
JSValue net_socket_new(struct net *net, int fd, const struct net_endpoint *peer);

/* Notes that the kernel encrypts the connection of a Socket, which has this number (struct net's `leave`). */
void net_socket_seal(struct net *net, JSValueConst socket, uint32_t connection);

/*
 * Sends the same text on each Socket of an array that has no waiting bytes. Returns an array of the indices of those on
 * which bytes wait now, or an exception; nothing has been sent then.
 */
JSValue net_socket_broadcast(struct net *net, JSValueConst text, JSValueConst sockets);

/*
 * Begins to watch the connection, once its accept callback has returned.
 * abandoned: that callback threw; the connection is then closed, and its handler is told, if there is one.
 */
void net_stream_start(struct net *net, JSValueConst socket, bool abandoned);

/*
 * Makes a Listener of a listening descriptor. The Listener then owns the descriptor and its lock. If this fails, both
 * are closed.
 * lock: of net_listen_on. on_accept: a function. Returns the object, or an exception.
 */
JSValue net_listener_new(struct net *net, int fd, int lock, const struct net_address *address, JSValueConst on_accept);

/* Closes all Sockets, at the end of the program. */
void net_stream_close_all(struct net *net);

#endif
