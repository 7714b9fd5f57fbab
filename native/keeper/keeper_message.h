/*
 * All that a server may say to its keeper. Each message is one datagram, a struct of this file, which begins with its
 * type; a descriptor goes with KEEP, RELEASE and HELP (SCM_RIGHTS). The table `requests` of keeper_process.c has what
 * the keeper does.
 */
#ifndef NOUND_KEEPER_MESSAGE_H
#define NOUND_KEEPER_MESSAGE_H

#include <stdint.h>

/* What the keeper holds for the next server. Kind, number and name are its key. All unused bytes are 0. */
struct keeper_thing {
    enum keeper_kind {
        KEEPER_GPIOD_LINE,    /* `name` is its chip */
        KEEPER_SYSFS_LINE,    /* `name` is its folder */
        KEEPER_LED,           /* no descriptor; `name` is its folder */
        KEEPER_PWM,           /* no descriptor; `name` is its chip */
        KEEPER_LISTENER,      /* `name` is its address */
        KEEPER_LOCK,          /* of a Unix socket's path */
        KEEPER_CONFIGURATION, /* a file in memory with the text */
        KEEPER_HASH,          /* no descriptor; of a text that was read */
        KEEPER_LINE,          /* no descriptor; `name` is what the configuration calls it, `note` its chip's label */
    } kind;
    uint32_t number; /* of a line, a channel or a configuration; otherwise 0 */
    char name[256];  /* with its NUL: the name of any file fits */
    char note[512];  /* how it was set; the keeper does not read it */
};

/* The processes that the keeper starts for a server. */
enum keeper_helper_kind { KEEPER_CONNECTOR, KEEPER_ACCEPTOR, KEEPER_HELPERS };

enum keeper_message_type {
    KEEPER_KEEP,    /* during the start: hold this thing, and the descriptor with it, for the next server */
    KEEPER_RELEASE, /* during the start: close this thing now, then the descriptor with it */
    KEEPER_HELP,    /* start a helper: its plan is the descriptor with it */
    KEEPER_READY,   /* the start is over: close what this server has not kept */
    KEEPER_FEED,    /* the server lives: feed the service manager's watchdog */
    KEEPER_REFUSE,  /* the server goes on, because it cannot hand over */
    KEEPER_ONLINE,  /* a broker has accepted the device */
    KEEPER_ADMIT,   /* new tokens count from now on, and nothing else has changed */
};

/* All that the keeper says: a helper was started, with the descriptor to ask it by; or it could not be. */
struct keeper_connection {
    int32_t error; /* of errno, or 0 */
    enum keeper_helper_kind helper;
};

union keeper_message {
    enum keeper_message_type type; /* all of FEED, REFUSE, ADMIT and ONLINE */
    struct keeper_keep {
        enum keeper_message_type type;
        uint32_t has_descriptor;
        struct keeper_thing thing;
    } keep;
    struct keeper_release {
        enum keeper_message_type type;
        struct keeper_thing thing;
    } release;
    struct keeper_help {
        enum keeper_message_type type;
        enum keeper_helper_kind helper;
    } help;
    struct keeper_ready {
        enum keeper_message_type type;
        uint32_t expects_online; /* whether it has a broker */
        uint32_t closing;        /* ms that requests may take when it hands over */
        char status[128];        /* a sentence for the service manager */
    } ready;
};

#endif
