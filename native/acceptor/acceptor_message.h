/*
 * The messages to and from the acceptor, and from the process of a connection to the acceptor. Each message is one
 * datagram. No reader trusts what it has not looked at.
 */
#ifndef NOUND_ACCEPTOR_MESSAGE_H
#define NOUND_ACCEPTOR_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "guard/privileges.h"
#include "net/net_address.h"
#include "text/sentence.h"
#include "tls/tls_server.h"

#define MOST_ACCEPTED 256 /* encrypted connections at once, whatever the configuration says */
#define MOST_LISTENERS 16

/* The acceptor's state. */
struct acceptor_plan {
    struct account account; /* what it becomes, if one is chosen */
    struct tls_server_settings settings;
    uint32_t most; /* encrypted connections at once, MOST_ACCEPTED at most */
    bool asks;     /* clients are asked for a certificate */
    bool tells;    /* a handshake that fails is reported */
};

/* An order to the acceptor. */
struct acceptor_order {
    enum {
        ACCEPTOR_LISTEN, /* accept from the socket that comes with it */
        ACCEPTOR_CLOSE,  /* close the socket of that number; the handshakes of its clients go on */
        ACCEPTOR_END,    /* close it, and have it end for every process that has it; nothing is waited for */
        ACCEPTOR_ASK,    /* ask clients for certificates from now on, or no longer */
        ACCEPTOR_LEAVE,  /* end a connection of the kernel's TLS, once what was written is with the client */
    } type;
    uint32_t listener;   /* its number, below MOST_LISTENERS; of ASK 0 or 1 */
    uint32_t connection; /* LEAVE: its number */
};

/*
 * What the process with the nouns is told. The process of a connection says CONNECTION or REFUSED to the acceptor,
 * which knows the listener and the peer itself.
 */
struct acceptor_message {
    enum acceptor_event {
        ACCEPTOR_READY,      /* it has given up its rights; or it ends, with the reason */
        ACCEPTOR_CONNECTION, /* a connection, whose descriptor comes with it */
        ACCEPTOR_FULL,       /* a client waits, and all places are taken */
        ACCEPTOR_REFUSED,    /* the handshake of a client has failed, with the reason */
        ACCEPTOR_CLOSED,     /* after CLOSE or END: no other connection comes from that socket */
        ACCEPTOR_DUE,        /* a new certificate is due, which another acceptor makes */
    } type;
    uint32_t listener;                  /* CONNECTION, CLOSED: the number of the socket */
    struct net_endpoint peer;           /* CONNECTION, REFUSED */
    uint32_t in_kernel;                 /* CONNECTION: not 0 if the kernel encrypts */
    uint32_t refused;                   /* CONNECTION: of kernel_tls_begin; for the acceptor alone */
    uint32_t connection;                /* CONNECTION: its number */
    uint32_t has_key;                   /* CONNECTION: not 0 if the client has proved to have the key of `client_key` */
    uint8_t client_key[TLS_HASH_BYTES]; /* SHA-256 of its public key */
    struct tls_server_facts facts;      /* READY */
    char reason[512];                   /* READY: empty if it serves; REFUSED */
};

/* Gives a message its reason. The end is cut off if it does not fit. */
static inline void acceptor_message_explain(struct acceptor_message *message, const struct sentence *reason) {
    snprintf(message->reason, sizeof message->reason, "%.*s", (int)sizeof message->reason - 1, reason->text);
}

#endif
