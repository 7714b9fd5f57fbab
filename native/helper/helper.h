/* The start of a helper: a process of its own that does for the process with the nouns what that may not do. */
#ifndef NOUND_HELPER_H
#define NOUND_HELPER_H

#include <stddef.h>
#include <sys/types.h>

#include "keeper/keeper_message.h"

/*
 * Starts a helper. While this process starts, its keeper forks it, if it has one: then the helper has nothing of this
 * process's memory (keeper/keeper_helper.h). Otherwise this process forks it.
 * plan: of `size` bytes. run: what the helper is where this process forks it. Returns the descriptor to ask it by, or
 * -1 with errno set.
 */
int helper_start(enum keeper_helper_kind helper, const void *plan, size_t size,
                 void (*run)(int asker, pid_t parent, const void *plan));

#endif
