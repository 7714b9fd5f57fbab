/*
 * What has failed, as facts. The script makes the sentence for people (ts/platform/failures.ts), which
 * onFailure of `nound:system` sets.
 */
#ifndef NOUND_FAILURE_H
#define NOUND_FAILURE_H

#include <quickjs.h>

/* A failure; `what` is NULL without one. It may be noted in any thread. */
struct failure {
    const char *what; /* the name of its sentence */
    int error;        /* of errno, or 0 */
    char values[512]; /* with AND between two; the end is cut off if it does not fit */
};

#define AND "\xff" /* no text in UTF-8 has this byte */

/* Notes a failure and its values (printf(3)). */
void failure_note(struct failure *failure, const char *what, int error, const char *values, ...)
    __attribute__((format(printf, 4, 5)));

/* Continues the values. */
void failure_add(struct failure *failure, const char *values, ...) __attribute__((format(printf, 2, 3)));

/* Adds the names of the entries of a folder that begin with a prefix, but those of hidden files, with commas. */
void failure_add_names(struct failure *failure, const char *folder, const char *prefix);

/* Throws an Error with the sentence of a failure. Returns JS_EXCEPTION. */
JSValue failure_throw(JSContext *context, const struct failure *failure);

/* Notes a failure and throws it. */
JSValue failure_throw_new(JSContext *context, const char *what, int error, const char *values, ...)
    __attribute__((format(printf, 4, 5)));

#endif
