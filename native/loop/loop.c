#define _GNU_SOURCE 1
#include "loop/loop.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/ending_signals.h"
#include "base/stack.h"
#include "keeper/keeper.h"

#define BATCH 64                          /* events taken from the kernel in one turn */
#define REST 900                          /* ms without events after which the loop is at rest */
#define NEAR 1500                         /* ms to a timer for which it does not rest: it would wake up twice */
#define LONGEST_REST 10000                /* ms after which the loop looks for a standstill that nothing has ended */
#define STANDSTILL 5000                   /* ms that are no rest: more than these are a standstill */
#define LONGEST_DELAY (UINT64_C(1) << 52) /* ms; keeps every sum of a clock and a delay exact */

struct loop {
    int epoll;
    int watched;                /* watchers */
    int waiting;                /* those of them that keep the loop running */
    size_t background_timers;   /* timers that do not */
    uint64_t now;               /* ms, when this turn began */
    struct timespec turn_began; /* the same moment, exactly */
    /*
     * A check of all files, which may take several turns: when it began, and how many events it has delivered so far.
     */
    uint64_t look_began;
    int look_events;
    struct timer_heap timers;

    struct epoll_event batch[BATCH];
    int batch_length, batch_next; /* the events of this turn that are still to be delivered */

    struct loop_watcher signals;
    loop_signalled *signalled;
    void *signalled_opaque;
    int ends[2]; /* the signals to end, from others and from the keeper */

    loop_turn_ended *turn_ended; /* or NULL */
    void *turn_ended_opaque;

    loop_stood_still *stood_still; /* or NULL: then nothing looks for a standstill */
    void *stood_still_opaque;
    uint64_t alive;      /* ms on CLOCK_BOOTTIME, at the last sign of life */
    uint64_t rested;     /* ms since then in which the process was free to run, and waited for events */
    uint64_t standstill; /* ms of a standstill that was not told, or 0 */

    bool leaving;
    int status;
};

