/* Tries native/worker.c without an engine. Ends with status 0, or says what is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "owner.h"
#include "worker.h"

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "line %d: expected %s\n", __LINE__, #condition);                                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

struct trial {
    struct work work;
    int index;
    int *sequence; /* where those of an order write their numbers; no lock, as they never run at once */
    int *length;
    bool has_run, was_told, was_told_that_it_ran;
};

static void run(struct work *work) {
    struct trial *trial = owner_of(work, struct trial, work);
    if (trial->sequence) {
        int length = *trial->length;
        nanosleep(&(struct timespec){.tv_nsec = 200 * 1000}, NULL);
        trial->sequence[length] = trial->index;
        *trial->length = length + 1;
    }
    trial->has_run = true;
}

static void done(struct work *work, bool ran) {
    struct trial *trial = owner_of(work, struct trial, work);
    EXPECT(!trial->was_told);
    trial->was_told = true;
    trial->was_told_that_it_ran = ran;
}

static struct trial new_trial(int index, const char *order) {
    struct trial trial = {.work = {.run = run, .done = done}, .index = index};
    snprintf(trial.work.order, sizeof trial.work.order, "%s", order);
    return trial;
}

/* Works of one order run as they were submitted; those of another in between. */
static void try_order(struct loop *loop) {
    enum { COUNT = 60 };
    struct trial trials[COUNT];
    int sequences[2][COUNT], lengths[2] = {0};
    struct worker *worker = worker_create(loop);
    EXPECT(worker && worker_start(worker) && worker_start(worker));
    for (int i = 0; i < COUNT; i++) {
        trials[i] = new_trial(i, i % 2 == 0 ? "even" : "odd");
        trials[i].sequence = sequences[i % 2];
        trials[i].length = &lengths[i % 2];
        EXPECT(worker_submit(worker, &trials[i].work));
    }
    while (loop_turn(loop)) /* ends when nothing is under way */
        ;
    EXPECT(lengths[0] == COUNT / 2 && lengths[1] == COUNT / 2);
    for (int i = 0; i < COUNT; i++)
        EXPECT(sequences[i % 2][i / 2] == i && trials[i].was_told_that_it_ran);
    worker_free(worker);
}

/* So many works wait and no more; they begin with the threads, and go on after a pause. */
static void try_limit(struct loop *loop) {
    struct trial trials[WORKER_LIMIT + 1];
    struct worker *worker = worker_create(loop);
    EXPECT(worker);
    for (int i = 0; i <= WORKER_LIMIT; i++) {
        trials[i] = new_trial(i, "");
        EXPECT(worker_submit(worker, &trials[i].work) == (i < WORKER_LIMIT));
    }
    EXPECT(worker_pause(worker) && !trials[0].has_run);
    EXPECT(worker_start(worker));
    while (loop_turn(loop))
        ;
    for (int i = 0; i < WORKER_LIMIT; i++)
        EXPECT(trials[i].was_told_that_it_ran);
    EXPECT(!trials[WORKER_LIMIT].was_told);
    EXPECT(worker_pause(worker) && worker_start(worker));
    EXPECT(worker_submit(worker, &trials[WORKER_LIMIT].work));
    while (loop_turn(loop))
        ;
    EXPECT(trials[WORKER_LIMIT].was_told_that_it_ran);
    worker_free(worker);
}

/* At the end, what must run does, whatever its order; the rest is dropped. All owners are told. */
static void try_end(struct loop *loop) {
    enum { COUNT = 40 };
    struct trial trials[COUNT];
    int sequence[COUNT], length = 0;
    struct worker *worker = worker_create(loop);
    EXPECT(worker);
    for (int i = 0; i < COUNT; i++) {
        trials[i] = new_trial(i, i % 4 < 2 ? "bus" : "");
        trials[i].work.must_run = i % 2 == 0;
        if (i % 4 < 2) {
            trials[i].sequence = sequence;
            trials[i].length = &length;
        }
        EXPECT(worker_submit(worker, &trials[i].work));
    }
    EXPECT(worker_start(worker));
    worker_free(worker);
    for (int i = 0; i < COUNT; i++)
        EXPECT(trials[i].was_told && (i % 2 != 0 || trials[i].has_run));
}

int main(void) {
    struct loop *loop = loop_create();
    EXPECT(loop);
    try_order(loop);
    try_limit(loop);
    try_end(loop);
    loop_free(loop);
    return 0;
}
