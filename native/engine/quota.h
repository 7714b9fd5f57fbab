/*
 * How many bytes a script may have. A script that reaches the limit gets no more memory until control is back in C.
 * From then on, QUOTA_RESERVE bytes more may be in use until enough is free again. So the code that takes too much
 * fails, and not the code that handles the failure. A noun that is called through `interruption_call` gets at most half
 * of the reserve, because it may keep that for good.
 */
#ifndef NOUND_QUOTA_H
#define NOUND_QUOTA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUOTA_RESERVE ((size_t)1 << 18)
#define QUOTA_ENDING ((size_t)1024 * 1024) /* bytes beyond the limit, to end a program that has used up its memory */

struct quota {
    size_t used, limit;            /* bytes; a limit of SIZE_MAX is none */
    size_t reserve;                /* bytes beyond the limit that are free to take now */
    bool refused;                  /* since control was last in C */
    bool is_ending;                /* QUOTA_ENDING is in the limit */
    size_t alarm;                  /* if this many bytes are in use, each allocation is reported; SIZE_MAX for never */
    void (*alarmed)(void *opaque); /* allocates nothing */
    void *opaque;
};

/* Returns whether so many more bytes may be used. */
static inline bool quota_has_room(const struct quota *quota, size_t more) {
    size_t most = quota->limit < SIZE_MAX - quota->reserve ? quota->limit + quota->reserve : SIZE_MAX;
    return more <= most && quota->used <= most - more;
}

/* The same for callers that can continue without the memory. */
static inline bool quota_admits(struct quota *quota, size_t more) {
    bool admits = quota_has_room(quota, more);
    quota->refused |= !admits;
    return admits;
}

static inline void quota_take(struct quota *quota, size_t bytes) {
    quota->used += bytes;
    if (quota->used >= quota->alarm)
        quota->alarmed(quota->opaque);
}

static inline void quota_give(struct quota *quota, size_t bytes) {
    quota->used -= bytes;
    if (quota->reserve > 0 && quota->used + QUOTA_RESERVE <= quota->limit)
        quota->reserve = 0;
}

static inline void quota_set_limit(struct quota *quota, size_t limit) {
    quota->limit = limit;
    quota->reserve = 0;
    quota->refused = quota->is_ending = false;
}

/* Lets the script use a little more than its limit, to end the program. */
static inline void quota_grant_ending(struct quota *quota) {
    if (quota->is_ending || quota->limit == SIZE_MAX)
        return;
    quota_set_limit(quota, quota->limit + QUOTA_ENDING);
    quota->is_ending = true;
}

/* Withholds half of the reserve from the function that is called now. Returns the argument for `quota_leave` after that
 * function.
 */
static inline size_t quota_enter(struct quota *quota) {
    size_t reserve = quota->reserve;
    quota->reserve = reserve / 2;
    return reserve;
}

static inline void quota_leave(struct quota *quota, size_t reserve) {
    quota->reserve = quota->refused ? QUOTA_RESERVE : reserve;
    quota->refused = false;
}

#endif
