/* What clients do to the servers of test/fuzz/application.ts, in steps. */
#ifndef NOUND_ALLOCATIONS_SCENARIO_H
#define NOUND_ALLOCATIONS_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

/* Whom a client speaks to: the server with the default limits, the one with narrow limits and a log, the guarded one.
 */
enum server { WIDE, NARROW, GUARDED };

enum action {
    SEND,   /* the text, as one write */
    PAUSE,  /* ms of the harness's own time */
    FINISH, /* FIN */
    RESET,
    CLOSE /* the servers, in order */
};

struct step {
    enum action action;
    int client; /* 0 to 2 */
    const char *text;
    uint32_t milliseconds;
};

struct scenario {
    const char *name;
    enum server servers[3]; /* of each client */
    const struct step *steps;
    size_t count;
};

extern const struct scenario scenarios[];
extern const size_t scenario_count;

#endif
