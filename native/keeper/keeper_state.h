/* The state that the files of the keeper share. A server has a copy of it, as it is forked. */
#ifndef NOUND_KEEPER_STATE_H
#define NOUND_KEEPER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "keeper/keeper_message.h"

#define MOST_KEPT 1024

struct kept {
    int fd;           /* or -1 */
    unsigned born;    /* the server that kept it; 0 for a free place */
    unsigned claimed; /* the last server that kept it */
    struct keeper_thing thing;
};

/* Before the text that one process leaves for another. It is written last: a process that is killed leaves no half. */
struct left_header {
    uint32_t magic, length;
};
#define STATES_MAGIC 0x6e6f756fU /* of the nouns' states, which a server leaves for the next one */
#define TOKENS_MAGIC 0x6e6f7575U /* of the token file, which a check leaves for the server that runs */
#define TOKENS_STATUS 3          /* of a check after which the token file counts, and nothing else has changed */

struct keeper {
    struct kept *kept;          /* grows, to MOST_KEPT places */
    size_t room, places;        /* that there are; that were ever used */
    pid_t process;              /* the keeper's */
    unsigned generation;        /* of the server, from 1 */
    int link;                   /* the keeper's end of the channel; in a server its own; or -1 */
    int left;                   /* the file in memory for what a process leaves, or -1 */
    uint32_t left_length;       /* bytes that this process has left */
    uint64_t feeding_interval;  /* ms, or 0 */
    bool is_fallback;           /* the server, or a check, has the previous configuration */
    dev_t failed_device;        /* with `failed_file`: the program that replaced this one and was given up */
    ino_t failed_file;          /* or 0 */
    bool is_server, is_checker; /* this process */
    bool has_connector;         /* this server has asked for one */
    bool has_started;           /* this server has said READY */
    bool is_handing_over;
    bool takes_nothing; /* the last message of this server to the keeper has failed */
    char **words;       /* of the command line of a check */
    void (*unclaimed)(const struct keeper_thing *thing, int fd);
};

/* One for the process: it outlives the fork that makes a server of it. Without values, it takes no room in the file. */
extern struct keeper keeper;

/* Makes room for so many places, MOST_KEPT at most. Returns whether there is. */
bool keeper_make_room(size_t places);

/* Returns whether a text was left. magic: which one. */
bool keeper_has_left(uint32_t magic);

#endif
