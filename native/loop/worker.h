/*
 * Worker threads, for slow files of the kernel: a conversion of a one-wire sensor takes 750 ms. A work runs on one of
 * them and touches nothing of the engine; then its owner is told on the loop's thread.
 *
 * There is no thread before worker_start. Works with the same order run one after the other, as they were submitted.
 * Two threads take any work. A third one takes only works for outputs, so that two sensors that hang hold up no output.
 */
#ifndef NOUND_WORKER_H
#define NOUND_WORKER_H

#include <stdbool.h>

#include "loop/loop.h"

#define WORKER_LIMIT 64  /* works that wait, run, or are not delivered yet; those for outputs have more places */
#define WORKER_OUTPUTS 8 /* so many more */

struct worker;
struct work;

/* Something to do on a worker thread, embedded in its owner's struct. */
struct work {
    void (*run)(struct work *work); /* on a worker thread */
    /* On the loop's thread, the last use of the work. ran: false if it was dropped, because the program ends. */
    void (*done)(struct work *work, bool ran);
    uint64_t order;    /* works of the same order never run at once; 0 is no order */
    bool for_output;   /* may run on the thread for outputs */
    bool must_run;     /* also run when the program ends, for a work that switches something off */
    struct work *next; /* the worker's own */
};

/* Returns a worker without threads, or NULL with errno set. */
struct worker *worker_create(struct loop *loop);

/*
 * Starts the threads, or goes on after worker_pause. Does nothing when they run. for_outputs: whether there is to be
 * the thread for outputs, too, from now on. Returns false with errno set.
 */
bool worker_start(struct worker *worker, bool for_outputs);

/* Makes do with the threads that run: the process may start none any more. */
void worker_settle(struct worker *worker);

/*
 * Ends the threads once each has finished what it runs, and what must run. Other works wait until worker_start. Returns
 * false, with errno ETIMEDOUT, when a thread does not end within 5 s.
 */
bool worker_pause(struct worker *worker);

/* Returns false when too many works are under way; `done` is not called then. */
bool worker_submit(struct worker *worker, struct work *work);

/*
 * Ends the threads as worker_pause does, and drops every work that was not delivered. If a thread does not end, it
 * keeps its work until the process ends.
 */
void worker_free(struct worker *worker);

#endif
