#define _GNU_SOURCE 1
#include "loop/worker.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/owner.h"

#define ANY_THREADS 2    /* that take any work, so that a slow sensor does not delay the others */
#define THREADS 3        /* with the one for outputs, the last */
#define LONGEST_ENDING 5 /* s that a thread may take to finish its work */

struct work_list {
    struct work *first, **end;
};

struct worker {
    struct loop *loop;
    struct loop_watcher
        watcher;        /* of an eventfd(2), written when a work has finished; watched while a work is under way */
    unsigned under_way; /* works submitted and not delivered; of the loop's thread */
    unsigned others;    /* of these, those that are for no output */
    unsigned wanted;    /* threads; of the loop's thread */
    bool settled;       /* no thread can be started any more; of the loop's thread */

    pthread_mutex_t mutex; /* for all that follows */
    pthread_cond_t changed;
    struct work_list waiting, finished;
    struct work *running[THREADS];
    pthread_t threads[THREADS];
    unsigned started; /* threads to be joined */
    unsigned alive;   /* threads that have not left yet */
    bool ending;
};

struct place {
    struct worker *worker;
    unsigned index;
};

static void list_clear(struct work_list *list) {
    list->first = NULL;
    list->end = &list->first;
}

static void list_append(struct work_list *list, struct work *work) {
    work->next = NULL;
    *list->end = work;
    list->end = &work->next;
}

static struct work *list_take(struct work_list *list, struct work **from) {
    struct work *work = *from;
    *from = work->next;
    if (list->end == &work->next)
        list->end = from;
    return work;
}

/* Returns whether a thread may run a work. index: of the thread. */
static bool may_run(const struct worker *worker, unsigned index, const struct work *work) {
    if ((worker->ending && !work->must_run) || (index >= ANY_THREADS && !work->for_output))
        return false;
    for (unsigned i = 0; i < THREADS; i++)
        if (work->order != 0 && worker->running[i] && worker->running[i]->order == work->order)
            return false;
    return true;
}

/* Takes the first work that a thread may run; NULL without work. */
static struct work *take_waiting(struct worker *worker, unsigned index) {
    for (struct work **from = &worker->waiting.first; *from; from = &(*from)->next)
        if (may_run(worker, index, *from))
            return list_take(&worker->waiting, from);
    return NULL;
}

static void run(struct worker *worker, unsigned index, struct work *work) {
    const uint64_t one = 1;
    worker->running[index] = work;
    pthread_mutex_unlock(&worker->mutex);
    work->run(work);
    pthread_mutex_lock(&worker->mutex);
    worker->running[index] = NULL;
    list_append(&worker->finished, work);
    /* This fails only if the counter is full, and then the loop wakes up anyway. */
    ssize_t written = write(worker->watcher.fd, &one, sizeof one);
    (void)written;
    pthread_cond_broadcast(&worker->changed); /* now another work of its order may begin */
}

static void *thread_main(void *opaque) {
    struct place place = *(struct place *)opaque;
    struct worker *worker = place.worker;
    free(opaque);
    pthread_mutex_lock(&worker->mutex);
    for (;;) {
        struct work *work = take_waiting(worker, place.index);
        if (work)
            run(worker, place.index, work);
        else if (worker->ending)
            break; /* a work that waits for another one of its order is left to the thread that runs that one */
        else
            pthread_cond_wait(&worker->changed, &worker->mutex);
    }
    worker->alive--;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
    return NULL;
}

/* Tells the owners of all that has finished. One of them may submit more. */
static void deliver(struct loop_watcher *watcher, uint32_t events) {
    (void)events;
    struct worker *worker = owner_of(watcher, struct worker, watcher);
    uint64_t count;
    if (read(watcher->fd, &count, sizeof count) < 0)
        return;
    pthread_mutex_lock(&worker->mutex);
    struct work *work = worker->finished.first;
    list_clear(&worker->finished);
    pthread_mutex_unlock(&worker->mutex);
    while (work) {
        struct work *next = work->next;
        worker->others -= work->for_output ? 0 : 1;
        if (--worker->under_way == 0)
            loop_unwatch(worker->loop, watcher);
        work->done(work, true);
        work = next;
    }
}

struct worker *worker_create(struct loop *loop) {
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return NULL;
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0) {
        free(worker);
        return NULL;
    }
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&worker->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&worker->mutex, NULL);
    worker->loop = loop;
    worker->watcher = (struct loop_watcher){.ready = deliver, .fd = fd};
    list_clear(&worker->waiting);
    list_clear(&worker->finished);
    return worker;
}

/* Starts one thread. Signals are for the loop's. Returns 0 or an error. */
static int start_thread(struct worker *worker, unsigned index) {
    struct place *place = malloc(sizeof *place);
    if (!place)
        return ENOMEM;
    *place = (struct place){.worker = worker, .index = index};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&worker->threads[index], NULL, thread_main, place);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0)
        free(place);
    return error;
}

void worker_settle(struct worker *worker) {
    worker->settled = true;
}

bool worker_start(struct worker *worker, bool for_outputs) {
    int error = 0;
    if (worker->settled)
        return true;
    if (worker->wanted < THREADS)
        worker->wanted = for_outputs ? THREADS : ANY_THREADS;
    pthread_mutex_lock(&worker->mutex);
    for (; worker->started < worker->wanted && error == 0; worker->started += error == 0 ? 1 : 0) {
        error = start_thread(worker, worker->started);
        worker->alive += error == 0 ? 1 : 0;
    }
    pthread_mutex_unlock(&worker->mutex);
    errno = error;
    /* One thread does, only slower. */
    return worker->started > 0;
}

bool worker_pause(struct worker *worker) {
    struct timespec deadline = {0};
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += LONGEST_ENDING;
    int error = 0;
    pthread_mutex_lock(&worker->mutex);
    worker->ending = true;
    pthread_cond_broadcast(&worker->changed);
    while (worker->alive > 0 && error == 0)
        error = pthread_cond_timedwait(&worker->changed, &worker->mutex, &deadline);
    bool ended = worker->alive == 0;
    pthread_mutex_unlock(&worker->mutex);
    errno = ETIMEDOUT;
    if (!ended)
        return false;
    for (; worker->started > 0; worker->started--)
        pthread_join(worker->threads[worker->started - 1], NULL);
    worker->ending = false;
    return true;
}

bool worker_submit(struct worker *worker, struct work *work) {
    if (worker->under_way == WORKER_LIMIT + WORKER_OUTPUTS || (!work->for_output && worker->others == WORKER_LIMIT))
        return false;
    if (worker->under_way == 0 && !loop_watch(worker->loop, &worker->watcher, EPOLLIN))
        return false;
    worker->under_way++;
    worker->others += work->for_output ? 0 : 1;
    pthread_mutex_lock(&worker->mutex);
    list_append(&worker->waiting, work);
    pthread_cond_broadcast(&worker->changed); /* one of the threads may be the one that does not take it */
    pthread_mutex_unlock(&worker->mutex);
    return true;
}

static void drop_all(struct work_list *list) {
    for (struct work *work = list->first, *next; work; work = next) {
        next = work->next;
        work->done(work, false);
    }
    list_clear(list);
}

void worker_free(struct worker *worker) {
    if (!worker)
        return;
    bool ended = worker_pause(worker);
    loop_unwatch(worker->loop, &worker->watcher);
    pthread_mutex_lock(&worker->mutex);
    drop_all(&worker->waiting);
    drop_all(&worker->finished);
    pthread_mutex_unlock(&worker->mutex);
    if (!ended)
        return;
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->mutex);
    close(worker->watcher.fd);
    free(worker);
}
