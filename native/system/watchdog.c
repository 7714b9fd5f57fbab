#include "system/watchdog.h"

#include <stdlib.h>

#include "keeper/keeper.h"

struct watchdog {
    struct loop *loop;
    struct loop_timer feeding;
};

/* If there is no memory for the timer, the watchdog ends the program: it could not have gone on. */
static void feed(struct loop_timer *timer) {
    struct watchdog *watchdog = owner_of(timer, struct watchdog, feeding);
    keeper_feed();
    (void)loop_start_timer(watchdog->loop, timer, keeper_feeding_interval());
}

struct watchdog *watchdog_begin(struct loop *loop) {
    struct watchdog *watchdog = keeper_feeding_interval() > 0 ? calloc(1, sizeof *watchdog) : NULL;
    if (!watchdog)
        return NULL;
    watchdog->loop = loop;
    watchdog->feeding.fired = feed;
    watchdog->feeding.background = true;
    feed(&watchdog->feeding);
    return watchdog;
}

void watchdog_end(struct watchdog *watchdog) {
    if (!watchdog)
        return;
    loop_stop_timer(watchdog->loop, &watchdog->feeding);
    free(watchdog);
}
