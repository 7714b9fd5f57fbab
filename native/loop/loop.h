/*
 * The event loop: file descriptors through epoll(7), one-shot timers, signals through signalfd(2).
 *
 * A turn waits for events and calls each watcher that is ready, then the timers that were due before all ready files
 * were looked at. Everything runs on one thread. Watchers and timers are embedded in their owner's struct; the loop
 * never allocates or frees one.
 */
#ifndef NOUND_LOOP_H
#define NOUND_LOOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

#include "base/owner.h"
#include "loop/timer_heap.h"

struct loop;
struct loop_watcher;

/*
 * Called when a watched file is ready. Any watcher, this one too, may be unwatched, closed and freed inside.
 * events: EPOLLIN, EPOLLOUT...; EPOLLERR and EPOLLHUP always come, too.
 */
typedef void loop_ready(struct loop_watcher *watcher, uint32_t events);

/* Watches one file descriptor: a socket, a signalfd, a GPIO line's event descriptor, a serial device. */
struct loop_watcher {
    loop_ready *ready;
    int fd;          /* the owner closes it, after loop_unwatch */
    uint32_t events; /* the requested events; only the loop writes this */
    bool watched;    /* only the loop writes this */
    bool background; /* does not keep the loop running; set before loop_watch */
};

/* Called for each caught signal: SIGTERM, SIGINT or SIGHUP. */
typedef void loop_signalled(void *opaque, int signal);

/* Called at the end of each turn, after all watchers and timers. */
typedef void loop_turn_ended(void *opaque);

/* Called when the process stood still for `duration` ms, before anything that has come meanwhile is read. */
typedef void loop_stood_still(void *opaque, uint64_t duration);

/* Returns a new loop, or NULL with errno set. */
struct loop *loop_create(void);

/* Closes and frees the loop. It forgets watchers and timers; their owners still own them. */
void loop_free(struct loop *loop);

/* Returns ms on CLOCK_MONOTONIC as it is this moment. */
uint64_t loop_clock(void);

/* Returns ms on CLOCK_MONOTONIC, as read at the beginning of this turn. */
uint64_t loop_now(const struct loop *loop);

/* Returns how long this turn has taken so far, in µs. The clock is read for it. */
uint64_t loop_turn_time(const struct loop *loop);

/* Sets what is called at the end of each turn. */
void loop_at_turn_end(struct loop *loop, loop_turn_ended *ended, void *opaque);

/*
 * Sets what is called when for more than 5 s by CLOCK_BOOTTIME the loop neither began a turn nor waited for events: the
 * process was stopped or frozen, the machine was suspended, or a turn took so long. A standstill of more than 4.1 s may
 * count, too. Of one that neither a signal nor an event ends, the loop learns up to 10 s later.
 */
void loop_at_standstill(struct loop *loop, loop_stood_still *stood_still, void *opaque);

/* Runs one turn. Returns false, without waiting, when loop_exit was called or nothing is left to wait for. */
bool loop_turn(struct loop *loop);

/* Ends the loop after this turn. The last call's status counts. */
void loop_exit(struct loop *loop, int status);

/* Returns the status given to loop_exit, or 0. */
int loop_status(const struct loop *loop);

/* Begins to watch `watcher->fd` for `events`, level-triggered unless EPOLLET is one of them. Returns false with errno
 * set (epoll_ctl(2)). */
bool loop_watch(struct loop *loop, struct loop_watcher *watcher, uint32_t events);

/*
 * Changes what a watched file is watched for. 0 leaves EPOLLERR and EPOLLHUP, which cannot be switched off. What is
 * ready then is reported, with EPOLLET, too.
 */
void loop_rewatch(struct loop *loop, struct loop_watcher *watcher, uint32_t events);

/*
 * Lets an edge-triggered file be reported again, behind those that are ready now, if it still is ready. Does nothing to
 * one that is level-triggered or not watched.
 */
void loop_rearm(struct loop *loop, struct loop_watcher *watcher);

/* Ends watching. No event follows, not even one that epoll has already reported. Does nothing if the file is not
 * watched. */
void loop_unwatch(struct loop *loop, struct loop_watcher *watcher);

/* Ends watching and closes the descriptor, which is -1 then. Does nothing if it is. */
void loop_close(struct loop *loop, struct loop_watcher *watcher);

/* Starts a timer, or starts it again, to fire once, no earlier than `delay` ms from now. Returns false with errno
 * ENOMEM. */
bool loop_start_timer(struct loop *loop, struct loop_timer *timer, uint64_t delay);

/* Stops a timer. Does nothing to an idle one. */
void loop_stop_timer(struct loop *loop, struct loop_timer *timer);

/*
 * Catches SIGTERM, SIGINT and SIGHUP from now on; until then they do what they do by default. A second call replaces
 * the first one's callback. Returns false with errno set.
 */
bool loop_catch_signals(struct loop *loop, loop_signalled *signalled, void *opaque);

#endif
