/*
 * The end of a connection that the kernel encrypts (tls/kernel_tls.h): the alert close_notify, then FIN. The kernel may
 * still have a record of which TCP has taken a part, and would drop the rest with the last descriptor. So one is kept
 * until the client has everything.
 */
#ifndef NOUND_FAREWELL_H
#define NOUND_FAREWELL_H

#include <stdbool.h>
#include <stdint.h>

#define FAREWELL_LOOK 50 /* ms between two looks at a connection */

/* Zero for a connection that is not to end yet. */
struct farewell {
    bool is_begun, is_said;
    int left;               /* bytes that the client does not have yet */
    int64_t began;          /* ms on CLOCK_MONOTONIC */
    int64_t changed, empty; /* the same: when `left` has changed, and since when it is 0; 0 if it is not */
};

/* Begins to end a connection; the second time it does nothing. */
void farewell_begin(struct farewell *farewell, int peer);

/*
 * Goes on, every FAREWELL_LOOK or more often. is_wanted: somebody waits for the place. Returns false once the
 * descriptor can be closed: the client has everything, or takes it too slowly.
 */
bool farewell_go_on(struct farewell *farewell, int peer, bool is_wanted);

#endif
