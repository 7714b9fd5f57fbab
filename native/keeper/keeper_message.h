/*
 * All that a process may say to its keeper. Each message is one datagram, a struct of this file, which begins with its
 * type; a descriptor goes with KEEP and CONNECT alone (SCM_RIGHTS). keeper_process.c has the table of what the keeper
 * does.
 */
#ifndef NOUND_KEEPER_MESSAGE_H
#define NOUND_KEEPER_MESSAGE_H

#include <stdint.h>

#define KEEPER_NAME_SIZE 256 /* bytes with the NUL: the name of a file fits (NAME_MAX) */
#define KEEPER_NOTE_SIZE 512 /* bytes */

/* By this, the keeper knows what it holds. */
struct keeper_key {
    enum keeper_kind {
        KEEPER_GPIOD_LINE,    /* a line of the chip `name` */
        KEEPER_SYSFS_LINE,    /* `name` is its folder */
        KEEPER_LED,           /* no descriptor; `name` is its folder */
        KEEPER_PWM,           /* no descriptor; a channel of the chip `name` */
        KEEPER_LISTENER,      /* `name` is its address */
        KEEPER_LOCK,          /* of a Unix socket's path */
        KEEPER_CONFIGURATION, /* a file in memory with the text */
        KEEPER_HASH,          /* no descriptor; the note is the hash of the text `name` */
    } kind;
    uint32_t number;             /* of a line or a channel; otherwise 0 */
    char name[KEEPER_NAME_SIZE]; /* all bytes after the NUL are 0 */
};

/* How a thing was set when it was kept. The keeper does not read it. */
struct keeper_note {
    uint32_t length;
    uint8_t bytes[KEEPER_NOTE_SIZE];
};

enum keeper_message_type {
    /* During the start of a server. */
    KEEPER_KEEP,    /* hold this, and the descriptor with it, for the next server */
    KEEPER_CLAIM,   /* what an earlier server has kept goes on */
    KEEPER_CONNECT, /* start a connector, and another one when it ends: the plan is the descriptor with it */
    KEEPER_READY,   /* the start is over: close what nobody has claimed */
    /* From then on. */
    KEEPER_FEED,   /* the server lives: feed the service manager's watchdog */
    KEEPER_REFUSE, /* the server goes on, because it cannot hand over */
};

struct keeper_keep {
    enum keeper_message_type type;
    uint32_t has_descriptor;
    struct keeper_key key;
    struct keeper_note note;
};

struct keeper_claim {
    enum keeper_message_type type;
    uint32_t place; /* in the table (keeper_state.h), which the server has a copy of */
};

struct keeper_ready {
    enum keeper_message_type type;
    char status[128]; /* a sentence for the service manager */
};

/* All that the keeper says: a connector was started, with the descriptor to ask it by; or it could not be. */
struct keeper_connection {
    int32_t error; /* of errno, or 0 */
};

union keeper_message {
    enum keeper_message_type type; /* all of CONNECT, FEED and REFUSE */
    struct keeper_keep keep;
    struct keeper_claim claim;
    struct keeper_ready ready;
};

#endif
