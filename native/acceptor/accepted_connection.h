/* The process of a connection that the acceptor has accepted: from the handshake to the end. */
#ifndef NOUND_ACCEPTED_CONNECTION_H
#define NOUND_ACCEPTED_CONNECTION_H

#include "acceptor/acceptor_message.h"

struct accepted_connection {
    int peer;                   /* the client's socket */
    int end;                    /* of the pair with the acceptor, which shuts it down when the listener is closed */
    int own;                    /* the other end of what the process with the nouns gets */
    uint32_t refused;           /* what the kernel's TLS has refused (kernel_tls.h) */
    const volatile bool *shown; /* of the places (places.h) */
};

/*
 * Serves it, until both ends have ended, or the kernel encrypts. The process has nothing else open. It passes no
 * descriptor: one in the hands of its client could otherwise have so many of them under way that the kernel lets nobody
 * of this user pass another one.
 */
_Noreturn void accepted_connection_serve(const struct acceptor_plan *plan,
                                         const struct accepted_connection *connection);

#endif
