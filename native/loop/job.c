#include "loop/job.h"

#include <errno.h>
#include <string.h>

#include "base/owner.h"

enum { RESOLVE, REJECT };

static void free_job(struct job *job) {
    JSContext *context = job->runtime->context;
    JS_FreeValue(context, job->settle[RESOLVE]);
    JS_FreeValue(context, job->settle[REJECT]);
    job->type->free(context, job);
}

/* Takes the exception that is pending, or that of a failure. */
static JSValue error_of(JSContext *context, const struct failure *failure) {
    if (failure->what)
        failure_throw(context, failure);
    return JS_GetException(context);
}

static void run_job(struct work *work) {
    struct job *job = owner_of(work, struct job, work);
    job->type->run(job);
}

static void deliver(struct work *work, bool ran) {
    struct job *job = owner_of(work, struct job, work);
    struct runtime *runtime = job->runtime;
    if (ran) {
        JSValue value = job->failure.what ? JS_EXCEPTION : job->type->result(runtime->context, job);
        int how = JS_IsException(value) ? REJECT : RESOLVE;
        if (how == REJECT)
            value = error_of(runtime->context, &job->failure);
        runtime_call(runtime, job->settle[how], 1, (JSValueConst[]){value});
        JS_FreeValue(runtime->context, value);
    }
    free_job(job);
}

bool job_prepare(struct runtime *runtime, bool for_outputs) {
    if (!runtime->worker)
        runtime->worker = worker_create(runtime->loop);
    return runtime->worker && worker_start(runtime->worker, for_outputs);
}

/* Returns false, with the reason, when the job cannot be started. */
static bool submit(struct job *job) {
    if (!job_prepare(job->runtime, job->work.for_output)) {
        failure_note(&job->failure, "thread", errno, "%s", "");
        return false;
    }
    if (worker_submit(job->runtime->worker, &job->work))
        return true; /* from here on, the job is the thread's */
    failure_note(&job->failure, "busy", 0, "%d", WORKER_LIMIT);
    return false;
}

/* Returns a number of a text that no other one has, as far as anyone meets (FNV-1a); 0 for "". */
static uint64_t order_of(const char *text) {
    uint64_t number = *text == '\0' ? 0 : 0xcbf29ce484222325;
    for (; *text != '\0'; text++)
        number = (number ^ (unsigned char)*text) * 0x100000001b3;
    return number;
}

JSValue job_start(JSContext *context, struct job *job, const struct job_type *type, const char *order) {
    job->type = type;
    job->runtime = runtime_of(context);
    job->work.run = run_job;
    job->work.done = deliver;
    job->work.must_run = type->must_run;
    job->work.for_output = type->must_run || strncmp(order, "output ", strlen("output ")) == 0;
    job->work.order = order_of(order);
    job->failure.what = NULL;
    JSValue promise = JS_NewPromiseCapability(context, job->settle);
    if (JS_IsException(promise)) {
        job->settle[RESOLVE] = job->settle[REJECT] = JS_UNDEFINED;
        free_job(job);
        return promise;
    }
    if (submit(job))
        return promise;
    JSValue error = error_of(context, &job->failure);
    JSValue result = JS_Call(context, job->settle[REJECT], JS_UNDEFINED, 1, (JSValueConst[]){error});
    JS_FreeValue(context, error);
    free_job(job);
    if (!JS_IsException(result)) {
        JS_FreeValue(context, result);
        return promise;
    }
    JS_FreeValue(context, promise);
    return result;
}
