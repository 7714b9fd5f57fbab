/* Jobs: works of the worker threads that a script waits for by a promise. */
#ifndef NOUND_JOB_H
#define NOUND_JOB_H

#include "engine/runtime.h"
#include "loop/worker.h"
#include "text/failure.h"

struct job;

/* The functions of one kind of job. */
struct job_type {
    bool must_run;                /* as that of a work; then it is for an output, too */
    void (*run)(struct job *job); /* on a worker thread; notes `failure` when it fails */
    JSValue (*result)(JSContext *context,
                      struct job *job); /* the value that the promise is resolved with; not called after a failure */
    void (*free)(JSContext *context, struct job *job); /* frees the owner's struct */
};

/* Embedded in the struct of the job's own data. */
struct job {
    struct work work;
    const struct job_type *type;
    struct runtime *runtime;
    JSValue settle[2]; /* the functions that resolve and reject the promise */
    struct failure failure;
};

/*
 * Starts a job, and the worker threads if they do not run. Consumes the job.
 * order: jobs of the same order run one after the other (worker.h); "" for none. An order that begins with "output " is
 * of an output: one more thread takes such jobs.
 * Returns its promise, which is already rejected if the job cannot be started; or an exception without memory.
 */
JSValue job_start(JSContext *context, struct job *job, const struct job_type *type, const char *order);

/*
 * Starts the threads for jobs to come; for_outputs: with the one for outputs. To be called before the process gives up
 * starting threads. Returns false with errno set.
 */
bool job_prepare(struct runtime *runtime, bool for_outputs);

#endif
