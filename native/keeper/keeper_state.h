/* What the files of the keeper share. A server has a copy of it, as it is forked. */
#ifndef NOUND_KEEPER_STATE_H
#define NOUND_KEEPER_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "keeper/keeper_key.h"

#define MOST_KEPT 128
#define KEPT_SIZE (MOST_KEPT * sizeof(struct kept)) /* bytes of the table */

/* The first byte of a message of a server. */
enum message { KEEP = 'K', CLAIM = 'C', READY = 'R' };

/* What a server has kept. */
struct kept {
    int fd;           /* or -1: the key alone */
    unsigned born;    /* the server that kept it; 0 for a free place */
    unsigned claimed; /* the last server that claimed it */
    char key[KEEPER_KEY_SIZE];
};

/* Before the text that one process leaves for another. It is written last: a process that is killed leaves no half. */
struct text_header {
    uint32_t magic, length;
};
#define STATES_MAGIC 0x6e6f756eU /* of the nouns' states, which a server leaves for the next one */
#define TOKENS_MAGIC 0x6e6f7574U /* of the token file, which a check leaves for the server that runs */
#define TOKENS_STATUS 3          /* of a check that found the token file changed, and nothing else */

struct keeper {
    struct kept *kept;         /* MOST_KEPT places */
    size_t places;             /* MOST_KEPT, or 0 without a keeper */
    pid_t process;             /* the keeper's */
    unsigned generation;       /* of the server, from 1 */
    int link;                  /* the keeper's end, until the R; in a server its own; or -1 */
    int text;                  /* the file in memory for a text, or -1 */
    int feedings;              /* an eventfd(2) that the server writes to, to feed the watchdog, or -1 */
    uint64_t feeding_interval; /* ms, or 0 */
    bool is_fallback;          /* the server has the previous configuration */
    bool is_server;            /* this process is one */
    bool is_checker;           /* this process checks the configuration for the keeper */
    bool is_handing_over;
    char **words;                               /* of the command line of a check */
    void (*unclaimed)(const char *key, int fd); /* what keeper_on_unclaimed set */
};

/* One for the process: it outlives the fork that makes a server of it. Without values, it takes no room in the file. */
extern struct keeper keeper;

/* Returns what is kept whose key begins so, or NULL. length: of the beginning; with its end, the key must be equal. */
struct kept *keeper_find(const char *prefix, size_t length);

/* Returns whether a text was left. magic: which one. */
bool keeper_has_text(uint32_t magic);

#endif