/* The current time. CLOCK_MONOTONIC cannot fail on a kernel that has epoll. */
static struct timespec read_clock(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

uint64_t loop_clock(void) {
    struct timespec time = read_clock();
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Rounded up, so that a deadline counted from it is never early by a part of a millisecond. */
static uint64_t clock_ceiling(void) {
    struct timespec time = read_clock();
    return (uint64_t)time.tv_sec * 1000 + ((uint64_t)time.tv_nsec + 999999) / 1000000;
}

/* CLOCK_BOOTTIME goes on while the machine is suspended. Every kernel with epoll_create1 has it but those
 * before 2.6.39, where it stays 0. */
static uint64_t boot_clock(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Judges the time since the last call. Returns whether a standstill has not been told. */
static bool notice_standstill(struct loop *loop) {
    if (!loop->stood_still)
        return false;
    uint64_t now = boot_clock(), passed = now - loop->alive;
    if (passed > loop->rested + STANDSTILL)
        loop->standstill = passed - loop->rested;
    loop->alive = now;
    loop->rested = 0;
    return loop->standstill > 0;
}

static void tell_standstill(struct loop *loop) {
    if (!notice_standstill(loop))
        return;
    uint64_t duration = loop->standstill;
    loop->standstill = 0;
    loop->stood_still(loop->stood_still_opaque, duration);
}

static void begin_turn(struct loop *loop) {
    loop->turn_began = read_clock();
    loop->now = (uint64_t)loop->turn_began.tv_sec * 1000 + (uint64_t)loop->turn_began.tv_nsec / 1000000;
}

struct loop *loop_create(void) {
    struct loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return NULL;
    loop->signals.fd = -1;
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (loop->epoll < 0) {
        free(loop);
        return NULL;
    }
    begin_turn(loop);
    return loop;
}

void loop_free(struct loop *loop) {
    loop_close(loop, &loop->signals);
    timer_heap_free(&loop->timers);
    close(loop->epoll);
    free(loop);
}

uint64_t loop_now(const struct loop *loop) {
    return loop->now;
}

uint64_t loop_turn_time(const struct loop *loop) {
    struct timespec now = read_clock();
    const struct timespec *began = &loop->turn_began;
    return (uint64_t)(now.tv_sec - began->tv_sec) * 1000000 + (uint64_t)now.tv_nsec / 1000 -
           (uint64_t)began->tv_nsec / 1000;
}

void loop_at_turn_end(struct loop *loop, loop_turn_ended *ended, void *opaque) {
    loop->turn_ended = ended;
    loop->turn_ended_opaque = opaque;
}

void loop_at_standstill(struct loop *loop, loop_stood_still *stood_still, void *opaque) {
    loop->stood_still = stood_still;
    loop->stood_still_opaque = opaque;
    loop->alive = boot_clock();
}

void loop_exit(struct loop *loop, int status) {
    loop->leaving = true;
    loop->status = status;
}

int loop_status(const struct loop *loop) {
    return loop->status;
}

/*
 * Begins a check of all files, or continues one that timers wait for. Returns how long epoll_wait may wait, in ms:
 * until the first timer is due, or for ever (-1).
 */
static int begin_look(struct loop *loop) {
    const struct loop_timer *first = timer_heap_first(&loop->timers);
    if (first && loop->look_events > 0 && first->deadline <= loop->look_began)
        return 0;
    loop->look_events = 0;
    if (!first)
        return -1;
    /* The callbacks of the last turn took their time: the cached clock would let us oversleep by as much. */
    loop->look_began = loop_clock();
    if (first->deadline <= loop->look_began)
        return 0;
    uint64_t wait = first->deadline - loop->look_began;
    return wait < INT_MAX ? (int)wait : INT_MAX;
}

static void deliver_events(struct loop *loop) {
    while (loop->batch_next < loop->batch_length) {
        struct epoll_event event = loop->batch[loop->batch_next++];
        struct loop_watcher *watcher = event.data.ptr;
        if (watcher) /* otherwise an earlier callback has unwatched it */
            watcher->ready(watcher, event.events);
    }
    loop->batch_length = 0;
}

/*
 * A deadline says how long to wait for bytes. So a timer fires only if it was due before a complete check of the files
 * began. After a stall, many deadlines have passed, but bytes that arrived in time are still in the kernel: they are
 * read first. A check is complete when epoll has nothing more to report, or has reported as often as there are files,
 * because it reports ready files in turns.
 */
static void fire_timers(struct loop *loop) {
    /* Timers that are started meanwhile wait for the next turn. Otherwise a timer that starts itself with 0 ms would
     * starve the sockets. */
    uint64_t starts = loop->timers.starts;
    struct loop_timer *timer;
    while ((timer = timer_heap_first(&loop->timers)) && timer->deadline <= loop->look_began && timer->order < starts) {
        loop_stop_timer(loop, timer);
        timer->fired(timer);
    }
}

/*
 * Waits until a file is ready, for at most `wait` ms, and counts the wait as rest. ppoll(2) itself, unlike libc's
 * function, stores the time that is left: the kernel does so before it lets a process be stopped or frozen, and goes on
 * with that time afterwards. So a standstill is not in the count. Returns a negative number after a signal.
 */
static int rest(struct loop *loop, int wait) {
    struct {
        long seconds, nanoseconds;
    } left = {wait / 1000, wait % 1000 * 1000000L};
    struct pollfd files = {.fd = loop->epoll, .events = POLLIN};
    int result = (int)syscall(SYS_ppoll, &files, 1, &left, NULL, 0);
    loop->rested += (uint64_t)(wait - left.seconds * 1000 - left.nanoseconds / 1000000);
    return result;
}

/* Waits for events. At rest, the stack needs none of the pages that deep calls have used. */
static int wait_for_events(struct loop *loop) {
    int wait = begin_look(loop);
    const bool is_far = wait < 0 || wait > NEAR;
    if (is_far || (wait > REST && loop->stood_still)) {
        if (is_far) {
            int count = epoll_wait(loop->epoll, loop->batch, BATCH, REST);
            if (count != 0)
                return count;
            stack_release();
            wait = begin_look(loop);
        }
        int ready = 0;
        while (loop->stood_still && ready == 0 && wait != 0 && !notice_standstill(loop)) {
            ready = rest(loop, wait < 0 || wait > LONGEST_REST ? LONGEST_REST : wait);
            wait = begin_look(loop);
        }
        if (ready < 0)
            return -1;
        if (loop->stood_still)
            wait = 0;
    }
    int count = epoll_wait(loop->epoll, loop->batch, BATCH, wait);
    if (count == 0 && wait > 0)
        loop->look_began += (uint64_t)wait; /* at the end of the wait, the kernel has looked once more */
    return count;
}

bool loop_turn(struct loop *loop) {
    if (loop->leaving || (loop->waiting == 0 && loop->timers.length == loop->background_timers))
        return false;
    int count = wait_for_events(loop);
    if (count < 0 && errno != EINTR) {
        fprintf(stderr, "nound: epoll_wait: %s\n", strerror(errno));
        loop_exit(loop, EX_OSERR);
        return false;
    }
    begin_turn(loop);
    if (count < 0)
        return true; /* a signal came before anything was checked */
    loop->batch_next = 0;
    loop->batch_length = count;
    tell_standstill(loop);
    deliver_events(loop);
    loop->look_events += count;
    if (count < BATCH || loop->look_events >= loop->watched) {
        fire_timers(loop);
        loop->look_events = 0;
    }
    if (loop->turn_ended)
        loop->turn_ended(loop->turn_ended_opaque);
    return true;
}

bool loop_watch(struct loop *loop, struct loop_watcher *watcher, uint32_t events) {
    assert(!watcher->watched);
    struct epoll_event event = {.events = events, .data.ptr = watcher};
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, watcher->fd, &event) < 0)
        return false;
    watcher->events = events;
    watcher->watched = true;
    loop->watched++;
    loop->waiting += watcher->background ? 0 : 1;
    return true;
}

/* The kernel then looks at the file, whether `events` are others or not. */
static void modify(struct loop *loop, struct loop_watcher *watcher, uint32_t events) {
    assert(watcher->watched);
    struct epoll_event event = {.events = events, .data.ptr = watcher};
    /* Fails only for a descriptor that is not in the set, which is a bug of the caller. */
    int result = epoll_ctl(loop->epoll, EPOLL_CTL_MOD, watcher->fd, &event);
    assert(result == 0);
    (void)result;
    watcher->events = events;
}

void loop_rewatch(struct loop *loop, struct loop_watcher *watcher, uint32_t events) {
    if (watcher->events != events)
        modify(loop, watcher, events);
}

void loop_rearm(struct loop *loop, struct loop_watcher *watcher) {
    if (watcher->watched && (watcher->events & EPOLLET))
        modify(loop, watcher, watcher->events);
}

void loop_unwatch(struct loop *loop, struct loop_watcher *watcher) {
    if (!watcher->watched)
        return;
    /* Explicitly, not by close(2): epoll forgets a file only when every duplicate of its descriptor is closed. */
    int result = epoll_ctl(loop->epoll, EPOLL_CTL_DEL, watcher->fd, NULL);
    assert(result == 0);
    (void)result;
    watcher->watched = false;
    loop->watched--;
    loop->waiting -= watcher->background ? 0 : 1;
    /* Events that epoll_wait has already reported in this turn must not reach memory that the owner may free now. */
    for (int i = loop->batch_next; i < loop->batch_length; i++)
        if (loop->batch[i].data.ptr == watcher)
            loop->batch[i].data.ptr = NULL;
}

void loop_close(struct loop *loop, struct loop_watcher *watcher) {
    loop_unwatch(loop, watcher);
    descriptor_close(watcher->fd);
    watcher->fd = -1;
}

bool loop_start_timer(struct loop *loop, struct loop_timer *timer, uint64_t delay) {
    loop_stop_timer(loop, timer);
    /* Without a delay, it is due in the next turn. That turn then does not wait for the next millisecond. */
    uint64_t deadline = delay == 0 ? loop->now : clock_ceiling() + (delay < LONGEST_DELAY ? delay : LONGEST_DELAY);
    if (!timer_heap_add(&loop->timers, timer, deadline))
        return false;
    loop->background_timers += timer->background ? 1 : 0;
    return true;
}

void loop_stop_timer(struct loop *loop, struct loop_timer *timer) {
    if (timer->place == 0)
        return;
    timer_heap_remove(&loop->timers, timer);
    loop->background_timers -= timer->background ? 1 : 0;
}

/*
 * A program that signals all processes of a name, such as killall(1), signals the keeper too, which signals this
 * process again. So of the signals of the keeper and of those of others, only the greater number counts. A SIGHUP of
 * others counts only without a keeper, which checks the configuration before its own.
 */
static bool is_another(struct loop *loop, const struct signalfd_siginfo *info) {
    const bool is_keepers = keeper_is_process((pid_t)info->ssi_pid);
    const int before = loop->ends[is_keepers], others = loop->ends[!is_keepers];
    if (info->ssi_signo == SIGHUP)
        return is_keepers || !keeper_exists();
    loop->ends[is_keepers]++;
    return before >= others;
}

static void signals_ready(struct loop_watcher *watcher, uint32_t events) {
    (void)events;
    struct loop *loop = owner_of(watcher, struct loop, signals);
    struct signalfd_siginfo info;
    while (read(watcher->fd, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo != SIGCONT && is_another(loop, &info))
            loop->signalled(loop->signalled_opaque, (int)info.ssi_signo);
}

bool loop_catch_signals(struct loop *loop, loop_signalled *signalled, void *opaque) {
    loop->signalled = signalled;
    loop->signalled_opaque = opaque;
    if (loop->signals.fd >= 0)
        return true;
    const sigset_t set = ending_signals(SIGCONT); /* SIGCONT begins a turn, which finds the standstill */
    int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (fd < 0)
        return false;
    loop->signals = (struct loop_watcher){.ready = signals_ready, .fd = fd, .background = true};
    if (!loop_watch(loop, &loop->signals, EPOLLIN)) {
        loop_close(loop, &loop->signals);
        return false;
    }
    /* signalfd(2): only a blocked signal is read from the descriptor rather than doing what it does by default. */
    return sigprocmask(SIG_BLOCK, &set, NULL) == 0;
}
