/*
 * The places for encrypted connections: which are taken, by whose connection, and what the acceptor has open for it.
 */
#ifndef NOUND_PLACES_H
#define NOUND_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "acceptor/acceptor_message.h"
#include "acceptor/farewell.h"

/* A place for a connection: of a process, or of the kernel's TLS. */
struct place {
    pid_t process;            /* 0 once it has ended */
    bool is_passed;           /* the kernel encrypts, and the process with the nouns has the connection */
    int end;                  /* of the pair with the process, until its message has been taken; otherwise -1 */
    int peer;                 /* the connection, as long as `end`, or as it is passed */
    struct farewell farewell; /* of a passed one */
    int plain;                /* what the process with the nouns is to get, as long as `end` */
    uint32_t listener;        /* that has accepted it */
    struct net_endpoint from; /* the client */
    uint64_t number;          /* of the connection */
};

struct places {
    struct place all[MOST_ACCEPTED];
    bool is_full_alone;         /* what `is_full` points to if it cannot be shared */
    bool *is_full;              /* a client waits, and all places are taken */
    const volatile bool *shown; /* the same, for the processes of connections, which can only read it; or NULL */
};

struct places_use {
    size_t taken, handshakes; /* places, and those of them whose handshake is under way */
    struct place *free;       /* one that is, or NULL */
};

/* Begins with free places. */
void places_open(struct places *places);

/*
 * Shows `is_full` to processes that are forked from now on, which cannot write it. Without memory files or /proc, they
 * do not learn whether others wait.
 */
void places_share_fullness(struct places *places);

/* Returns whether a connection has a place: by its process, by its message, or because the kernel encrypts. */
bool place_is_taken(const struct place *place);

/* Returns whether its process has still to tell of its handshake, or has told and not been heard. */
bool place_is_handshaking(const struct place *place);

void place_close_files(struct place *place);

struct places_use places_use_of(struct places *places);

/* Returns the place of a process, or NULL. */
struct place *places_find(struct places *places, pid_t process);

/* Ends the oldest handshake of the client with the most: a client with many delays itself alone. */
void places_end_handshake(struct places *places);

bool places_have_handshake_of(const struct places *places, size_t listener);

/* Ends the handshakes of a listener's clients. */
void places_end_handshakes_of(struct places *places, size_t listener);

/* Has the clients of a closed listener not wait for long: their handshakes go on, if they have begun. */
void places_hurry(const struct places *places, size_t listener);

/* Begins to end a connection that the kernel encrypts, unless it has ended. */
void places_leave(struct places *places, uint32_t connection);

/* The same for all of them. */
void places_leave_all(struct places *places);

/* Returns whether the kernel encrypts a connection that is not to end yet. */
bool places_have_passed(const struct places *places);

#endif
