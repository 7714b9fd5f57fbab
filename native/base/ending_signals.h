/* The signals that the program or its keeper is told to end or to reload by. */
#ifndef NOUND_ENDING_SIGNALS_H
#define NOUND_ENDING_SIGNALS_H

#include <signal.h>

/* Returns the set of SIGTERM, SIGINT, SIGHUP and `other`, which may be one of them. */
static inline sigset_t ending_signals(int other) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, other);
    return signals;
}

#endif
