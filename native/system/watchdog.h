/* Feeds the service manager's watchdog from the loop: a loop that is stuck does not feed it. */
#ifndef NOUND_WATCHDOG_H
#define NOUND_WATCHDOG_H

#include "loop/loop.h"

struct watchdog;

/* Feeds from now on. Returns NULL without a watchdog, or without memory: then the manager ends the program. */
struct watchdog *watchdog_begin(struct loop *loop);

/* Stops and frees. NULL is allowed. */
void watchdog_end(struct watchdog *watchdog);

#endif
