/* The table of what servers have kept over a reload: lines, sockets, files. The keeper alone changes it. */
#ifndef NOUND_KEPT_H
#define NOUND_KEPT_H

#include <stdbool.h>

#include "keeper/keeper_message.h"

/* Keeps a thing for the next server. What an earlier server has kept, and is the same, stays where it is; each text is
 * another one. Owns the descriptor. has_descriptor: whether it was sent; fd: -1 if it was not received. */
void kept_add(const struct keeper_thing *thing, bool has_descriptor, int fd);

/* Closes what was kept of this thing. */
void kept_release(const struct keeper_thing *thing);

/* Releases the kept lines that a started server did not claim, or all lines that a failed one brought. */
void kept_settle(bool has_started);

#endif
