/* The pending timers of a loop: a binary min-heap by deadline. Owns no timer, only the array that orders them. */
#ifndef NOUND_TIMER_HEAP_H
#define NOUND_TIMER_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loop_timer;

/* Called when the timer is due. The timer is idle again by then: it may be started again or freed. */
typedef void loop_timer_fired(struct loop_timer *timer);

/* A one-shot timer, embedded in its owner's struct. A timer that is zero except for `fired` is idle. */
struct loop_timer {
    uint64_t deadline; /* ms on CLOCK_MONOTONIC */
    uint64_t
        order; /* counts the starts: of two timers with the same deadline, the one that was started first fires first */
    size_t place;    /* where in the heap, counted from 1; 0 while idle */
    bool background; /* does not keep the loop running; set before it is started */
    loop_timer_fired *fired;
};

struct timer_heap {
    struct loop_timer **timers;
    size_t length, capacity;
    uint64_t starts;
};

/* Adds an idle timer with its deadline in ms. Returns false, with errno ENOMEM, when the heap cannot grow. */
bool timer_heap_add(struct timer_heap *heap, struct loop_timer *timer, uint64_t deadline);

/* Removes a timer. Does nothing to an idle one. */
void timer_heap_remove(struct timer_heap *heap, struct loop_timer *timer);

/* Returns the timer to fire first, or NULL when none is pending. */
struct loop_timer *timer_heap_first(const struct timer_heap *heap);

/* Forgets all timers and frees the array. */
void timer_heap_free(struct timer_heap *heap);

#endif
